package design

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// maxPlanBytes limits what is read from an untrusted file; a plan of 16384 nodes
// and 10⁵ edges takes about 10 MB.
const maxPlanBytes = 256 << 20

// ReadPlan reads plan.json. It checks that the file is a plan of a known version and
// that its shape is right; whether its claims are true is the business of package verify.
func ReadPlan(name string, r io.Reader) (*Plan, error) {
	source, err := io.ReadAll(io.LimitReader(r, maxPlanBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(source) > maxPlanBytes {
		return nil, fmt.Errorf("%s: larger than %d MiB, which no plan needs", name, maxPlanBytes>>20)
	}
	decoder := json.NewDecoder(bytes.NewReader(source))
	decoder.DisallowUnknownFields()
	p := new(Plan)
	if err := decoder.Decode(p); err != nil {
		return nil, explainJSON(name, source, decoder.InputOffset(), err)
	}
	if decoder.More() {
		return nil, fmt.Errorf("%s: something follows the plan at byte %d", name, decoder.InputOffset())
	}
	if err := p.checkShape(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// explainJSON adds line and column to what the decoder says.
func explainJSON(name string, source []byte, offset int64, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	message := strings.TrimPrefix(err.Error(), "json: ")
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset - 1 // it counts the offending byte
		message += "; a plan is a JSON object written by this program"
	case errors.As(err, &kind):
		offset = kind.Offset
		message = fmt.Sprintf("field %s holds a %s; it must be %s", kind.Field, kind.Value, inWords(kind.Type))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		message = "the file ends before the plan does"
	}
	before := source[:max(0, min(int(offset), len(source)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%s:%d:%d: %s", name, line, column, message)
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

// checkShape refuses what no later code could make sense of.
func (p *Plan) checkShape() error {
	switch {
	case p.Format != PlanFormat:
		return fmt.Errorf("format is %q; this program reads %q", p.Format, PlanFormat)
	case p.Nodes < 2:
		return fmt.Errorf("nodes is %d; a plan has at least 2", p.Nodes)
	case len(p.Rounds) > 0 && (len(p.Edges) > 0 || len(p.SelfWeights) > 0):
		return errors.New("has both edges and rounds; a static plan has edges, a time-varying one has rounds")
	case len(p.Rounds) == 0 && len(p.SelfWeights) != p.Nodes:
		return fmt.Errorf("self_weights has %d entries for %d nodes", len(p.SelfWeights), p.Nodes)
	}
	if err := p.checkWords(); err != nil {
		return err
	}
	for t, r := range p.Rounds {
		if len(r.SelfWeights) != p.Nodes {
			return fmt.Errorf("rounds[%d].self_weights has %d entries for %d nodes", t, len(r.SelfWeights), p.Nodes)
		}
	}
	return nil
}

// checkWords refuses names that mean nothing.
func (p *Plan) checkWords() error {
	if len(p.Names) > 0 && len(p.Names) != p.Nodes {
		return fmt.Errorf("names has %d entries for %d nodes", len(p.Names), p.Nodes)
	}
	for _, word := range []struct {
		field, got string
		known      []string
	}{
		{"setting", string(p.Setting), []string{string(FMMC), string(FDLA)}},
		{"purpose", string(p.Purpose), []string{string(Consensus), string(Training)}},
		{"r_asym_kind", string(p.RAsymKind), []string{string(Proved), string(Estimate)}},
		{"iterations_kind", string(p.IterationsKind), []string{string(Proved), string(Estimate), ""}},
	} {
		if !slices.Contains(word.known, word.got) {
			return fmt.Errorf("%s is %q; it must be one of %q", word.field, word.got, word.known)
		}
	}
	return nil
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
