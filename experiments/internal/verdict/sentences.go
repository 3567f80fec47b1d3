package verdict

import (
	"errors"
	"fmt"

	"batopo/experiments/internal/paper"
	"batopo/report"
)

// A Finding is one sentence asked of one subject.
type Finding struct {
	Sentence paper.Sentence
	Subject  Subject
	Result   report.Result
	Shown    string // the numbers that decide
	Note     string
}

// An answer is what a predicate says.
type answer struct {
	holds bool
	open  bool // the numbers do not decide
	shown string
	note  string
}

// A rule decides one sentence for the subjects it can be asked of.
type rule struct {
	subjects []Subject
	decide   func(e *Evidence, who Subject) (answer, error)
}

// accuracyByTime is how a sentence about curves of accuracy is read, which are not available.
const accuracyByTime = "higher accuracy: the set one is reached sooner, by Table II"

// both are the subjects of sentences about results that we have reproduced.
var both = []Subject{Method, Ours}

// rules has one entry per sentence of expected.json; a test holds the two together.
var rules = map[string]rule{
	"table1-half-degree-sum":        {both, halfDegreeSum},
	"table1-equistatic-close":       {[]Subject{Printed}, equiStaticClose},
	"table1-factor-smaller":         {[]Subject{Printed, Method, Ours}, factorSmaller},
	"table1-time-smaller":           {[]Subject{Printed, Method, Ours}, timeSmaller},
	"homogeneous-same-edges":        {both, sameEdges},
	"homogeneous-fastest":           {both, fastestAt32},
	"node-outperforms":              {both, nodeOutperforms},
	"node-16-behind-exponential":    {both, node16BehindExponential},
	"node-16-ahead-of-others":       {both, node16AheadOfOthers},
	"node-16-behind-equistatic":     {both, node16BehindEquiStatic},
	"intra-smaller-error":           {both, intraSmallerError},
	"intra-exponential-on-sys":      {[]Subject{Method}, exponentialOnSYS},
	"inter-smaller-error":           {both, interSmallerError},
	"table2-abstract":               {[]Subject{Printed}, abstractSpeedups},
	"table2-homogeneous-same-edges": {[]Subject{Printed}, trainingSameEdges},
	"table2-homogeneous-fastest":    {[]Subject{Printed}, trainingFastestAt32},
	"table2-ring-ends":              {[]Subject{Printed}, ringEnds},
	"table2-node-all-faster":        {[]Subject{Printed}, allFaster("node-level", "less is asked for, not how significantly")},
	"table2-node-all-better":        {[]Subject{Printed}, allFaster("node-level", accuracyByTime)},
	"table2-intra-all-better":       {[]Subject{Printed}, allFaster("intra-server", accuracyByTime)},
	"table2-inter-all-better":       {[]Subject{Printed}, allFaster("bcube-1to2", accuracyByTime)},
	"ablation-sensitive":            {[]Subject{Method}, sensitive},
	"ablation-warm-start":           {[]Subject{Method}, warmStart},
	"ablation-scales":               {both, scales},
}

// Sentences decides everything the paper says, in its order.
func (e *Evidence) Sentences() ([]Finding, error) {
	var all []Finding
	for _, s := range e.Paper.Sentences() {
		r, known := rules[s.ID]
		if !known {
			return nil, fmt.Errorf("verdict: no rule for sentence %q", s.ID)
		}
		for _, who := range r.subjects {
			f := Finding{Sentence: s, Subject: who}
			a, err := r.decide(e, who)
			var missing errMissing
			switch {
			case errors.As(err, &missing):
				f.Note = err.Error()
			case err != nil:
				return nil, err
			default:
				f.Result, f.Shown, f.Note = report.Fails, a.shown, a.note
				switch {
				case a.open:
					f.Result = report.Open
				case a.holds:
					f.Result = report.Holds
				}
			}
			all = append(all, f)
		}
	}
	return all, nil
}
