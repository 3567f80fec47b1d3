package verdict

import (
	"fmt"
	"math"
	"slices"
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
	if second := scenario + "-highest"; f.has("table2/" + second + "/ring/seconds") {
		scenario = second
	}
	f.addReading("Table II, second reading/", t, scenario)
}

func (f Facts) has(name string) bool { _, ok := f[name]; return ok }

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
	var both, first, second []string
	for m := 1; m <= mostSlowdown; m++ {
		var fits []any // the epochs of each data set, or a dash
		for _, dataset := range paper.Datasets {
			seconds, epoch := t.Seconds[dataset], measure.EpochSeconds(iterations, float64(m))
			epochs := math.Round(seconds.Value() / epoch)
			if epochs > mostEpochs || !seconds.Prints(epochs*epoch) {
				fits = append(fits, "—")
			} else {
				fits = append(fits, epochs)
			}
		}
		text := fmt.Sprintf("%d (%v, %v)", m, fits[0], fits[1])
		switch {
		case !slices.Contains(fits, "—"):
			both = append(both, text)
		case fits[0] != "—":
			first = append(first, text)
		case fits[1] != "—":
			second = append(second, text)
		}
	}
	if len(both) == 0 {
		return "none; " + strings.Join(append(first, second...), ", ")
	}
	return strings.Join(both, " or ")
}
