package design

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/ground/limits"
)

// A Collective is an all-reduce over all nodes: along a ring, up and down a tree, or in any steps.
type Collective struct {
	Algorithm CollectiveForm `json:"algorithm"`
	Order     []int          `json:"order,omitempty"`  // ring: every node once, as they follow each other
	Parent    []int          `json:"parent,omitempty"` // tree: of every node; −1 for the root
	Steps     [][]Transfer   `json:"steps,omitempty"`  // steps: what is in flight together
	// Chunks is how many equal chunks the message is cut into; 0 means 1. Each goes through all steps, one step behind the
	// chunk before it. A ring has none: it cuts the message itself.
	Chunks int `json:"chunks,omitempty"`
}

// A CollectiveForm says how a collective is written down. Steps can say anything; the others are short.
type CollectiveForm string

// The forms.
const (
	RingForm  CollectiveForm = "ring"
	TreeForm  CollectiveForm = "tree"
	StepsForm CollectiveForm = "steps"
)

// A Transfer sends the part [Begin, End) of a chunk, which is [0, 1), from one node to another. All transfers of a
// step read what was there before it.
type Transfer struct {
	From  int     `json:"from"`
	To    int     `json:"to"`
	Begin float64 `json:"begin"`
	End   float64 `json:"end"`
	Add   bool    `json:"add"` // the receiver adds it to its own; otherwise it replaces its own
}

// StepsOf writes an algorithm down as steps.
func StepsOf(a *collective.Algorithm) *Collective {
	c := &Collective{Algorithm: StepsForm, Steps: make([][]Transfer, a.Steps)}
	for s := range c.Steps {
		for _, t := range a.At(s) {
			c.Steps[s] = append(c.Steps[s], Transfer(t))
		}
	}
	if a.Chunks > 1 {
		c.Chunks = a.Chunks
	}
	return c
}

// Runs returns the steps of a collective that [Plan.Validate] lets pass, whatever its form.
func (c *Collective) Runs() *collective.Algorithm {
	switch c.Algorithm {
	case RingForm:
		return collective.Ring(c.Order)
	case TreeForm:
		return collective.Trees(c.Parent).InChunks(c.Chunks)
	}
	steps, nodes := make([][]collective.Transfer, len(c.Steps)), 0
	for s, step := range c.Steps {
		for _, t := range step {
			steps[s] = append(steps[s], collective.Transfer(t))
			nodes = max(nodes, t.From+1, t.To+1)
		}
	}
	return collective.Listed("steps", nodes, steps).InChunks(c.Chunks)
}

// CheckExact returns nil where a collective of the plan leaves every node with the average of all, each counted once.
// ReadPlan does not call it, since package verify has to read forged plans too. Call it before a plan from a file is
// used for anything else.
func (p *Plan) CheckExact() error {
	if p.Collective == nil || p.Collective.Algorithm != StepsForm { // the other forms can say nothing else
		return nil
	}
	if err := p.Collective.Runs().Exact(); err != nil {
		return fmt.Errorf("the plan's collective cannot be used as an average of all: %w", err)
	}
	return nil
}

func (c *Collective) check(nodes int) error {
	given := map[CollectiveForm]bool{RingForm: len(c.Order) > 0, TreeForm: len(c.Parent) > 0, StepsForm: len(c.Steps) > 0}
	for form, has := range given {
		if has != (form == c.Algorithm) {
			return fmt.Errorf("collective.algorithm is %q; it must be \"ring\" with an order, \"tree\" with parents "+
				"or \"steps\" with steps, and nothing else", c.Algorithm)
		}
	}
	if c.Chunks < 0 || c.Chunks > limits.Chunks || c.Chunks > 1 && c.Algorithm == RingForm {
		return fmt.Errorf("collective.chunks is %d; it must be 1 to %d, and a ring has none", c.Chunks, limits.Chunks)
	}
	switch c.Algorithm {
	case RingForm:
		return permutation("collective.order", c.Order, nodes)
	case TreeForm:
		return c.checkTree(nodes)
	}
	return c.checkSteps(nodes)
}

