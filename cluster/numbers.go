package cluster

import (
	"encoding/json"
	"errors"
)

// Numbers is one number for all, or a list with one for each.
type Numbers []float64

// listOfOne is what is wrong with a list of one number: it names one node, and there are more.
const listOfOne = "a list of one number; write the number alone where it is for all nodes, or one for each"

func (n Numbers) spelled() any {
	if len(n) == 1 {
		return n[0]
	}
	return []float64(n)
}

// MarshalYAML writes a single number as a number.
func (n Numbers) MarshalYAML() (any, error) { return n.spelled(), nil }

// UnmarshalJSON accepts a number or a list.
func (n *Numbers) UnmarshalJSON(b []byte) error {
	var one float64
	if json.Unmarshal(b, &one) == nil {
		*n = Numbers{one}
		return nil
	}
	var many []float64
	if json.Unmarshal(b, &many) != nil {
		return errors.New("must be a number, or a list of numbers with one per node")
	}
	if len(many) == 1 {
		return errors.New("is " + listOfOne)
	}
	*n = many
	return nil
}

// MarshalJSON writes a single number as a number.
func (n Numbers) MarshalJSON() ([]byte, error) { return json.Marshal(n.spelled()) }
