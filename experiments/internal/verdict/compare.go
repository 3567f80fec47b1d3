package verdict

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/batopo/batopo/experiments/internal/paper"
)

// compareFacts asks whether every comparison of the reading is true. A side is the name of a fact or a number; {n},
// {figure} and {name} in it stand for the numbers of nodes of Table I, each in turn, for the subject's rows of the
// figures and for its name. Where one would be false even for exact averages, the measurement cannot decide: it stays
// open.
func compareFacts(q *question) (Result, string) {
	all, could := true, true
	var shown []string
	for _, c := range q.Compare {
		sizes := q.Table1.Nodes
		if !strings.Contains(c.Label, "{n}") {
			sizes = sizes[:1]
		}
		for _, n := range sizes {
			ok, text := q.compare(c, n)
			if c.Most != "" {
				c.Right = c.Most
				possible, _ := q.compare(c, n)
				could = could && possible
				text += fmt.Sprintf(" (exact averages: %.4g)", q.number("%s", c.Most))
			}
			all = all && ok
			shown = append(shown, text)
		}
	}
	if !all && !could {
		return Open, "cannot be tested here, exact averages would not meet all: " + strings.Join(shown, "; ")
	}
	return holds(all), strings.Join(shown, "; ")
}

// compare makes one comparison. Numbers within a millionth are equal, unless it says how near they must be.
func (q *question) compare(c paper.Comparison, n int) (ok bool, text string) {
	fill := strings.NewReplacer("{n}", strconv.Itoa(n), "{figure}", q.who.Figures, "{name}", q.who.Name)
	side := func(name string) float64 {
		if value, err := strconv.ParseFloat(name, 64); err == nil {
			return value
		}
		return q.number("%s", fill.Replace(name))
	}
	left, right := side(c.Left), side(c.Right)
	equal := math.Abs(left-right) <= max(1e-6*max(math.Abs(left), math.Abs(right)), c.Within*math.Abs(right))
	ok = equal && c.Is != "<" || left < right && !equal && strings.HasPrefix(c.Is, "<")
	text = strings.TrimSpace(fmt.Sprintf("%s %.4g %s %.4g", fill.Replace(c.Label), left, c.Is, right))
	if !ok {
		text += " is false"
	}
	return ok, text
}

// byArgument takes the verdict of the reading: an identity, a proof or a count that a test repeats and the note names.
func byArgument(q *question) (Result, string) {
	return map[string]Result{"holds": Holds, "fails": Fails}[q.Verdict], q.Shown
}
