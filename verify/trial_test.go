package verify_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/batopo/batopo/format/trial"
	"github.com/batopo/batopo/verify"
)

// forgedTrial is a real trial, changed.
func forgedTrial(t *testing.T, name string, forge func(m map[string]any)) *trial.Trial {
	t.Helper()
	b, err := os.ReadFile("../format/trial/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	forge(m)
	if b, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	got, err := trial.Read("trial.json", bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestRealTrialsHold(t *testing.T) {
	for _, name := range []string{"nodes-3to1.json", "two-sites.json"} {
		found, err := verify.CheckTrial(t.Context(), forgedTrial(t, name, func(map[string]any) {}))
		if err != nil || found.Err() != nil {
			t.Fatal(name, err, found.Err())
		}
		ok := 0
		for _, f := range found {
			if f.Status == verify.OK {
				ok++
			}
		}
		if ok < 50 {
			t.Errorf("%s: %d claims were checked; the ways and their plans have more", name, ok)
		}
	}
}

// Trials state what was measured; predictions are of older versions, and nothing is made of them.
func TestTrialsNeedNoPredictions(t *testing.T) {
	for _, said := range []any{nil, 111.0} {
		found, err := verify.CheckTrial(t.Context(), forgedTrial(t, "nodes-3to1.json", func(m map[string]any) {
			for _, way := range m["ways"].([]any) {
				way.(map[string]any)["predicted_ms"] = said
			}
		}))
		if err != nil || found.Err() != nil {
			t.Error(said, err, found.Err())
		}
		for _, f := range found {
			if strings.HasSuffix(f.Claim, "predicted_ms") && (said == nil || f.Status != verify.Unproved) {
				t.Errorf("%v: %+v", said, f)
			}
		}
	}
}

func TestForgedTrialsAreFound(t *testing.T) {
	way := func(k int, key string, value any) func(m map[string]any) {
		return func(m map[string]any) { m["ways"].([]any)[k].(map[string]any)[key] = value }
	}
	plan := func(part, key string, value any) func(m map[string]any) {
		return func(m map[string]any) {
			p := m["plans"].([]any)[0].(map[string]any)
			if part != "" {
				p = p[part].(map[string]any)
			}
			p[key] = value
		}
	}
	for _, tc := range []struct {
		name  string
		forge func(m map[string]any)
		want  string
	}{
		{"a faster median", way(1, "measured_ms", 700.0), "ways[1]: measured_ms"},
		{"p10 above p90", way(1, "p10_ms", 1e6), "ways[1]: p10_ms and p90_ms"},
		{"p90 below all blocks", way(1, "p90_ms", 1.0), "ways[1]: p10_ms and p90_ms"},
		{"another interval", way(3, "every", 4), "ways[3]: every"},
		{"DDP the fastest", func(m map[string]any) { m["fastest"] = "DDP" }, "fastest"},
		{"none the fastest", func(m map[string]any) { m["fastest"] = nil }, "fastest"},
		{"in a second", func(m map[string]any) { m["seconds"] = 1.0 }, "seconds"},
		{"more iterations than time", way(1, "iterations", 1000), "seconds"},
		{"another plan under the hash", plan("", "every", 8), "plans[0]: hash"},
		{"ten times the compute time", func(m map[string]any) {
			for i, ms := range m["compute_ms"].([]any) {
				m["compute_ms"].([]any)[i] = 10 * ms.(float64)
			}
		}, "compute_ms"},
		{"DDP a hundred times slower", func(m map[string]any) {
			w := m["ways"].([]any)[1].(map[string]any)
			for _, key := range []string{"measured_ms", "p10_ms", "p90_ms"} {
				w[key] = 100 * w[key].(float64)
			}
			for i, ms := range w["blocks_ms"].([]any) {
				w["blocks_ms"].([]any)[i] = 100 * ms.(float64)
			}
		}, "seconds"},
		{"a claim of a plan", plan("claims", "communication_ms", 1.0), "plans[0]: communication_ms"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found, err := verify.CheckTrial(t.Context(), forgedTrial(t, "nodes-3to1.json", tc.forge))
			if err != nil {
				t.Fatal(err)
			}
			if err := found.Err(); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("found %v, want %s to be false", err, tc.want)
			}
		})
	}
}

// What nothing in the file contradicts is named, with what looks odd about it.
func TestATrialSaysWhatIsNotChecked(t *testing.T) {
	found, err := verify.CheckTrial(t.Context(), forgedTrial(t, "two-sites.json", func(m map[string]any) {
		m["gradient_mb"] = 20.0
		m["ways"].([]any)[4].(map[string]any)["name"] = "another name"
	}))
	if err != nil || found.Err() != nil {
		t.Fatal(err, found.Err())
	}
	for _, f := range found {
		if strings.HasPrefix(f.Claim, "unchanged, gradient_mb, ways: names") && f.Status == verify.Unproved &&
			strings.Contains(f.Detail, "gradient_mb is 20, plans[0] is for 2") {
			return
		}
	}
	t.Errorf("nothing is said of gradients ten times as large: %v", found)
}
