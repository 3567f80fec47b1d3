package server_test

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/server/work"
)

// Whoever watches a search for one budget sees its best graph so far, whatever the method.
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
