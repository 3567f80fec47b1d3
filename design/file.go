package design

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
)

// ReadPlanFile reads the plan in a file; see [ReadPlan].
func ReadPlanFile(name string) (*Plan, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadPlan(name, f)
}

// ReadPlan reads plan.json. It checks that the file is a plan of this format, that every reader sees the same
// values in it, and that its parts fit together; whether its claims are true is the business of package verify.
func ReadPlan(name string, r io.Reader) (*Plan, error) {
	source, err := limits.ReadText(r, limits.PlanBytes, "a plan")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := checkJSON(name, source); err != nil {
		return nil, err
	}
	p := new(Plan)
	err = json.Unmarshal(source, p)
	if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
		return nil, explainType(name, source, kind)
	}
	if err == nil {
		p.usual()
		err = cmp.Or(p.Validate(), p.checkWeights())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "json: "))
	}
	return p, nil
}

// mostWeight limits weights in files: beyond it sums of 1 are all rounding.
const mostWeight = 1000

func (p *Plan) checkWeights() error {
	for t, r := range p.Rounds {
		all := slices.Clone(r.SelfWeights)
		for _, e := range r.Edges {
			all = append(all, e.Weight)
		}
		for _, w := range all {
			if math.Abs(w) > mostWeight {
				return fmt.Errorf("rounds[%d] has the weight %.6g; weights are -%d to %d", t, w, mostWeight, mostWeight)
			}
		}
	}
	return nil
}

// explainType says where a value of another kind stands, and what it should be.
func explainType(name string, source []byte, kind *json.UnmarshalTypeError) error {
	message := fmt.Sprintf("field %s holds a %s; it must be %s", kind.Field, kind.Value, inWords(kind.Type))
	if number, ok := strings.CutPrefix(kind.Value, "number "); ok {
		message = fmt.Sprintf("field %s is %s; it must be %s", kind.Field, number, inRange(kind.Type))
	}
	return located(name, source, int(kind.Offset), message)
}

// inRange says which numbers a Go type holds.
func inRange(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64:
		return "between -1.7e308 and 1.7e308"
	case reflect.Uint64:
		return "a whole number between 0 and 18446744073709551615"
	case reflect.Int, reflect.Int64:
		return "a whole number between -9223372036854775808 and 9223372036854775807"
	}
	return inWords(t)
}

// Write writes the plan as indented JSON that ReadPlan reads back unchanged.
func (p *Plan) Write(w io.Writer) error {
	b, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
