package cli

import (
	"fmt"
	"strings"

	"github.com/batopo/batopo/internal/face/server/work"
	"github.com/batopo/batopo/internal/solve/schedules"
	"github.com/batopo/batopo/mixing"
)

func listFamilies() string {
	var b strings.Builder
	for _, f := range mixing.Families {
		fmt.Fprintf(&b, "  %-22s%s\n", f.Name, f.Doc)
	}
	return b.String()
}

func listSchedules() string {
	var b strings.Builder
	for _, f := range mixing.Schedules {
		if !f.Takes(mixing.ParamBase) {
			fmt.Fprintf(&b, "  %-22s%s\n", f.Name, f.Doc)
		}
	}
	return b.String()
}

func listCollectives() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-22s%s\n", work.AllReduce, "the quickest of the following")
	for _, f := range schedules.Collectives {
		fmt.Fprintf(&b, "  %-22s%s\n", f.Name, f.Doc)
	}
	return b.String()
}

func familyNames() []string {
	var names []string
	for _, f := range mixing.Families {
		names = append(names, f.Name)
	}
	for _, f := range mixing.Schedules {
		if !f.Takes(mixing.ParamBase) {
			names = append(names, f.Name)
		}
	}
	names = append(names, work.AllReduce)
	for _, f := range schedules.Collectives {
		names = append(names, f.Name)
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
