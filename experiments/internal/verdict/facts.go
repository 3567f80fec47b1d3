package verdict

import (
	"encoding/json"
	"errors"
	"fmt"

	"batopo/experiments/internal/ledger"
)

// facts returns all that a document can claim: every number of the result files as experiment/row/field, best and
// median of the ablations, how many cells of Table I end in each way, and the verdict on every sentence.
func (e *Evidence) facts() (map[string]any, error) {
	all := map[string]any{}
	err := errors.Join(numbers(all, e.Table1), numbers(all, e.Figures), numbers(all, e.Table2), numbers(all, e.Ablations))
	if err != nil {
		return nil, err
	}
	for _, row := range e.Ablations.Rows {
		all["ablations/"+row.Key+"/best"] = row.Value.Best()
		all["ablations/"+row.Key+"/median"] = row.Value.Median()
	}
	count := func(name string) {
		before, _ := all[name].(float64)
		all[name] = before + 1
	}
	for k, n := range e.Paper.Table1.Nodes {
		for _, c := range Columns {
			for _, quantity := range []Quantity{Rate, Time} {
				result := e.Compare(c, quantity, k)
				count("Table I/" + c.Name + "/" + result.Verdict())
				count("Table I/" + c.Name + "/" + quantity.Name + "/" + result.Verdict())
				if c.Name == Ours.Name && quantity.Name == Time.Name && result.Missing == "" {
					all[fmt.Sprintf("Table I/n=%d/times as fast", n)] = result.Theirs.Value() / Time.Of(result.Ours)
				}
			}
		}
	}
	for _, t := range e.Topologies() {
		for dataset, c := range t.Cells {
			all["Table II/"+t.Scenario+"/"+t.Topology+"/"+dataset+"/epochs"] = c.Epochs
			if c.Whole {
				count("Table II/whole epochs")
			}
		}
	}
	findings, err := e.Sentences()
	for _, f := range findings {
		all[f.Sentence.ID+"/"+f.Subject.ID] = f.Result.String()
	}
	return all, err
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
