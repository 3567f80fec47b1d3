package present

import (
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/show/report"
)

// AxisJSON says what the answer would be with other values of one quantity.
type AxisJSON struct {
	Of        advise.Quantity `json:"of"`
	Now       float64         `json:"now"`
	Intervals []IntervalJSON  `json:"intervals"` // side by side; one of them has now
}

// IntervalJSON is where one candidate is the answer.
type IntervalJSON struct {
	From      float64 `json:"from"`
	To        float64 `json:"to"`
	Winner    string  `json:"winner"`        // "": nothing that was looked at can run
	Row       int     `json:"row,omitempty"` // of the table; 0: it has none
	Confirmed bool    `json:"confirmed"`     // planning with new searches there has the same answer
}

func newAxesJSON(a *advise.Advice) (out []AxisJSON) {
	for _, axis := range a.Changes {
		j := AxisJSON{Of: axis.Of, Now: axis.Now}
		for _, i := range axis.Intervals {
			one := IntervalJSON{From: i.From, To: i.To, Confirmed: i.Confirmed}
			if i.Winner.Kind != "" {
				one.Winner = candidateText(i.Winner)
			}
			if at := rowOf(a.All, i.Winner); at >= 0 {
				one.Row = a.Row(a.All[at])
			}
			j.Intervals = append(j.Intervals, one)
		}
		out = append(out, j)
	}
	return out
}

// rowOf is the position of a winner among candidates; -1: it is not there.
func rowOf(shown []advise.Candidate, winner advise.Candidate) int {
	return slices.IndexFunc(shown, func(k advise.Candidate) bool {
		return k.Name == winner.Name && k.Every == winner.Every && k.Overlap == winner.Overlap
	})
}

// changeNotes list for every quantity what the answer would be.
func changeNotes(c *cluster.Cluster, a *advise.Advice) (notes []string) {
	if len(a.Changes) == 0 {
		return nil
	}
	notes = []string{"The answer with other numbers, one at a time, as far as they were tried:"}
	for _, text := range axisTexts(c, a) {
		notes = append(notes, "  "+text)
	}
	if strings.Contains(strings.Join(notes, ""), notConfirmed) {
		notes = append(notes, "Not confirmed: searching again with these numbers would take too long here, or found "+
			"something else.")
	}
	return notes
}

// axisTexts list intervals and their winners, a line for every quantity.
func axisTexts(c *cluster.Cluster, a *advise.Advice) (texts []string) {
	for _, axis := range a.Changes {
		var say []string
		for k, i := range axis.Intervals {
			winner := "this answer"
			if k != axis.Here() {
				winner = winnerText(a, i, nil)
			}
			say = append(say, spanText(axis, k)+": "+winner)
		}
		texts = append(texts, fmt.Sprintf("%s: %s", quantityText(c, axis.Of), strings.Join(say, "; ")))
	}
	return texts
}

// changes are the nearest changes of every quantity, the nearest of all first, with the row of the winner where the
// table shows it.
func changes(c *cluster.Cluster, a *advise.Advice, shown []advise.Candidate) (say []string) {
	var winners []string
	for _, axis := range advise.NearestFirst(a.Changes) {
		at := axis.Nearest()
		where, winner := quantityText(c, axis.Of)+" "+nearText(axis, at), winnerText(a, axis.Intervals[at], shown)
		if k := slices.Index(winners, winner); k >= 0 {
			say[k] += ", " + where
		} else {
			winners, say = append(winners, winner), append(say, where)
		}
	}
	for k := range say {
		say[k] += ": " + winners[k]
	}
	return say
}

const notConfirmed = " (not confirmed"

// winnerText names what is the answer in an interval.
func winnerText(a *advise.Advice, i advise.Interval, shown []advise.Candidate) string {
	text := rowText(i.Winner)
	if at := rowOf(shown, i.Winner); at >= 0 {
		text = fmt.Sprintf("row %d", a.Row(shown[at]))
	}
	switch {
	case i.Winner.Kind == "":
		return "nothing here can run; plan again"
	case !i.Confirmed && a.Unsearched:
		return text + notConfirmed + "; a search may find better)"
	case !i.Confirmed:
		return text + notConfirmed + ")"
	}
	return text
}

// nearText says where a change begins, and where it ends if that is soon.
func nearText(axis advise.Axis, at int) string {
	const soon = 2
	i, ends := axis.Intervals[at], axis.Intervals[at].To < soon*axis.Intervals[at].From
	switch inside := at > 0 && at < len(axis.Intervals)-1; {
	case inside && ends:
		return spanText(axis, at)
	case at < axis.Here():
		return "below " + valueText(axis.Of, i.To)
	}
	return "above " + valueText(axis.Of, i.From)
}

// spanText says from where to where an interval is.
func spanText(axis advise.Axis, at int) string {
	i, first, last := axis.Intervals[at], at == 0, at == len(axis.Intervals)-1
	from, to := valueText(axis.Of, i.From), valueText(axis.Of, i.To)
	switch {
	case first && !last:
		return "below " + to
	case last && !first:
		return "above " + from
	}
	return from + " to " + to
}

// quantityText names a quantity.
func quantityText(c *cluster.Cluster, of advise.Quantity) string {
	if least, most := computeSpan(c); of == advise.ComputeTime && least < most {
		return "compute on the slowest node" // and in proportion on the others
	}
	return string(of)
}

func valueText(of advise.Quantity, value float64) string {
	switch of {
	case advise.MessageSize:
		return short(value) + " MB"
	case advise.Bandwidth:
		return "× " + short(value)
	}
	return report.Time(value)
}
