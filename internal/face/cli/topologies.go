package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/internal/face/server/work"
	"github.com/batopo/batopo/internal/solve/schedules"
	"github.com/batopo/batopo/mixing"
)

// A known topology has a name and a line about it.
type known struct{ name, about string }

// knownTopologies are the static families, the schedules that need no graph, and the all-reduces.
func knownTopologies() (families, turns, collectives []known) {
	for _, f := range mixing.Families {
		families = append(families, known{f.Name, f.Doc})
	}
	for _, f := range mixing.Schedules {
		if !f.Takes(mixing.ParamBase) {
			turns = append(turns, known{f.Name, f.Doc})
		}
	}
	collectives = append(collectives, known{work.AllReduce, "the quickest of the following"})
	for _, f := range schedules.Collectives {
		collectives = append(collectives, known{f.Name, f.Doc})
	}
	return families, turns, collectives
}

func listed(all []known) string {
	var b strings.Builder
	for _, k := range all {
		fmt.Fprintf(&b, "  %-22s%s\n", k.name, k.about)
	}
	return b.String()
}

func familyNames() (names []string) {
	for _, k := range slices.Concat(knownTopologies()) {
		names = append(names, k.name)
	}
	return names
}

func ruleNames() []string {
	var names []string
	for _, r := range mixing.Rules {
		names = append(names, r.Name)
	}
	return names
}
