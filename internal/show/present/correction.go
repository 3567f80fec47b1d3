package present

import (
	"fmt"
	"io"
	"strings"

	"github.com/batopo/batopo/internal/choose/correct"
	"github.com/batopo/batopo/internal/show/report"
)

// CorrectionJSON is what a trial changed about the description of a cluster, as programs read it.
type CorrectionJSON struct {
	Text         string             `json:"text"`
	MessageMB    float64            `json:"message_mb"`
	ComputeMS    float64            `json:"compute_ms"`     // of the slowest node
	Rate         float64            `json:"rate"`           // bandwidths are those of the description times this
	PerMessageMS float64            `json:"per_message_ms"` // of every message
	Ways         []CorrectedWayJSON `json:"ways"`
	Skipped      []string           `json:"skipped,omitempty"`
}

// CorrectedWayJSON is a way of training that was measured.
type CorrectedWayJSON struct {
	Name       string  `json:"name"`
	MeasuredMS float64 `json:"measured_ms"`
	BeforeMS   float64 `json:"predicted_before_ms"`
	ComputeMS  float64 `json:"compute_ms"` // what correcting compute times added
	LinksMS    float64 `json:"links_ms"`
	MessagesMS float64 `json:"messages_ms"`
	AfterMS    float64 `json:"predicted_after_ms"`
}

// NewCorrectionJSON is the JSON form of a correction; nil where there is none.
func NewCorrectionJSON(c *correct.Correction) *CorrectionJSON {
	if c == nil {
		return nil
	}
	out := &CorrectionJSON{Text: strings.Join(CorrectionSentences(c), " "), MessageMB: c.Is.MessageMB,
		ComputeMS: c.Is.ComputeMS, Rate: c.Is.Rate, PerMessageMS: c.Is.PerMessageMS, Skipped: c.Skipped}
	for _, w := range c.Ways {
		out.Ways = append(out.Ways, CorrectedWayJSON{Name: w.Name, MeasuredMS: w.MeasuredMS, BeforeMS: w.BeforeMS,
			ComputeMS: w.ComputeMS, LinksMS: w.LinksMS, MessagesMS: w.MessagesMS, AfterMS: w.AfterMS})
	}
	return out
}

// CorrectionSentences say what was measured on the machines, and how well predictions agree with it.
func CorrectionSentences(c *correct.Correction) []string {
	change := func(is, was float64, unit string) string {
		if short(is) == short(was) {
			return fmt.Sprintf("%s%s as described", short(is), unit)
		}
		return fmt.Sprintf("%s%s (described: %s)", short(is), unit, short(was))
	}
	what := fmt.Sprintf("Measured on your machines, %d ranks over %s: an iteration computes for %s; links carry %s times "+
		"what is described; a message costs %s", c.Trial.Ranks, c.Trial.Backend,
		change(c.Is.ComputeMS, c.Was.ComputeMS, " ms"), short(c.Is.Rate),
		change(c.Is.PerMessageMS, c.Was.PerMessageMS, " ms"))
	if short(c.Is.MessageMB) != short(c.Was.MessageMB) {
		what += fmt.Sprintf("; messages have %s", change(c.Is.MessageMB, c.Was.MessageMB, " MB"))
	}
	before, after := c.Errors()
	say := []string{what + ". The answer counts with these numbers.", fmt.Sprintf(
		"Predictions differed from the trial by %s in the median and %s at most; now by %s and %s.",
		tenths(before[0]), tenths(before[1]), tenths(after[0]), tenths(after[1]))}
	if !c.FitMessage {
		say = append(say, "One way of exchanging does not tell links from messages: the cost of a message is as described.")
	}
	const poor = 0.25
	if after[1] > poor {
		say = append(say, "One factor for all links does not explain the trial; measure every link with batopo.measure.")
	}
	for _, text := range c.Skipped {
		say = append(say, "Not used: "+text+".")
	}
	return say
}

// correctionText is the same in one sentence.
func correctionText(c *correct.Correction) string {
	return fmt.Sprintf("Corrected by the trial: %s ms of compute, links %s times as described, %s ms a message.",
		short(c.Is.ComputeMS), short(c.Is.Rate), short(c.Is.PerMessageMS))
}

// CorrectionTable splits the error of every prediction into what computing, links and messages explain.
func CorrectionTable(c *correct.Correction) report.Table {
	t := report.NewTable("ms an iteration", ">measured", ">predicted", ">compute", ">links", ">messages", ">corrected",
		">error")
	for _, w := range c.Ways {
		t.Add(w.Name, fixed(w.MeasuredMS, 1), fixed(w.BeforeMS, 1), signed(w.ComputeMS), signed(w.LinksMS),
			signed(w.MessagesMS), fixed(w.AfterMS, 1), signed(100*(w.AfterMS/w.MeasuredMS-1))+" %")
	}
	return t
}

// tenths shows an error in percent.
func tenths(share float64) string { return fixed(100*share, 1) + " %" }

// signed shows a difference.
func signed(v float64) string {
	if text := fixed(v, 1); strings.HasPrefix(text, "-") || text == "0.0" {
		return text
	}
	return "+" + fixed(v, 1)
}

// WriteCorrection prints what was measured on the machines, in lines of that many columns.
func WriteCorrection(w io.Writer, c *correct.Correction, width int) error {
	var b strings.Builder
	for _, line := range CorrectionSentences(c) {
		b.WriteString(report.Filled(line, "", width))
	}
	if err := CorrectionTable(c).WriteText(&b); err != nil {
		return err
	}
	fmt.Fprintln(&b, "compute, links, messages: what correcting each adds to the prediction.")
	fmt.Fprintln(&b)
	_, err := io.WriteString(w, b.String())
	return err
}
