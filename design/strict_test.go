package design_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/limits"
)

// A plan means the same to every reader, and what is wrong with a file is said with its place and what would be right.
func TestAmbiguousAndForeignFilesAreRefused(t *testing.T) {
	var good bytes.Buffer
	if err := familyPlan(t, "ring", 4).Write(&good); err != nil {
		t.Fatal(err)
	}
	with := func(from, to string) string {
		if !strings.Contains(good.String(), from) {
			t.Fatalf("the plan has no %q", from)
		}
		return strings.Replace(good.String(), from, to, 1)
	}
	for _, tc := range []struct{ name, text, want string }{
		{"other case", with(`"r_asym"`, `"R_asym"`), `unknown field "R_asym" in claims; it is spelled "r_asym"`},
		{"both cases", with(`"r_asym"`, `"r_asym": 0.1, "R_asym"`),
			`unknown field "R_asym" in claims; it is spelled "r_asym"`},
		{"twice", with(`"r_asym"`, `"r_asym": 0.1, "r_asym"`), `field "r_asym" is given twice in claims`},
		{"twice, escaped", with(`"r_asym"`, `"r_asym": 0.1, "\u0072_asym"`), `field "r_asym" is given twice in claims`},
		{"twice in an edge", with(`"weight"`, `"weight": 0.25, "weight"`),
			`field "weight" is given twice in rounds[0].edges[0]`},
		{"twice in parameters", with(`"settings": {}`, `"settings": {"parameters": {"rho": 1, "rho": 2}}`),
			`field "rho" is given twice in provenance.settings.parameters`},
		{"other case, deep", with(`"bandwidth"`, `"Bandwidth"`),
			`unknown field "Bandwidth" in question.cluster; it is spelled "bandwidth"`},
		{"null", with(`"r_asym": 0.333`, `"r_asym": null, "notes": ["`+"a"+`"], "x": 0.333`),
			"r_asym is null; it must be a number"},
		{"a 0 for left out", with(`"bandwidth": 9.76`, `"resources": [{"name": "hub", "gb_s": 1, "max_edges": 0}]`),
			"question.cluster.resources[0].max_edges is 0; it must be more, or left out, which means no cap"},
		{"a 0 in a link", with(`"bandwidth": 9.76`, `"tree": {"nodes": 4, "nics": {"gb_s": 1, "max_edges": -0 }}`),
			"question.cluster.tree.nics.max_edges is 0; it must be more, or left out, which means no cap"},
		{"a 0 for nodes", with(`"format": "batopo.cluster/v1",
      "nodes": 4`, `"format": "batopo.cluster/v1", "nodes": 0`), "question.cluster.nodes is 0; it must be between 2 and 131072"},
		{"null list element", with(`"i": 0`, `"i": null`), "edges[0].i is null; it must be a whole number"},
		{"object behind", good.String() + `{"r_asym": 0.1}`, "something follows the plan"},
		{"comma behind", good.String() + `,`, "something follows the plan"},
		{"a list", "[" + good.String() + "]", "plan.json:1:1: a plan is a JSON object"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "is UTF-16 text; save it as UTF-8"},
		{"UTF-16 without mark", "{\x00}\x00", "is UTF-16 text; save it as UTF-8"},
		{"Latin-1", with(`"method": ""`, "\"method\": \"Z\xfcrich\""), "byte 0xfc is not UTF-8"},
		{"too large a number", with(`"compute_ms": 15.21`, `"compute_ms": 1e400`),
			"field claims.compute_ms is 1e400; it must be between -1.7e308 and 1.7e308"},
		{"too large a count", with(`"seed": 0`, `"seed": 1e30`),
			"field provenance.seed is 1e30; it must be a whole number between 0 and"},
		{"part of a node", with(`"nodes": 4`, `"nodes": 4.5`), "field nodes is 4.5; it must be a whole number"},
		{"deep", with(`"settings": {}`, `"settings": {"parameters": `+strings.Repeat(`{"a":`, 40)+"1"+strings.Repeat("}",
			40)+`}`), "levels deep"},
		{"no format", "{}", `plan.json: has no format; a plan begins with "format": "batopo.plan/v4"`},
		{"unknown stop", with(`"constructed"`, `"optimal"`), `stop is "optimal"; it must be one of ["constructed"`},
		{"unknown objective", with(`"purpose"`, `"objective": "best", "purpose"`), `objective is "best"`},
		{"negative limit", with(`"purpose"`, `"max_edges": -1, "purpose"`), "max_edges is -1"},
		{"edge out of range", with(`"j": 1`, `"j": 4`), "edges[0] joins 0 and 4; nodes are 0 … 3"},
		{"too many nodes", with(`"nodes": 4`, `"nodes": 1000000000`), "nodes is 1000000000; a plan has between 2 and 131072"},
		{"another cluster", strings.Replace(good.String(), `"nodes": 4,`, `"nodes": 5,`, 2),
			"self_weights has 4 entries for 5 nodes"},
		{"names of another cluster", with(`"nodes": 4,`, `"nodes": 4, "names": ["a", "b", "c", "d"],`),
			"names are not those of question.cluster.names"},
		{"cluster of another size", with("\"batopo.cluster/v1\",\n      \"nodes\": 4",
			"\"batopo.cluster/v1\",\n      \"nodes\": 6"), "nodes is 4, but the cluster has 6"},
		{"bad cluster", with(`"bandwidth": 9.76`, `"bandwidth": -1`), "bandwidth"},
		{"lift of another size", with(`"max_degree": 2`, `"lift": {"orbits": 2, "size": 3, "arcs": []}, "max_degree": 2`),
			"2 orbits of size 3 are not the 4 nodes"},
		{"lift that overflows", with(`"max_degree": 2`,
			`"lift": {"orbits": 4294967296, "size": 4294967297, "arcs": []}, "max_degree": 2`), "are not the 4 nodes"},
		{"negative shift", with(`"max_degree": 2`,
			`"lift": {"orbits": 1, "size": 4, "arcs": [{"a": 0, "b": 0, "s": -1}]}, "max_degree": 2`),
			"lift.arcs[0].s is -1; shifts are 0 … 3"},
		{"arc out of range", with(`"max_degree": 2`,
			`"lift": {"orbits": 1, "size": 4, "arcs": [{"a": 0, "b": 1, "s": 1}]}, "max_degree": 2`), "orbits 0 and 1"},
		{"certificate that overflows", with(`"max_degree": 2`,
			`"weights_bound": {"r_asym": 0, "certificate": {"setting": "nonnegative", "orbits": 4294967296, `+
				`"size": 4294967297, "upper": [], "lower": []}}, "max_degree": 2`), "are not the 4 nodes"},
		{"too many edges", with(`"edges": [`, `"edges": [`+strings.Repeat("{},", limits.Edges+1)), "more than 1048576 edges"},
		{"too much memory", with(`"max_degree": 2`, `"weights_bound": {"certificate": {"upper": [`+strings.Repeat("{},",
			7<<20)+`{}]}}, "max_degree": 2`), "MiB, the most that a plan may take"},
		{"too large a file", good.String() + strings.Repeat(" ", limits.PlanBytes), "larger than 64 MiB"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := design.ReadPlan("plan.json", strings.NewReader(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is\n  %v\nwant it to contain\n  %s", err, tc.want)
			}
		})
	}
}
