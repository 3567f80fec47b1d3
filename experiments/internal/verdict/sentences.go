package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/experiments/internal/paper"
)

// A Finding is one sentence asked of one subject.
type Finding struct {
	Sentence paper.Sentence
	Subject  Subject
	Result   Result
	Shown    string // the numbers that decide
	Note     string
}

// rules are the ways to decide a sentence, by the name that its reading gives. A rule returns what it found and the
// numbers that show it, and may add to the note.
var rules = map[string]func(*question) (Result, string){
	"generally smaller":              generallySmaller,
	"faster":                         faster,
	"annealed against random starts": warmStart,
	"facts":                          compareFacts,
	"argument":                       byArgument,
}

// A question is one sentence asked of one subject, on the way to its finding.
type question struct {
	*paper.Paper
	paper.Reading
	facts   Facts
	who     Subject
	missing string // a fact that was looked for and is not there
}

// decide adds what follows from the rows.
func (e *Evidence) decide() error {
	for k := range e.Paper.Table1.Nodes {
		e.addSize(k)
	}
	for _, t := range e.Paper.Table2 {
		e.Facts.addTraining(t)
	}
	for _, s := range e.Paper.Speedups {
		e.Facts["speed-ups/"+s.Scenario+"/"+s.Dataset] = e.Paper.Quotient(s)
	}
	for _, s := range e.Paper.Sentences {
		rule, known := rules[s.Reading.Rule]
		if !known {
			return fmt.Errorf("paper.json: sentence %s has the rule %q, which does not exist", s.ID, s.Reading.Rule)
		}
		for _, id := range s.Of {
			k := slices.IndexFunc(Subjects, func(who Subject) bool { return who.ID == id })
			if k < 0 {
				return fmt.Errorf("paper.json: sentence %s is asked of %q, which does not exist", s.ID, id)
			}
			q := &question{Paper: e.Paper, Reading: s.Reading, facts: e.Facts, who: Subjects[k]}
			f := Finding{Sentence: s, Subject: q.who}
			f.Result, f.Shown = rule(q)
			f.Note = q.Note
			if q.missing != "" {
				f.Result, f.Shown, f.Note = Open, "", strings.TrimPrefix(q.Note+"; no row has "+q.missing, "; ")
			}
			e.Findings = append(e.Findings, f)
			e.Facts[s.ID+"/"+id] = f.Result.String()
		}
	}
	return nil
}

// number returns a fact. Where it is missing, the sentence stays open whatever the rule finds.
func (q *question) number(name string, arguments ...any) float64 {
	value, ok := q.facts.Number(name, arguments...)
	if !ok {
		q.missing = fmt.Sprintf(name, arguments...)
	}
	return value
}

// list returns a list of numbers, with the same consequence.
func (q *question) list(name string, arguments ...any) []float64 {
	name = fmt.Sprintf(name, arguments...)
	list, ok := q.facts[name].([]float64)
	if !ok {
		q.missing = name
	}
	return list
}

func holds(ok bool) Result {
	if ok {
		return Holds
	}
	return Fails
}
