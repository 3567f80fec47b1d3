package verdict

import (
	"fmt"
	"math"
	"strings"

	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/experiments/internal/paper"
)

const (
	mostSlowdown = 20
	mostEpochs   = 100 // that the paper trains for
)

// addTraining reads the two times of a topology in Table II as whole numbers of epochs: at the m of our row, whether
// they are, and with every whole m with which they would be.
func (f Facts) addTraining(t paper.Training) {
	f.addReading("Table II/", t, t.Scenario)
	scenario := t.Scenario
	if _, second := f.Number("table2/%s-highest/ring/seconds", scenario); second {
		scenario += "-highest"
	}
	f.addReading("Table II, second reading/", t, scenario)
}

// addReading does it for one reading of the hardware, whose rows are those of a scenario.
func (f Facts) addReading(table string, t paper.Training, scenario string) {
	topology := scenario + "/" + t.Topology
	at := table + t.Scenario + "/" + t.Topology + "/"
	epoch, known := f.Number("table2/%s/seconds", topology)
	var whole []string
	for _, dataset := range paper.Datasets {
		f.count(table + "times")
		seconds := t.Seconds[dataset]
		f[at+dataset+"/seconds"] = seconds
		if !known {
			continue
		}
		epochs := seconds.Value() / epoch
		f[at+dataset+"/epochs"] = epochs
		if seconds.Prints(math.Round(epochs) * epoch) {
			whole = append(whole, dataset)
			f.count(table + "whole epochs")
		}
	}
	f[at+"whole"] = []string{"neither", strings.Join(whole, "") + " only", "both"}[len(whole)]
	if iterations, ok := f.Number("table2/%s/iterations", topology); ok {
		f[at+"m"] = fitting(t, iterations)
		f[at+"our m"] = f["table2/"+topology+"/slowdown"]
	}
}

// fitting lists the whole m that turn the times of both data sets into whole epochs or, where there is none, those
// of each.
func fitting(t paper.Training, iterations float64) string {
	found := map[[2]bool][]string{} // by the data sets that they fit
	for m := 1; m <= mostSlowdown; m++ {
		fits, epochs := [2]bool{}, [2]any{"—", "—"}
		for k, dataset := range paper.Datasets {
			seconds, epoch := t.Seconds[dataset], measure.EpochSeconds(iterations, float64(m))
			count := math.Round(seconds.Value() / epoch)
			if count <= mostEpochs && seconds.Prints(count*epoch) {
				fits[k], epochs[k] = true, count
			}
		}
		found[fits] = append(found[fits], fmt.Sprintf("%d (%v, %v)", m, epochs[0], epochs[1]))
	}
	if both := found[[2]bool{true, true}]; both != nil {
		return strings.Join(both, " or ")
	}
	return "none; " + strings.Join(append(found[[2]bool{true, false}], found[[2]bool{false, true}]...), ", ")
}