// checkSteps refuses transfers that make no sense. Whether they average exactly is not decided here.
func (c *Collective) checkSteps(nodes int) error {
	if len(c.Steps) > limits.CollectiveSteps {
		return fmt.Errorf("collective.steps has %d entries; there may be %d", len(c.Steps), limits.CollectiveSteps)
	}
	talks := make([]bool, nodes)
	for s, step := range c.Steps {
		if len(step) == 0 {
			return fmt.Errorf("collective.steps[%d] is empty; leave it out", s)
		}
		for k, t := range step {
			if min(t.From, t.To) < 0 || max(t.From, t.To) >= nodes || t.From == t.To {
				return fmt.Errorf("collective.steps[%d][%d] goes from %d to %d; nodes are 0 … %d, and differ",
					s, k, t.From, t.To, nodes-1)
			}
			if !(t.Begin >= 0 && t.Begin < t.End && t.End <= 1) {
				return fmt.Errorf("collective.steps[%d][%d] sends the part from %v to %v; parts lie between 0 and 1, "+
					"and end after they begin", s, k, t.Begin, t.End)
			}
			talks[t.From], talks[t.To] = true, true
		}
		if at, ok := ambiguous(step); ok {
			return fmt.Errorf("collective.steps[%d] replaces the part from %v on at node %d, which gets it twice; "+
				"only parts that are added may come together", s, at.Begin, at.To)
		}
	}
	if i := slices.Index(talks, false); i >= 0 {
		return fmt.Errorf("collective.steps leave out node %d", i)
	}
	return nil
}

// ambiguous finds a part that a step replaces and also changes otherwise: what is left would depend on the order.
func ambiguous(step []Transfer) (Transfer, bool) {
	sorted := slices.Clone(step)
	slices.SortFunc(sorted, func(a, b Transfer) int {
		return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.Begin, b.Begin))
	})
	added, replaced := 0.0, 0.0 // how far parts reach at the present receiver
	for k, t := range sorted {
		if k == 0 || sorted[k-1].To != t.To {
			added, replaced = 0, 0
		}
		if t.Begin < replaced || !t.Add && t.Begin < added {
			return t, true
		}
		if t.Add {
			added = max(added, t.End)
		} else {
			replaced = max(replaced, t.End)
		}
	}
	return Transfer{}, false
}

// checkTree follows parents up: a node that does not arrive at the only root is on a cycle.
func (c *Collective) checkTree(nodes int) error {
	if len(c.Parent) != nodes {
		return fmt.Errorf("collective.parent has %d entries for %d nodes", len(c.Parent), nodes)
	}
	roots, waiting := 0, make([]int, nodes) // waiting: children that were not taken off yet
	for i, up := range c.Parent {
		if up < -1 || up >= nodes {
			return fmt.Errorf("collective.parent[%d] is %d; parents are 0 … %d, and −1 above the root", i, up, nodes-1)
		}
		if up < 0 {
			roots++
		} else {
			waiting[up]++
		}
	}
	var leaves []int
	for i, children := range waiting {
		if children == 0 {
			leaves = append(leaves, i)
		}
	}
	for k := 0; k < len(leaves); k++ {
		up := c.Parent[leaves[k]]
		if up < 0 {
			continue
		}
		waiting[up]--
		if waiting[up] == 0 {
			leaves = append(leaves, up)
		}
	}
	if roots != 1 || len(leaves) != nodes {
		return errors.New("collective.parent is no tree: it must lead from every node to the one whose parent is −1")
	}
	depth := make([]int, nodes)
	for k := len(leaves) - 1; k >= 0; k-- { // parents come after their children
		if up := c.Parent[leaves[k]]; up >= 0 {
			depth[leaves[k]] = depth[up] + 1
		}
		if 2*depth[leaves[k]] > limits.CollectiveSteps {
			return fmt.Errorf("collective.parent is a tree of more than %d levels; that many steps are not run",
				limits.CollectiveSteps/2)
		}
	}
	return nil
}
