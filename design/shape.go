package design

import (
	"encoding/json"
	"reflect"
	"strings"
)

// A shape is what a Go type looks like in JSON.
type shape struct {
	words    string           // what it must be, for messages
	nullable bool             // null means that there is none
	size     int              // bytes of one value, without what it points to
	fields   map[string]field // of an object with known fields; nil otherwise
	element  *shape           // of a list or of an object with free keys; nil where the type decodes itself
	edge     bool
}

type field struct {
	*shape
	number int
}

var planShape = shapeOf(reflect.TypeFor[Plan]())

func shapeOf(t reflect.Type) *shape {
	s := &shape{size: int(t.Size()), words: inWords(t), edge: t == reflect.TypeFor[PlanEdge]()}
	if t.Kind() == reflect.Pointer {
		s.nullable, t = true, t.Elem()
		s.words = inWords(t)
	}
	switch {
	case reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()):
		s.nullable, s.size = true, 8 // a number, or a list of them
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		s.nullable, s.element = true, shapeOf(t.Elem())
	case t.Kind() == reflect.Struct:
		s.fields = map[string]field{}
		for k := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(k).Tag.Get("json"), ",")
			s.fields[name] = field{shapeOf(t.Field(k).Type), k}
		}
	}
	return s
}

// inWords names a Go type as people who write JSON do.
func inWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}
