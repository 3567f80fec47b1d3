package server

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/batopo/batopo/cluster"
)

// schemas are the JSON schemas of the named types met so far. A type is entered before its fields are, since groups of
// a cluster hold groups.
type schemas map[reflect.Type]object

// named returns the schemas by name.
func (s schemas) named() object {
	out := object{}
	for t, schema := range s {
		out[nameOf(t)] = schema
	}
	return out
}

// nameOf tells design.Round from cluster.Round.
func nameOf(t reflect.Type) string { return t.String() }

// of returns the schema of a type: a reference to it where it is a struct with a name.
func (s schemas) of(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.RawMessage]():
		return object{"type": "object"}
	case reflect.TypeFor[cluster.Numbers]():
		return object{"oneOf": []object{{"type": "number"}, {"type": "array", "items": object{"type": "number"}}}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.Struct:
		if _, known := s[t]; !known {
			s[t] = object{} // for fields that refer to it
			s[t] = s.structure(t)
		}
		return object{"$ref": "#/components/schemas/" + nameOf(t)}
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Float64:
		return object{"type": "number"}
	}
	return object{"type": "integer"}
}

// orNull is the schema of a field that is always written: null is what package json makes of nothing.
func orNull(t reflect.Type, schema object) object {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return object{"anyOf": []object{schema, {"type": "null"}}}
	}
	return schema
}

func (s schemas) structure(t reflect.Type) object {
	properties, required := object{}, []string{}
	s.fields(t, properties, &required)
	out := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// fields adds the fields of a struct, those of embedded ones included, as package json does.
func (s schemas) fields(t reflect.Type, properties object, required *[]string) {
	for k := range t.NumField() {
		f := t.Field(k)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "" && f.Anonymous:
			s.fields(f.Type, properties, required)
		case name != "-" && name != "" && properties[name] == nil:
			properties[name] = s.of(f.Type)
			if options != "omitempty" && options != "omitzero" {
				*required = append(*required, name)
				properties[name] = orNull(f.Type, s.of(f.Type))
			}
		}
	}
}
