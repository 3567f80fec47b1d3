package verdict

import (
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/paper"
)

// Facts are what a rule, a document or a table can name: every number of the result files, lists of numbers, best and
// median of the ablations, Table I and II as printed with our numbers beside them, how many of their cells end in each
// way, the paper's own speed-ups, and the verdict on every sentence.
type Facts map[string]any

// add adds a row of the results as experiment/row/field: its numbers and lists, and how a list of r_asym, one per
// run, is spread.
func (e *Evidence) add(experiment, key string, row ledger.Fields) {
	e.Keys[experiment] = append(e.Keys[experiment], key)
	at := experiment + "/" + key + "/"
	for name, value := range row {
		switch numbers := row.Numbers(name); value.(type) {
		case float64:
			e.Facts[at+name] = numbers[0]
		case []any:
			e.Facts[at+name] = numbers
		}
	}
	if row["iterations"] == 0.0 {
		e.Facts[at+"time_ms"] = math.Inf(1) // never
	}
	runs := slices.Sorted(slices.Values(row.Numbers("r_asym")))
	if _, one := row["r_asym"].(float64); len(runs) > 0 && !one {
		n := len(runs)
		e.Facts[at+"runs"], e.Facts[at+"best"], e.Facts[at+"worst"] = n, runs[0], runs[n-1]
		seconds, _ := row["seconds"].(float64)
		e.Facts[at+"seconds per run"] = seconds / float64(n)
		e.Facts[at+"median"] = median(runs)
		e.Facts[at+"spread"] = runs[n-1]/runs[0] - 1
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
