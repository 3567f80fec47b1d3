package design

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/batopo/batopo/cluster"
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
	noZero string // why it must not be 0; "" where it may
}

var planShape = shapeOf(reflect.TypeFor[Plan]())

func shapeOf(t reflect.Type) *shape { return shapes{}.of(t) }

// shapes holds the types met so far: the groups of a cluster hold groups.
type shapes map[reflect.Type]*shape

func (known shapes) of(t reflect.Type) *shape {
	if s, ok := known[t]; ok {
		return s
	}
	s := &shape{size: int(t.Size()), words: inWords(t),
		edge: t == reflect.TypeFor[PlanEdge]() || t == reflect.TypeFor[Transfer]()}
	known[t] = s
	if t.Kind() == reflect.Pointer {
		s.nullable, t = true, t.Elem()
		s.words = inWords(t)
	}
	switch {
	case reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()):
		s.nullable, s.size = true, 8 // a number, or a list of them
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		s.nullable, s.element = true, known.of(t.Elem())
	case t.Kind() == reflect.Struct:
		s.fields = map[string]field{}
		s.addFields(known, t)
	}
	return s
}

// addFields adds the fields of a struct. Those of embedded structs without a name of their own belong to it, unless
// it has a field of that name itself, as package json has it.
func (s *shape) addFields(known shapes, t reflect.Type) {
	for k := range t.NumField() {
		f := t.Field(k)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch _, taken := s.fields[name]; {
		case name == "" && f.Anonymous:
			s.addFields(known, f.Type)
		case name != "-" && !taken:
			s.fields[name] = field{known.of(f.Type), len(s.fields), cluster.NoZero(f)}
		}
	}
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
