package design_test

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

func TestReadStrict(t *testing.T) {
	type request struct {
		Cluster cluster.Spec `json:"cluster"`
		Seed    uint64       `json:"seed,omitempty"`
	}
	for _, tc := range []struct{ source, says string }{
		{`{"cluster": {"format": "batopo.cluster/v1", "nodes": 4, "bandwidth": [1, 2, 3, 4]}, "seed": 3}`, ""},
		{``, "request:1:1: unexpected end of JSON input"},
		{`{"seed": 3} {}`, "request:1:13: invalid character '{' after top-level value; one JSON object is needed"},
		{`3`, "request:1:1: a JSON object is needed"},
		{`{"Seed": 3}`, `unknown field "Seed" in request; it is spelled "seed"`},
		{`{"cluster": {"nods": 3}}`, `unknown field "nods" in cluster; fields here are assumptions, backend, bandwidth, bcube, `},
		{`{"seed": 3, "seed": 4}`, `field "seed" is given twice in request`},
		{`{"seed": null}`, "seed is null; it must be a whole number"},
		{`{"seed": -3}`, "field seed is -3; it must be a whole number"},
		{"{\"seed\": \"\xff\"}", "byte 0xff is not UTF-8"},
		{`{"cluster": ` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, "levels deep"},
	} {
		var r request
		err := design.ReadStrict("request", []byte(tc.source), &r)
		if tc.says == "" && (err != nil || r.Seed != 3 || r.Cluster.Nodes != 4) {
			t.Errorf("%s: %+v, %v", tc.source, r, err)
		}
		if tc.says != "" && (err == nil || !strings.Contains(err.Error(), tc.says)) {
			t.Errorf("%s: error %v, want %q", tc.source, err, tc.says)
		}
	}
}
