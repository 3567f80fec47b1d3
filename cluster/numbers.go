package cluster

import (
	"encoding/json"
	"errors"

	"github.com/goccy/go-yaml"
)

// Numbers is one number for all, or a list with one for each.
type Numbers []float64

var errNumbers = errors.New("must be a number, or a list of numbers with one per node")

func (n *Numbers) from(unmarshal func(any) error) error {
	var one float64
	if unmarshal(&one) == nil {
		*n = Numbers{one}
		return nil
	}
	var many []float64
	if unmarshal(&many) != nil {
		return errNumbers
	}
	*n = many
	return nil
}

func (n Numbers) spelled() any {
	if len(n) == 1 {
		return n[0]
	}
	return []float64(n)
}

// UnmarshalYAML accepts a number or a list.
func (n *Numbers) UnmarshalYAML(b []byte) error {
	return n.from(func(v any) error { return yaml.Unmarshal(b, v) })
}

// MarshalYAML writes a single number as a number.
func (n Numbers) MarshalYAML() (any, error) { return n.spelled(), nil }

// UnmarshalJSON accepts a number or a list.
func (n *Numbers) UnmarshalJSON(b []byte) error {
	return n.from(func(v any) error { return json.Unmarshal(b, v) })
}

// MarshalJSON writes a single number as a number.
func (n Numbers) MarshalJSON() ([]byte, error) { return json.Marshal(n.spelled()) }
