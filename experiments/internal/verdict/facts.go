package verdict

import (
	"encoding/json"
	"errors"
	"fmt"

	"batopo/experiments/internal/ledger"
	"batopo/experiments/internal/paper"
)

// Facts returns all that a document or a table can name: every number of the result files as experiment/row/field,
// best and median of the ablations, Table I and II with our numbers beside them, how many of their cells end in each
// way, and the verdict on every sentence.
func (e *Evidence) Facts() (map[string]any, error) {
	all := map[string]any{}
	err := errors.Join(numbers(all, e.Table1), numbers(all, e.Figures), numbers(all, e.Table2), numbers(all, e.Ablations))
	for _, row := range e.Ablations.Rows {
		all["ablations/"+row.Key+"/best"] = row.Value.Best()
		all["ablations/"+row.Key+"/median"] = row.Value.Median()
	}
	for k := range e.Paper.Table1.Nodes {
		e.sizeFacts(all, k)
	}
	for _, t := range e.Topologies() {
		for dataset, c := range t.Cells {
			all["Table II/"+t.Scenario+"/"+t.Topology+"/"+dataset+"/epochs"] = c.Epochs
			if c.Whole {
				count(all, "Table II/whole epochs")
			}
		}
	}
	findings, errSentences := e.Sentences()
	for _, f := range findings {
		all[f.Sentence.ID+"/"+f.Subject.ID] = f.Result.String()
	}
	return all, errors.Join(err, errSentences)
}

// sizeFacts adds what Table I prints in column k, our numbers and how they compare.
func (e *Evidence) sizeFacts(all map[string]any, k int) {
	n := e.Paper.Table1.Nodes[k]
	for _, c := range Columns {
		at := fmt.Sprintf("Table I/n=%d/%s/", n, c.Name)
		for _, quantity := range []Quantity{Rate, Time} {
			compared := e.Compare(c, quantity, k)
			result := compared.Verdict()
			all[at+"printed "+quantity.Name], all[at+quantity.Name+" verdict"] = string(compared.Theirs), result
			count(all, "Table I/"+c.Name+"/"+result)
			count(all, "Table I/"+c.Name+"/"+quantity.Name+"/"+result)
			if compared.Missing == "" {
				m := compared.Ours
				all[at+quantity.Name], all[at+"edges"] = quantity.Of(m), float64(m.Edges)
				all[at+"simulated_ms"] = m.SimulatedMS
				all[at+"steps"] = paper.Factor{Iterations: m.Iterations, MaxDegree: m.MaxDegree}.String()
				all[at+"times as fast"] = compared.Theirs.Value() / m.TimeMS
			}
		}
		if ways := e.Paper.Table1.Implied(c.Printed, k); len(ways) == 1 {
			all[at+"implied steps"], all[at+"implied edges"] = ways[0].String(), float64(n*ways[0].MaxDegree/2)
		}
	}
	ours := fmt.Sprintf("Table I/n=%d/%s/", n, Ours.Name)
	bound, known := all[fmt.Sprintf("table1/n=%d/auto/bound", n)].(float64)
	if rate, ok := all[ours+"r_asym"].(float64); ok && known {
		all[ours+"gap"] = 100 * (rate/bound - 1)
	}
}

func count(all map[string]any, name string) {
	before, _ := all[name].(float64)
	all[name] = before + 1
}

// numbers adds the numbers of a result file.
func numbers[T any](into map[string]any, f *ledger.File[T]) error {
	for _, row := range f.Rows {
		encoded, err := json.Marshal(row.Value)
		if err != nil {
			return err
		}
		var fields map[string]any
		if err := json.Unmarshal(encoded, &fields); err != nil {
			return err
		}
		for name, value := range fields {
			if number, ok := value.(float64); ok {
				into[f.Experiment+"/"+row.Key+"/"+name] = number
			}
		}
	}
	return nil
}
