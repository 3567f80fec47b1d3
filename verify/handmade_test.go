package verify_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/verify"
)

// Lies that somebody could write with docs/formats.md at hand, each with the hash that belongs to it: none is read, or
// the claim is false, or it is listed as not checked.
func TestLiesByHand(t *testing.T) {
	all := otherKinds(t)
	all["ring"], all["lift"] = familyPlan(t, "ring", 8), liftPlan(t)
	if !testing.Short() {
		for name, p := range advised(t) {
			all[name] = p
		}
	}
	type tree = map[string]any
	in := func(m tree, path ...string) tree {
		for _, key := range path {
			m = m[key].(tree)
		}
		return m
	}
	row := func(m tree, k int) tree { return in(m, "answer")["rows"].([]any)[k].(tree) }
	for _, tc := range []struct {
		plan, want string // what is said: "reads: …" where the file is refused
		lie        func(m tree)
	}{
		{"ring", "reads: sentences that this program writes", func(m tree) {
			in(m, "provenance")["notes"] = []any{"0.50 times the steps of DDP"}
		}},
		{"ring", "reads: sentences that this program writes", func(m tree) {
			in(m, "provenance")["notes"] = []any{"\x1b[2Jfound as swap"}
		}},
		{"ring", "reads: printable text", func(m tree) { in(m, "provenance")["method"] = "ring\x1b]0;owned\a" }},
		{"ring", "reads: names are of small letters", func(m tree) {
			in(m, "provenance", "settings")["parameters"] = tree{"HALF the steps": 1}
		}},
		{"ring", "notes", func(m tree) {
			in(m, "provenance")["notes"] = []any{"optimal: every connected graph within the limits was looked at"}
		}},
		{"ring", "reads: every is 65537", func(m tree) { m["every"] = 65537 }},
		{"ring", "reads: part is 0.9999999999999999", func(m tree) {
			m["rounds"].([]any)[0].(tree)["part"] = 0.9999999999999999
		}},
		{"ring", "reads: the weight 1e+15", func(m tree) {
			m["rounds"].([]any)[0].(tree)["self_weights"].([]any)[0] = 1e15
		}},
		{"ring", "reads: names are not those", func(m tree) {
			m["names"] = []any{"a", "b", "c", "d", "e", "f", "g", "h"}
		}},
		{"lift", "degree limit", func(m tree) { in(m, "question")["max_degree"] = 1 }},
		{"shards", "exact average", func(m tree) {
			steps := in(m, "collective")["steps"].([]any)
			last := steps[len(steps)-1].([]any)
			steps[len(steps)-1] = last[1:]
		}},
		{"shards", "notes", func(m tree) { in(m, "provenance")["notes"] = []any{"exact; 1 steps"} }},
		{"hierarchical", "notes", func(m tree) {
			in(m, "provenance")["notes"] = []any{"9 groups of 9 nodes average exactly inside"}
		}},
		{"local SGD, few bits", "communication_ms", func(m tree) { m["wire"] = "int1" }},
		{"answer: ddp in bf16", "answer.rows[0].iteration_ms", func(m tree) { row(m, 0)["iteration_ms"] = 100.0 }},
		{"answer: ddp in bf16", "answer.rows[1].collective", func(m tree) {
			row(m, 1)["collective"] = tree{"algorithm": "ring", "order": []any{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}}
		}},
		{"answer: ddp in bf16", "answer.rows[1].communication_ms", func(m tree) { row(m, 1)["wire"] = "bf16" }},
		{"answer: local SGD in pieces", "answer.rows[0].relative_steps", func(m tree) { row(m, 0)["relative_steps"] = 1.0 }},
		{"answer: local SGD in pieces", "answer.rows[0].relative_steps", func(m tree) { row(m, 0)["learning_rate"] = 50.0 }},
		{"answer: machines left out", "answer.rows[0].relative_steps", func(m tree) { row(m, 0)["relative_steps"] = 1.5 }},
		{"answer: machines left out", "answer.cluster", func(m tree) {
			in(m, "answer")["cluster"].(tree)["latency_ms"] = 100.0
		}},
		{"answer: machines left out", "answer.cluster", func(m tree) {
			row(m, 0)["nodes"] = []any{5.0, 7.0} // one on the slow side instead
		}},
		{"answer: hook", "answer.rows[0].wire", func(m tree) { row(m, 0)["wire"] = "bf16" }},
		{"answer: gossip", "answer.rows[0].iteration_ms", func(m tree) { row(m, 0)["iteration_ms"] = 299.0 }},
	} {
		honest := all[tc.plan]
		if honest == nil {
			continue // of those that take long
		}
		var m tree
		if err := json.Unmarshal(written(t, honest), &m); err != nil {
			t.Fatal(err)
		}
		tc.lie(m)
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		p := new(design.Plan)
		if json.Unmarshal(text, p) == nil {
			m["hash"] = p.ComputeHash()
			text, _ = json.Marshal(m)
		}
		p, err = design.ReadPlan(tc.plan, bytes.NewReader(text))
		if why, unread := strings.CutPrefix(tc.want, "reads: "); unread {
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %v, want %q", tc.plan, err, why)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s is not read: %v", tc.plan, err)
			continue
		}
		report, err := verify.Check(t.Context(), p)
		if err != nil || report.Err() == nil || !strings.Contains("\n"+report.Err().Error(), "\n"+tc.want) {
			t.Errorf("%s: %v %v, want %s to be false", tc.plan, err, report.Err(), tc.want)
		}
	}
}
