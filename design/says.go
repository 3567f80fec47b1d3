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
// the mouth of the program. # is a number, STOP a reason for stopping, RESOURCE the name of one, SCHEDULE of a schedule.
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

// A statement is a text in a plan, and where it stands.
type statement struct{ field, text string }

// statements are all texts of a plan that are sentences.
func (p *Plan) statements() (all []statement) {
	for k, note := range p.Notes {
		all = append(all, statement{fmt.Sprintf("provenance.notes[%d]", k), note})
	}
	for k, b := range []*Bound{p.Bound, p.DegreeBound} {
		if b != nil && b.Detail != "" {
			all = append(all, statement{[]string{"bound.detail", "degree_bound.detail"}[k], b.Detail})
		}
	}
	if b := p.TimeBound; b != nil && b.Detail != "" {
		all = append(all, statement{"time_bound.detail", b.Detail})
	}
	return all
}

// checkSentences refuses what this program does not say: a file may not put words into its mouth.
func (p *Plan) checkSentences(c *cluster.Cluster) error {
	known := func(name string) bool {
		return slices.ContainsFunc(c.Resources(), func(r cluster.Resource) bool { return r.Name == name })
	}
	for _, s := range p.statements() {
		found := said().FindStringSubmatch(s.text)
		if found == nil {
			return fmt.Errorf("%s is %.80q; it must be one of the sentences that this program writes", s.field, s.text)
		}
		for k, group := range said().SubexpNames() {
			if group == "resource" && found[k] != "" && !known(found[k]) {
				return fmt.Errorf("%s speaks of %.80q; the cluster has no such resource", s.field, found[k])
			}
		}
	}
	const longest = 200
	for _, s := range []statement{{"method", p.Method}, {"run.program", p.Run.Program}, {"run.lapack", p.Run.LAPACK},
		{"run.started", p.Run.Started}} {
		if len(s.text) > longest || strings.ContainsFunc(s.text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return fmt.Errorf("provenance.%s is %.80q; it must be at most %d bytes of printable text", s.field, s.text, longest)
		}
	}
	for name := range p.Settings.Parameters {
		if len(name) > longest || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			return fmt.Errorf("provenance.settings.parameters has %.80q; names are of small letters and _", name)
		}
	}
	return nil
}
