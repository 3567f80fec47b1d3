package verdict

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Claim is something that this project's documents say about its results, in the same words. It is about one
// number (Experiment, Key, Field), about how many comparisons end in certain ways (Comparisons, Verdicts) or how many
// times of Table II are whole epochs (Whole), each with Op and Value; or about one sentence of the
// paper (Sentence, Subject, Result).
type Claim struct {
	ID       string `json:"id"`
	Document string `json:"document"` // that makes it, from the root of the repository
	Text     string `json:"text"`     // its words there, line breaks apart

	Experiment string `json:"experiment,omitempty"`
	Key        string `json:"key,omitempty"`
	Field      string `json:"field,omitempty"`

	Comparisons string   `json:"comparisons,omitempty"` // part of their name
	Verdicts    []string `json:"verdicts,omitempty"`    // that count

	Whole bool `json:"whole_epochs,omitempty"`

	Op        string  `json:"op,omitempty"` // "<=", ">=" or "=="
	Value     float64 `json:"value,omitempty"`
	Tolerance float64 `json:"tolerance,omitempty"` // of "=="

	Sentence string  `json:"sentence,omitempty"`
	Subject  Subject `json:"subject,omitempty"`
	Result   string  `json:"result,omitempty"` // holds, fails or open

	unsaid bool // the document has other words
}

// A Checked claim says what was found.
type Checked struct {
	Claim
	Found string
	OK    bool
}

// ReadClaims reads the list of claims below root and looks their words up in the documents.
func ReadClaims(root string) ([]Claim, error) {
	name := filepath.Join(root, "experiments", "claims.json")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var claims []Claim
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&claims); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	documents := map[string]string{}
	for k := range claims {
		c := &claims[k]
		if _, known := documents[c.Document]; !known {
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(c.Document)))
			if err != nil {
				return nil, fmt.Errorf("%s: claim %s: %w", name, c.ID, err)
			}
			documents[c.Document] = oneLine(string(text))
		}
		c.unsaid = c.Text == "" || !strings.Contains(documents[c.Document], oneLine(c.Text))
	}
	return claims, nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Check holds the claims against the results. A claim about a row that does not exist is false.
func (e *Evidence) Check(claims []Claim) ([]Checked, error) {
	findings, err := e.Sentences()
	if err != nil {
		return nil, err
	}
	var all []Checked
	for _, c := range claims {
		done := Checked{Claim: c}
		if c.Sentence != "" {
			done.Found = "no such sentence"
			for _, f := range findings {
				if f.Sentence.ID == c.Sentence && f.Subject == c.Subject {
					done.Found, done.OK = f.Result.String(), f.Result.String() == c.Result
				}
			}
		} else {
			value, err := e.number(c)
			if err != nil {
				done.Found = err.Error()
			} else if done.OK, err = c.holds(value); err != nil {
				return nil, err
			} else {
				done.Found = strconv.FormatFloat(value, 'g', 6, 64)
			}
		}
		if c.unsaid {
			done.OK, done.Found = false, done.Found+"; "+c.Document+" does not say this"
		}
		all = append(all, done)
	}
	return all, nil
}

func (c Claim) holds(v float64) (bool, error) {
	switch c.Op {
	case "<=":
		return v <= c.Value, nil
	case ">=":
		return v >= c.Value, nil
	case "==":
		return math.Abs(v-c.Value) <= c.Tolerance, nil
	}
	return false, fmt.Errorf("verdict: claim %s compares by %q; known are <=, >= and ==", c.ID, c.Op)
}

// number returns what a claim is about.
func (e *Evidence) number(c Claim) (float64, error) {
	switch {
	case c.Comparisons != "":
		count := 0
		for _, one := range e.Comparisons() {
			if strings.Contains(one.Item, c.Comparisons) && slices.Contains(c.Verdicts, one.Verdict()) {
				count++
			}
		}
		return float64(count), nil
	case c.Whole:
		whole, _ := e.WholeEpochs()
		return float64(whole), nil
	}
	return e.field(c.Experiment, c.Key, c.Field)
}

// field returns one number of one row.
func (e *Evidence) field(experiment, key, field string) (float64, error) {
	var value any
	var ok bool
	switch experiment {
	case "table1":
		value, ok = e.Table1.Find(key)
	case "figures":
		value, ok = e.Figures.Find(key)
	case "table2":
		value, ok = e.Table2.Find(key)
	case "ablations":
		o, found := e.Ablations.Find(key)
		value, ok = map[string]float64{"best": o.Best(), "median": o.Median(), "seconds": o.Seconds}, found
	default:
		return 0, fmt.Errorf("no experiment %q", experiment)
	}
	if !ok {
		return 0, errMissing{key}
	}
	// Fields are named as in the result files.
	encoded, err := json.Marshal(value)
	if err != nil {
		return 0, err
	}
	var fields map[string]any
	if err := json.Unmarshal(encoded, &fields); err != nil {
		return 0, err
	}
	number, isNumber := fields[field].(float64)
	if !isNumber {
		return 0, fmt.Errorf("row %s has no number %q", key, field)
	}
	return number, nil
}
