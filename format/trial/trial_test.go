package trial_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/batopo/batopo/format/trial"
)

// real is what batopo.trial wrote on eight namespaces, four with 60 Mbit/s and four with 20 (python/net/tried.py).
const real = "testdata/nodes-3to1.json"

func source(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile(real)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestReadsWhatPythonWrote(t *testing.T) {
	got, err := trial.ReadFile(real)
	if err != nil {
		t.Fatal(err)
	}
	if got.Ranks != 8 || got.Backend != "gloo" || len(got.Ways) != 6 || len(got.ReadPlans()) != 3 || got.GradientMB != 2 {
		t.Errorf("%d ranks over %s, %d ways, %d plans, %v MB", got.Ranks, got.Backend, len(got.Ways),
			len(got.ReadPlans()), got.GradientMB)
	}
	for _, w := range got.Ways[3:] {
		if p, ok := got.PlanOf(w); !ok || p.Every != w.Every {
			t.Errorf("%s: its plan is not in the file", w.Name)
		}
	}
	if !trial.Is(source(t)) || trial.Is([]byte(`{"format": "batopo.plan/v4"}`)) || trial.Is([]byte("x")) {
		t.Error("what is a trial is not known")
	}
}

// What comes from elsewhere is refused before it is used, in words that say where and what to do.
func TestForgedFilesAreRefused(t *testing.T) {
	way := func(k int, key string, value any) func(m map[string]any) {
		return func(m map[string]any) { m["ways"].([]any)[k].(map[string]any)[key] = value }
	}
	top := func(key string, value any) func(m map[string]any) {
		return func(m map[string]any) { m[key] = value }
	}
	for _, tc := range []struct {
		name  string
		forge func(m map[string]any)
		want  string
	}{
		{"another version", top("format", "batopo.trial/v9"), `format is "batopo.trial/v9"`},
		{"unknown key", top("speed", 1), `unknown field "speed"`},
		{"one rank", top("ranks", 1), "ranks is 1"},
		{"too many ranks", top("ranks", 1<<30), "ranks is 1073741824"},
		{"backend", top("backend", "mpi\x1b[2J"), "backend is"},
		{"no time", top("seconds", 0), "seconds is 0"},
		{"no gradient", top("gradient_mb", -1), "gradient_mb -1"},
		{"compute times of others", top("compute_ms", []any{1.0}), "compute_ms has 1 entries for 8 ranks"},
		{"compute time", top("compute_ms", []any{1, 1, 1, 1, 1, 1, 1, 0}), "times must be above 0"},
		{"no ways", top("ways", []any{}), "0 ways"},
		{"digest", top("digest", "x"), "digest is"},
		{"plans of others", func(m map[string]any) { m["ranks"], m["compute_ms"] = 7, []any{} }, "plans[0] is for 8 nodes"},
		{"no plan", top("plans", []any{map[string]any{"format": "x"}}), "plans[0]"},
		{"name", way(1, "name", "DDP\x1b[2J"), "ways[1]: name is"},
		{"the same name", way(1, "name", "no exchange"), `is called "no exchange" too`},
		{"kind", way(1, "kind", "nothing"), `ways[1]: kind is "nothing"`},
		{"plan of DDP", way(1, "plan", strings.Repeat("a", 64)), "plan must be the hash"},
		{"no plan of a plan", way(3, "plan", nil), "plan must be the hash"},
		{"every", way(3, "every", 0), "every is 0"},
		{"prediction", way(3, "predicted_ms", -5), "predicted_ms is -5"},
		{"no blocks", way(1, "blocks_ms", []any{}), "0 blocks"},
		{"a negative block", way(1, "blocks_ms", []any{-1}), "times must be above 0"},
		{"a long error", way(1, "error", strings.Repeat("x", 1<<16)), "a note or error has 65536 bytes"},
		{"no all-reduce", way(5, "kind", "ddp-hook"), "DistributedDataParallel runs no plan but"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var m map[string]any
			if err := json.Unmarshal(source(t), &m); err != nil {
				t.Fatal(err)
			}
			tc.forge(m)
			b, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			_, err = trial.Read("trial.json", bytes.NewReader(b))
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.ContainsRune(err.Error(), 0x1b) {
				t.Errorf("error is\n  %v\nwant it to contain\n  %s", err, tc.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(source(f))
	f.Add([]byte(`{"format": "batopo.trial/v1", "ranks": 2, "ways": [{"kind": "ddp-hook"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, err := trial.Read("trial.json", bytes.NewReader(b)); err == nil {
			if err := got.Validate(); err != nil {
				t.Errorf("read, and then refused: %v", err)
			}
		}
	})
}
