package server_test

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/face/server/work"
)

// A checker holds values against the schemas of the description.
type checker map[string]any

// check returns everything in which a value differs from its schema: the part of JSON Schema that the description uses.
func (c checker) check(at string, schema map[string]any, value any) []string {
	if name, ok := schema["$ref"].(string); ok {
		next, ok := c[strings.TrimPrefix(name, "#/components/schemas/")].(map[string]any)
		if !ok {
			return []string{at + " refers to " + name}
		}
		return c.check(at, next, value)
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if some, ok := schema[word].([]any); ok {
			var wrong []string
			for _, s := range some {
				bad := c.check(at, s.(map[string]any), value)
				if len(bad) == 0 {
					return nil
				}
				wrong = append(wrong, bad...)
			}
			return wrong
		}
	}
	kind, ok := schema["type"].(string)
	if !ok {
		return nil // anything
	}
	if !isA(kind, value) {
		return []string{fmt.Sprintf("%s is %.40v, not %s", at, value, kind)}
	}
	var wrong []string
	if list, ok := value.([]any); ok {
		items, _ := schema["items"].(map[string]any)
		for k, item := range list {
			wrong = append(wrong, c.check(fmt.Sprintf("%s[%d]", at, k), items, item)...)
		}
	}
	if fields, ok := value.(map[string]any); ok {
		wrong = append(wrong, c.fields(at, schema, fields)...)
	}
	return wrong
}

// fields checks an object with known fields.
func (c checker) fields(at string, schema, fields map[string]any) (wrong []string) {
	properties, closed := schema["properties"].(map[string]any)
	if !closed {
		return nil
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := fields[name.(string)]; !ok {
			wrong = append(wrong, fmt.Sprintf("%s has no %s", at, name))
		}
	}
	for name, value := range fields {
		property, known := properties[name].(map[string]any)
		if !known {
			wrong = append(wrong, fmt.Sprintf("%s has %s, which is not described", at, name))
			continue
		}
		wrong = append(wrong, c.check(at+"."+name, property, value)...)
	}
	return wrong
}

func isA(kind string, value any) bool {
	switch v := value.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case float64:
		return kind == "number" || kind == "integer" && v == math.Trunc(v)
	case []any:
		return kind == "array"
	}
	return kind == "object"
}

// described is the description of the API as its readers have it.
type described struct {
	Paths map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]struct{ Schema map[string]any }
		}
	}
	Components struct{ Schemas checker }
}

func (d described) answer(method, path string, status int) map[string]any {
	return d.Paths[path][strings.ToLower(method)].Responses[fmt.Sprint(status)].Content["application/json"].Schema
}

// Every JSON answer that the server really gives fits its description: of every route, of errors, and of the results of
// every kind of job, with and without a static graph.
func TestRealAnswersFitTheDescription(t *testing.T) {
	at := begin(t, options(t))
	_, b := call(t, "GET", at+"/api/openapi.json", "")
	d := decode[described](t, b)
	fits := func(what string, schema map[string]any, body []byte) {
		t.Helper()
		if wrong := d.Components.Schemas.check("answer", schema, decode[any](t, body)); schema == nil || len(wrong) > 0 {
			t.Errorf("%s: schema %v: %s", what, schema, strings.Join(wrong[:min(len(wrong), 5)], "; "))
		}
	}
	seen := map[string]bool{"DELETE /api/jobs/{id}": true, "GET /api/jobs/{id}/events": true} // which answer no JSON
	try := func(method, path, id, query, body string, status int) []byte {
		t.Helper()
		got, b := call(t, method, at+strings.ReplaceAll(path, "{id}", id)+query, body)
		if got != status {
			t.Fatalf("%s %s: status %d, %s", method, path, got, b)
		}
		seen[method+" "+path] = true
		fits(method+" "+path, d.answer(method, path, status), b)
		return b
	}
	for _, path := range []string{"/api/info", "/api/openapi.json", "/api/examples", "/api/jobs"} {
		try("GET", path, "", "", "", 200)
	}
	const hardware = `{"format":"batopo.cluster/v1","nodes":5,"bandwidth":9.76}`
	try("POST", "/api/clusters/describe", "", "", `{"cluster":`+hardware+`}`, 200)
	try("POST", "/api/clusters/import", "", "?format=auto", "format: batopo.cluster/v1\nnodes: 4\nbandwidth: 2\n", 200)
	plans := `"plans":[{"name":"mine","plan":` + ringOf(t, 5) + `}]`
	bodies := map[string][]string{
		"plan": {`{"evaluations":100,"cluster":` + hardware + `}`, `{"static":true,"evaluations":100,"cluster":` + hardware + `}`,
			`{"evaluations":100,` + oneLine + `}`},
		"optimize": {`{"max_edges":6,"cluster":` + hardware + `}`},
		"compare":  {`{"cluster":` + hardware + `,` + plans + `}`},
		"simulate": {`{` + plans + `}`},
		"train":    {`{"iterations":5,"baselines":["ring"],"cluster":` + hardware + `,` + plans + `}`},
	}
	for _, kind := range work.Kinds {
		for _, body := range bodies[kind.Name] {
			j := decode[jobs.Job](t, try("POST", "/api/"+kind.Name, "", "", body, http.StatusAccepted))
			finish(t, at, j)
			try("GET", "/api/jobs/{id}", j.ID, "", "", 200)
			_, result := call(t, "GET", at+"/api/jobs/"+j.ID+"/files/"+work.ResultFile, "")
			name := strings.TrimPrefix(fmt.Sprintf("%T", kind.Answer), "*")
			fits("the result of "+kind.Name, map[string]any{"$ref": "#/components/schemas/" + name}, result)
			try("POST", "/api/jobs/{id}/cancel", j.ID, "", "", 200)
		}
	}
	seen["GET /api/jobs/{id}/files/{name}"] = true
	for path, methods := range d.Paths {
		for method := range methods {
			if name := strings.ToUpper(method) + " " + path; !seen[name] {
				t.Errorf("no answer of %s was checked", name)
			}
		}
	}
	_, b = call(t, "GET", at+"/api/jobs/none", "")
	fits("an error", d.Paths["/api/jobs/{id}"]["get"].Responses["4XX"].Content["application/json"].Schema, b)
}

// ringOf is the plan of a ring.
func ringOf(t *testing.T, nodes int) string {
	t.Helper()
	c, err := batopo.Equal(nodes)
	if err != nil {
		t.Fatal(err)
	}
	edges := make([]batopo.Edge, nodes)
	for k := range edges {
		edges[k] = batopo.Edge{I: min(k, (k+1)%nodes), J: max(k, (k+1)%nodes)}
	}
	p, err := batopo.Weights(t.Context(), c, edges, batopo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return text(t, p)
}
