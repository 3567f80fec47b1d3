package verdict

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/batopo/batopo/experiments/internal/ledger"
)

// Facts are the numbers and words that a rule, a document or a table can name.
type Facts map[string]any

// Facts returns every number of the result files as experiment/row/field, best and median of the ablations, Table I
// and II with our numbers beside them, how many of their cells end in each way, and the verdict on every sentence.
func (e *Evidence) Facts() (Facts, error) {
	all, err := e.numbers()
	if err != nil {
		return nil, err
	}
	findings, err := e.Sentences()
	for _, f := range findings {
		all[f.Sentence.ID+"/"+f.Subject.ID] = f.Result.String()
	}
	return all, err
}

// numbers returns the facts that decide sentences.
func (e *Evidence) numbers() (Facts, error) {
	all := Facts{}
	err := errors.Join(fields(all, e.Table1), fields(all, e.Figures), fields(all, e.Table2), fields(all, e.Ablations))
	for _, row := range e.Ablations.Rows {
		all["ablations/"+row.Key+"/best"] = row.Value.Best()
		all["ablations/"+row.Key+"/median"] = row.Value.Median()
	}
	for k := range e.Paper.Table1.Nodes {
		e.addSize(all, k)
	}
	for _, t := range e.Paper.Table2 {
		e.addTraining(all, t)
	}
	return all, err
}

// fields adds the numbers of a result file.
func fields[T any](into Facts, f *ledger.File[T]) error {
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

// Number returns a number by its name, whose verbs take the arguments.
func (f Facts) Number(name string, arguments ...any) (value float64, ok bool) {
	value, ok = f[fmt.Sprintf(name, arguments...)].(float64)
	return value, ok
}

func (f Facts) count(name string) {
	before, _ := f.Number("%s", name)
	f[name] = before + 1
}
