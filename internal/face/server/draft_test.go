package server_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/face/server/work"
)

// The feed of a search for one budget has its best graph so far, with every method.
func TestSearchShowsItsGraph(t *testing.T) {
	at := begin(t, options(t))
	const hardware = `{"format":"batopo.cluster/v1","nodes":10,"bandwidth":9.76}`
	for name, question := range map[string]string{
		"portfolio": `"evaluations":20000`, "paper's method": `"method":"admm"`,
	} {
		_, stream := finish(t, at, start(t, at, "optimize", `{"cluster":`+hardware+`,"max_edges":17,`+question+`}`))
		_, after, found := strings.Cut(stream, "event: draft\ndata: ")
		if !found {
			t.Fatalf("%s: no graph in\n%.500s", name, stream)
		}
		line, _, _ := strings.Cut(after, "\n")
		d := decode[work.Draft](t, []byte(line))
		if d.Graph == nil || len(d.Graph.Rounds[0].Edges) != d.Edges || d.Edges > 17 || !(d.RAsym > 0 && d.RAsym < 1) ||
			d.Graph.Rounds[0].Edges[0].GBs <= 0 || len(d.Graph.Rounds[0].Self) != 10 {
			t.Errorf("%s: the graph is %.500s", name, line)
		}
	}
}

// A search of few nodes ends at once; who watches sees its last and best graph all the same.
func TestSearchOfFewNodesShowsItsGraph(t *testing.T) {
	at := begin(t, options(t))
	for _, ask := range []struct{ nodes, edges int }{{2, 1}, {3, 3}, {4, 4}, {6, 9}, {8, 12}} {
		job := start(t, at, "optimize", fmt.Sprintf(
			`{"cluster":{"format":"batopo.cluster/v1","nodes":%d,"bandwidth":9.76},"max_edges":%d}`, ask.nodes, ask.edges))
		job, stream := finish(t, at, job)
		k := strings.LastIndex(stream, "event: draft\ndata: ")
		if k < 0 {
			t.Errorf("%v: no graph in\n%.500s", ask, stream)
			continue
		}
		line, _, _ := strings.Cut(stream[k+len("event: draft\ndata: "):], "\n")
		d := decode[work.Draft](t, []byte(line))
		plan := result[work.PlanAnswer](t, at, job).Plan
		if d.Graph == nil || d.RAsym > plan.RAsym+1e-9 {
			t.Errorf("%v: the last graph leaves %v per round, the plan %v", ask, d.RAsym, plan.RAsym)
		}
	}
}
