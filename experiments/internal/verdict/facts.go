package verdict

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/paper"
)

// Facts are what a rule, a document or a table can name: numbers, as computed or as the paper prints them, lists of
// numbers, and words.
type Facts map[string]any

// add adds a row of the results as experiment/row/field: its numbers and lists, and how a list of r_asym, one per
// run, is spread.
func (e *Evidence) add(experiment, key string, row ledger.Fields) {
	e.Keys[experiment] = append(e.Keys[experiment], key)
	at := experiment + "/" + key + "/"
	for name, value := range row {
		switch numbers := row.Numbers(name); value.(type) {
		case float64:
			e.rows[at+name] = numbers[0]
		case []any:
			e.rows[at+name] = numbers
		}
	}
	if row["iterations"] == 0.0 {
		e.rows[at+"time_ms"] = math.Inf(1) // never
	}
	runs := slices.Sorted(slices.Values(row.Numbers("r_asym")))
	if _, one := row["r_asym"].(float64); len(runs) > 0 && !one {
		n := len(runs)
		e.rows[at+"runs"], e.rows[at+"best"], e.rows[at+"worst"] = n, runs[0], runs[n-1]
		seconds, _ := row["seconds"].(float64)
		e.rows[at+"seconds per run"] = seconds / float64(n)
		e.rows[at+"median"] = (runs[(n-1)/2] + runs[n/2]) / 2
		e.rows[at+"spread"] = runs[n-1]/runs[0] - 1
	}
}

// Facts returns every number of the result files, best and median of the ablations, Table I and II with our numbers
// beside them, how many of their cells end in each way, and the verdict on every sentence.
func (e *Evidence) Facts() (Facts, error) {
	all := e.numbers()
	findings, err := e.Sentences()
	for _, f := range findings {
		all[f.Sentence.ID+"/"+f.Subject.ID] = f.Result.String()
	}
	return all, err
}

// numbers returns the facts that decide sentences.
func (e *Evidence) numbers() Facts {
	all := maps.Clone(e.rows)
	for k := range e.Paper.Table1.Nodes {
		e.addSize(all, k)
	}
	for _, t := range e.Paper.Table2 {
		all.addTraining(t)
	}
	for _, s := range e.Paper.Speedups {
		all.addLeast(s, e.Paper.Quotient(s))
	}
	return all
}

// addLeast keeps the least quotient of equal and of unequal hardware.
func (f Facts) addLeast(s paper.Speedup, quotient float64) {
	name := "speed-ups/heterogeneous"
	if s.Scenario == "homogeneous" {
		name = "speed-ups/homogeneous"
	}
	if least, known := f.Number("%s", name); !known || quotient < least {
		f[name] = quotient
	}
}

// Number returns a number by its name, whose verbs take the arguments.
func (f Facts) Number(name string, arguments ...any) (value float64, ok bool) {
	fact := f[fmt.Sprintf(name, arguments...)]
	if printed, ok := fact.(paper.Decimal); ok {
		return printed.Value(), true
	}
	value, ok = fact.(float64)
	return value, ok
}

func (f Facts) count(name string) {
	before, _ := f.Number("%s", name)
	f[name] = before + 1
}
