package present

import (
	"slices"
	"strings"

	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// A role is what the best plan of a sweep is called: the answer, or beside an advice, whose plan may be any other, the
// static graph that was searched for.
type role struct {
	head    string // begins its sentence
	choice  string // begins how it was ranked
	it      string // in comparisons
	row     string // names it among its baselines
	note    string // marks it among the budgets
	against string // is the title of its race against the baselines
	advised bool
}

var (
	theAnswer = role{
		head: "Recommended", choice: "The choice is", it: "the plan", row: "this plan", note: "recommended",
		against: "The plan against the baselines",
	}
	theSearched = role{
		head: "The static graph of the search", choice: "Of the graphs searched for it is the first,", it: "it",
		row: "static graph of the search", note: "static graph of the search",
		against: "The static graph of the search against the baselines", advised: true,
	}
)

// roleBeside is the role beside an advice, or without one, which is nil then.
func roleBeside(a *advise.Advice) role {
	if a == nil {
		return theAnswer
	}
	return theSearched
}

// baselines are those of a sweep; one is made of the sweep's own graph, and its name says so.
func (r role) baselines(s *sweep.Sweep) []sweep.Row {
	rows := slices.Clone(s.Baselines)
	for k := range rows {
		if r.advised {
			rows[k].Name = strings.Replace(rows[k].Name, "this plan's", "the static graph's", 1)
		}
	}
	return rows
}
