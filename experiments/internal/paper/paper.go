// Package paper knows what the BA-Topo paper prints: its tables and what it says about its
// figures, read from the expected.json of each experiment. Nothing else holds these numbers.
package paper

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// A Paper is everything that can be compared.
type Paper struct {
	Table1    Table1
	Figures   Figures
	Table2    Table2
	Ablations Ablations
}

// A Sentence is something the paper says that can be checked.
type Sentence struct {
	ID    string `json:"id"`
	Where string `json:"where"` // section
	Text  string `json:"text"`
}

// Figures is what the text says about the consensus figures.
type Figures struct {
	Source           string `json:"source"`
	ExponentialOnSYS struct {
		Edges      int     `json:"edges"`
		MinEdgeGBs float64 `json:"min_edge_gb_s"`
	} `json:"exponential_on_sys"`
	Sentences []Sentence `json:"sentences"`
}

// Ablations is what the text says about starts and scale.
type Ablations struct {
	Source    string     `json:"source"`
	Sentences []Sentence `json:"sentences"`
}

// Read reads the expected.json of every experiment below root, the folder of the repository.
func Read(root string) (*Paper, error) {
	var p Paper
	for _, part := range []struct {
		folder string
		into   any
	}{{"table1", &p.Table1}, {"figures", &p.Figures}, {"table2", &p.Table2}, {"ablations", &p.Ablations}} {
		name := filepath.Join(root, "experiments", part.folder, "expected.json")
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(part.into); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return &p, p.Table1.validate()
}

// Sentences returns all sentences in the order of the experiments.
func (p *Paper) Sentences() []Sentence {
	var all []Sentence
	for _, part := range [][]Sentence{p.Table1.Sentences, p.Figures.Sentences, p.Table2.Sentences, p.Ablations.Sentences} {
		all = append(all, part...)
	}
	return all
}
