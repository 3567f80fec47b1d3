package server

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/server/work"
)

// object is a JSON object of the description.
type object = map[string]any

// description is the API in the words of OpenAPI 3.1, made from the routes and the types they speak of.
func description() object {
	s := schemas{}
	failed := object{"description": "what is wrong, and what would be right",
		"content": object{"application/json": object{"schema": s.of(reflect.TypeFor[ErrorAnswer]())}}}
	paths := object{}
	for _, rt := range routes() {
		of, ok := paths[rt.path].(object)
		if !ok {
			of = object{}
			paths[rt.path] = of
		}
		of[strings.ToLower(rt.method)] = s.operation(rt, failed)
	}
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "batopo", "version": strings.TrimPrefix(design.Program(), "batopo "),
			"description": "What to run to train fastest on the machines and links you have"},
		"paths":      paths,
		"components": object{"schemas": s.named()},
	}
}

func (s schemas) operation(rt route, failed object) object {
	op := object{"summary": rt.about, "responses": object{
		strconv.Itoa(rt.status): s.success(rt), "4XX": failed, "5XX": failed,
	}}
	var parameters []object
	for part := range strings.SplitSeq(rt.path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			parameters = append(parameters, object{"name": strings.TrimSuffix(name, "}"), "in": "path", "required": true,
				"schema": object{"type": "string"}})
		}
	}
	for _, q := range rt.query {
		parameters = append(parameters, object{"name": q.name, "in": "query", "description": q.about,
			"schema": object{"type": "string"}})
	}
	if parameters != nil {
		op["parameters"] = parameters
	}
	switch rt.body.(type) {
	case nil:
	case upload:
		op["requestBody"] = object{"required": true, "content": object{"application/octet-stream": object{}}}
	default:
		op["requestBody"] = object{"required": true,
			"content": object{"application/json": object{"schema": s.of(reflect.TypeOf(rt.body))}}}
	}
	return op
}

func (s schemas) success(rt route) object {
	out := object{"description": http.StatusText(rt.status)}
	switch rt.answer.(type) {
	case nil:
	case stream:
		out["content"] = object{"text/event-stream": object{"schema": object{"type": "string"}}}
	case file:
		var results []object // of result.json
		for _, k := range work.Kinds {
			results = append(results, s.of(reflect.TypeOf(k.Answer)))
		}
		out["content"] = object{"application/json": object{"schema": object{"anyOf": append(results, object{})}},
			"*/*": object{}}
	default:
		out["content"] = object{"application/json": object{"schema": s.of(reflect.TypeOf(rt.answer))}}
	}
	return out
}
