package advise

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
)

// Graphs of two budgets may have as many edges; a table and the recommendation tell them apart by name.
func TestNoTwoCandidatesHaveTheSameName(t *testing.T) {
	l := &list{}
	for _, hash := range []string{"a", "b", "b", "c"} {
		l.add(staticLabel(13), &process{kind: Static, plan: &design.Plan{Hash: hash}}, nil)
	}
	want := []string{"static graph, 13 edges", "static graph, 13 edges (2)", "static graph, 13 edges (3)"}
	if len(l.processes) != len(want) {
		t.Fatalf("%d processes; want %d", len(l.processes), len(want))
	}
	for k, p := range l.processes {
		if p.name != want[k] || p.text != "a static graph of 13 edges" {
			t.Errorf("number %d is called %q and %q; want %q", k, p.name, p.text, want[k])
		}
	}
}

// Whatever a schedule is called, a sentence calls it one once.
func TestAScheduleIsCalledOneOnce(t *testing.T) {
	for _, as := range []label{forms[0].label, familyLabel("base", false), turnsLabel(4), turnsLabel(4).lazily()} {
		if strings.Count(as.text, "schedule") != 1 {
			t.Errorf("%s: %q", as.name, as.text)
		}
	}
}
