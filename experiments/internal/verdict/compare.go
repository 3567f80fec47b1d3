package verdict

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/batopo/batopo/report"
)

// compareFacts asks whether every comparison of the reading is true. A side is the name of a fact or a number; {size},
// {figure} and {name} in it stand for the subject's rows of Table I and of the figures and for its name. Numbers
// within a millionth are equal.
func compareFacts(q *question) (report.Result, string) {
	all := true
	var shown []string
	for _, c := range q.Compare {
		left, right := q.side(c.Left), q.side(c.Right)
		equal := math.Abs(left-right) <= 1e-6*max(math.Abs(left), math.Abs(right))
		ok := equal && c.Is != "<" || left < right && !equal && c.Is != "="
		all = all && ok
		text := fmt.Sprintf("%s %.4g %s %.4g", c.Label, left, c.Is, right)
		if !ok {
			text += " is false"
		}
		shown = append(shown, strings.TrimSpace(text))
	}
	return holds(all), strings.Join(shown, "; ")
}

func (q *question) side(name string) float64 {
	if value, err := strconv.ParseFloat(name, 64); err == nil {
		return value
	}
	size := q.who.Figures
	if len(q.who.Sizes) > 0 {
		size = q.who.Sizes[len(q.who.Sizes)-1]
	}
	return q.number("%s", strings.NewReplacer("{size}", size, "{figure}", q.who.Figures, "{name}",
		q.who.Name).Replace(name))
}

// byArgument takes the verdict of the reading: an identity, a proof or a count that a test repeats and the note names.
func byArgument(q *question) (report.Result, string) {
	for _, r := range []report.Result{report.Holds, report.Fails} {
		if q.Verdict == r.String() {
			return r, q.Shown
		}
	}
	return report.Open, q.Shown
}

// untrained leaves open what only training can decide.
func untrained(q *question) (report.Result, string) { return report.Open, q.Shown }
