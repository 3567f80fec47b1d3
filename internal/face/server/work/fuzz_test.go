package work_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/batopo/batopo/internal/face/server/work"
)

// few keeps a fuzzed request from describing more than a moment's work.
var few = work.Limits{Nodes: 12, Evaluations: 100, Iterations: 10}

// FuzzCheck sends what becomes of requests to every kind of job. A title or a complaint comes back, and no panic.
func FuzzCheck(f *testing.F) {
	const machines = `"cluster":{"format":"batopo.cluster/v1","nodes":4,"bandwidth":9.76}`
	plan, err := os.ReadFile("../../../../design/testdata/static.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, request := range []string{
		`{` + machines + `,"max_edges":4,"max_degree":3,"method":"swap","seed":2,"evaluations":50}`,
		`{` + machines + `,"purpose":"training","objective":"rate","min_eigenvalue":-0.5,"skew":0.3,"negative_weights":true}`,
		`{` + machines + `,"baselines":["ring"],"iterations":5,"batch":4,"rate":0.1,"target":0.5,"test_every":2}`,
		`{"plans":[{"name":"a","plan":` + string(plan) + `}],"trials":3,"max_rounds":9,"target_error":0.1}`,
	} {
		for k := range work.Kinds {
			f.Add(uint8(k), []byte(request))
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, request []byte) {
		title, err := work.Check(work.Kinds[int(kind)%len(work.Kinds)].Name, request, few)
		if (title == "") != (err != nil) {
			t.Errorf("the title is %q, the error %v", title, err)
		}
	})
}

// FuzzImport finds out the format of what becomes of files that programs wrote. A cluster within the limits comes back,
// or a complaint.
func FuzzImport(f *testing.F) {
	files, err := filepath.Glob("../../../../format/importer/testdata/*.[cgjtxy]*")
	if err != nil || len(files) == 0 {
		f.Fatal("no files to begin with", err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(b) < 8<<10 {
			f.Add(b, uint8(len(b)%3))
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, servers uint8) {
		a, err := work.Import(work.AutoFormat, file, int(servers%4), few)
		if err == nil && (a.Nodes < 2 || a.Nodes > few.Nodes) {
			t.Errorf("a cluster of %d nodes", a.Nodes)
		}
	})
}
