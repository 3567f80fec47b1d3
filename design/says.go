package design

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/mixing"
)

// sentences are all that a plan may say in words, in notes and in details of bounds, so that nobody can put words into
// the mouth of the program. # is a number, STOP a reason for stopping, RESOURCE and SCHEDULE are names.
//
//go:embed sentences.txt
var sentences string

var said = sync.OnceValue(func() *regexp.Regexp {
	const number = `[-+0-9.e]{1,24}`
	var schedules []string
	for _, f := range mixing.Schedules {
		schedules = append(schedules, f.Name)
	}
	text := strings.NewReplacer("\n", "|", "RESOURCE", `(?P<resource>.{1,200})`,
		"STOP", "("+strings.Join(stopWords(), "|")+")",
		"START", "(annealed|bounded|random|ring|given)", "SCHEDULE", strings.Join(schedules, "|"),
		"ALLOWED", `# nodes with at most # edges( and (degrees of at most #|limits on degrees between # and #))?`,
	).Replace(strings.TrimSpace(sentences))
	return regexp.MustCompile("^(" + strings.ReplaceAll(text, "#", number) + ")$")
})

// checkSentences refuses what this program does not say: a file may not put words into its mouth.
func (p *Plan) checkSentences(c *cluster.Cluster) error {
	known := func(name string) bool {
		return slices.ContainsFunc(c.Resources(), func(r cluster.Resource) bool { return r.Name == name })
	}
	said, all := said(), slices.Clone(p.Notes)
	for _, b := range []*Bound{p.Bound, p.DegreeBound} {
		if b != nil && b.Detail != "" {
			all = append(all, b.Detail)
		}
	}
	if p.TimeBound != nil && p.TimeBound.Detail != "" {
		all = append(all, p.TimeBound.Detail)
	}
	for _, text := range all {
		found := said.FindStringSubmatch(text)
		if found == nil {
			return fmt.Errorf("a note or detail is %.80q; it must be one of the sentences that this program writes", text)
		}
		for k, group := range said.SubexpNames() {
			if group == "resource" && found[k] != "" && !known(found[k]) {
				return fmt.Errorf("a detail speaks of %.80q; the cluster has no such resource", found[k])
			}
		}
	}
	const longest = 200
	for _, text := range []string{p.Method, p.Run.Program, p.Run.LAPACK, p.Run.Started} {
		if len(text) > longest || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return fmt.Errorf("provenance has %.80q; method and run are at most %d bytes of printable text", text, longest)
		}
	}
	for name := range p.Settings.Parameters {
		if len(name) > longest || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			return fmt.Errorf("provenance.settings.parameters has %.80q; names are of small letters and _", name)
		}
	}
	return nil
}
