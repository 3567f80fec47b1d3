package design

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
)

// A scanner walks over JSON that is known to be well formed, beside the shape it will be decoded into.
type scanner struct {
	source []byte
	whole  string // what all of it is, for messages; "" means the plan
	at     int
	path   []step // from the plan to where the scanner is
	memory int    // bytes that the lists so far will take
	edges  int
}

// A step leads to a field, or to an element of a list.
type step struct {
	key   string
	index int
}

// here names the value that the scanner is at.
func (s *scanner) here() string {
	var b strings.Builder
	for k, p := range s.path {
		switch {
		case p.key == "":
			fmt.Fprintf(&b, "[%d]", p.index)
		case k > 0:
			b.WriteString("." + p.key)
		default:
			b.WriteString(p.key)
		}
	}
	if b.Len() == 0 {
		return cmp.Or(s.whole, "the plan")
	}
	return b.String()
}

func (s *scanner) space() {
	for s.at < len(s.source) && s.source[s.at] <= ' ' {
		s.at++
	}
}

// value passes over one value. Of one that decodes itself, nil, only the keys are looked at.
func (s *scanner) value(like *shape) error {
	if len(s.path) > limits.PlanDepth {
		return fmt.Errorf("%s nests more than %d levels deep, which no plan does", s.here(), limits.PlanDepth)
	}
	s.space()
	switch s.source[s.at] {
	case '{':
		return s.object(like)
	case '[':
		return s.list(like)
	case '"':
		s.text()
	case 'n':
		if like != nil && !like.nullable {
			return fmt.Errorf("%s is null; it must be %s", s.here(), like.words)
		}
		s.at += len("null")
	default:
		for bytes.IndexByte([]byte(",]} \n\r\t"), s.source[s.at]) < 0 {
			s.at++
		}
	}
	return nil
}

// text passes over a string and returns it with its quotes.
func (s *scanner) text() []byte {
	start := s.at
	for s.at++; s.source[s.at] != '"'; s.at++ {
		if s.source[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
	return s.source[start:s.at]
}

func (s *scanner) object(like *shape) error {
	var seen uint64 // known fields, by their numbers
	var free map[string]bool
	s.path = append(s.path, step{})
	depth := len(s.path)
	for s.at++; s.more('}'); {
		start := s.at
		key, err := unquoted(s.text())
		if err != nil {
			return err
		}
		var child *shape
		twice, noZero := false, ""
		if like != nil && like.fields != nil {
			f, known := like.fields[key]
			if !known {
				s.at, s.path = start, s.path[:depth-1] // the key is what the message points to
				return s.unknown(key, like)
			}
			child, twice, noZero = f.shape, seen&(1<<f.number) != 0, f.noZero
			seen |= 1 << f.number
		} else {
			if like != nil {
				child = like.element
			}
			if free == nil {
				free = map[string]bool{}
			}
			twice, free[key] = free[key], true
		}
		if twice {
			s.at, s.path = start, s.path[:depth-1]
			return fmt.Errorf("field %q is given twice in %s; readers would disagree about which counts", key, s.here())
		}
		s.path[depth-1].key = key
		s.space()
		s.at++ // the colon
		s.space()
		begin := s.at
		if err := s.value(child); err != nil {
			return err
		}
		if noZero != "" && slices.Contains([]string{"0", "-0"}, string(s.source[begin:s.at])) {
			s.at = begin
			return fmt.Errorf("%s %s", s.here(), noZero)
		}
	}
	s.path = s.path[:depth-1]
	return nil
}

// more goes to the next member of an object or list, over commas; false, behind the closing sign, where there is none.
func (s *scanner) more(closing byte) bool {
	for {
		s.space()
		next := s.source[s.at]
		if next != closing && next != ',' {
			return true
		}
		s.at++
		if next == closing {
			return false
		}
	}
}

func unquoted(text []byte) (string, error) {
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text[1 : len(text)-1]), nil
	}
	var key string
	err := json.Unmarshal(text, &key)
	return key, err
}

func (s *scanner) unknown(key string, like *shape) error {
	for name := range like.fields {
		if strings.EqualFold(name, key) {
			return fmt.Errorf("unknown field %q in %s; it is spelled %q", key, s.here(), name)
		}
	}
	known := strings.Join(slices.Sorted(maps.Keys(like.fields)), ", ")
	return fmt.Errorf("unknown field %q in %s; fields here are %s", key, s.here(), known)
}

func (s *scanner) list(like *shape) error {
	var element *shape
	size := 8 // what decodes itself holds numbers
	if like != nil && like.element != nil {
		element, size = like.element, like.element.size
	}
	s.path = append(s.path, step{index: -1})
	depth := len(s.path)
	for s.at++; s.more(']'); {
		s.path[depth-1].index++
		s.memory += size
		if element != nil && element.edge {
			s.edges++
		}
		switch {
		case s.edges > limits.Edges:
			return fmt.Errorf("%s: more than %d edges or transfers, the most that a plan may have over all its rounds",
				s.here(), limits.Edges)
		case s.memory > limits.PlanMemory:
			return fmt.Errorf("%s: the lists up to here fill more than %d MiB, the most that a plan may take",
				s.here(), limits.PlanMemory>>20)
		}
		if err := s.value(element); err != nil {
			return err
		}
	}
	s.path = s.path[:depth-1]
	return nil
}
