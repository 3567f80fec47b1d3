package design

import (
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
// the mouth of the program. # is a number, STOP a reason for stopping, RESOURCE the name of one.
const sentences = `never reaches the target: (the error grows from round to round|some nodes cannot agree)
optimal: every connected graph within the limits was looked at
found as (lift #×#|swap|enumeration)
found within # edges; it fits into the budget of #
the limit of # on the smallest eigenvalue is kept without asking for it
left out, because their best weight is 0: # of the # edges
equal weights, or by degree, scaled to their best: # nodes and # edges are too many to find the best weights, ` +
	`and nothing is proved about others
exact; (# chunks through )?# steps
best of # (node orders|divisions into groups)
reaches the target first of all budgets that were tried: #
no weights on these edges reach the target in fewer than # rounds
no certificate for the weights was found
M z = e with # edges of weight 0, which are left out: the plan itself keeps M z ≤ e
# groups of # nodes average exactly inside
every node keeps half of the weight that it would give away
PyTorch shards the model; this is the average of its gradients
drawn with seed #, the first from # on that is connected
method (admm|paper|closed-form|printed), start START, run # of #
ρ from # to # in # iterations \(STOP\), # different supports rounded
warm start: average shortest path #
weights: # iterations \(STOP\), relative residuals # and #
run # stopped before its end
Algorithm 2 as printed, best of # starts( \(START\))?, linear step by (formulas|Bi-CGSTAB with ILU)
ρ #, # steps \(STOP\), ‖X − Y‖² #, start of average shortest path #
the printed rounding broke M z = e or another limit, or left the graph in parts: edges dropped: #, added: #
SCHEDULE|base-#|trees?|two halves|all at once|(pairs|allowed pairs) in turn(, # rounds)?|groups of #( × #)*
ring-all-reduce|halving-doubling|two-tree|shards|leaders|two-level|doubling
# slow nodes in every (second|third|#th) round|# late nodes, # peers
no weights on these edges do better
what a node can have heard of in a number of rounds of whole messages
a whole message has to pass RESOURCE
what has to leave and enter # groups of nodes, over resources at # prices
no graph on # nodes does better, not even the complete one
ALLOWED: RESOURCE lets at most # edges join # nodes to the other #, and no weight can be large
ALLOWED: the entries of W² sum to 1 in each row and lie within two steps, which makes tr\(W⁴ − ρ²W²\) too ` +
	`large for a smaller value whatever the degrees and weights are
ALLOWED: some node has at most # neighbours? and reaches at most # nodes, itself included, within distance #
ALLOWED: the graph is a (tree, and no tree is better than the star|ring or a path, and equal weights on the ring ` +
	`are best)
ALLOWED: the closed walks of up to # steps that retrace their edges make tr f\(W\) too large for a smaller value ` +
	`whatever the degrees and the weights, not negative, are
ALLOWED: at most # edges? joins? # nodes(, # of # groups,)? to the other #, and what is inside either part has to ` +
	`pass their ends`

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
	).Replace(sentences)
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
