package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"batopo/design"
	"batopo/internal/outfile"
	"batopo/planner"
	"batopo/spectral"

	"github.com/spf13/cobra"
)

// writeJSON prints v as indented JSON in one piece.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// fixed prints v with so many decimals; what is printed as zero has no sign.
func fixed(v float64, decimals int) string {
	if math.Abs(v) >= 1e15 {
		return strconv.FormatFloat(v, 'g', 4, 64) // a row of digits that nobody counts
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// short spells v with four digits, or all digits before the point where there are more.
func short(v float64) string {
	if a := math.Abs(v); a >= 1000 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// planOutput is where a command that makes one plan puts it.
type planOutput struct {
	json bool
	file string
	plot string
}

func (o *planOutput) bind(c *cobra.Command) {
	c.Flags().BoolVar(&o.json, "json", false, "print the plan as JSON")
	c.Flags().StringVarP(&o.file, "output", "o", "", "write the plan to this file; - is standard output")
	c.Flags().StringVar(&o.plot, "plot", "", "draw the graph into this .svg file")
}

// check complains about files that cannot be written, before a search for what they should hold.
func (o *planOutput) check() error {
	if o.file != "" {
		if err := canWrite(o.file); err != nil {
			return err
		}
	}
	return canDraw(o.plot)
}

// write puts the plan where it was asked for. A stop comes too late for it: what was found is written.
func (o *planOutput) write(ctx context.Context, env Env, p *design.Plan) error {
	ctx = context.WithoutCancel(ctx)
	if p.Run.Program == "" {
		p.Run = runBlock(time.Now())
	}
	if o.file != "" && !toStdout(o.file) {
		if err := outfile.Write(ctx, o.file, p.Write); err != nil {
			return err
		}
	}
	if o.plot != "" {
		if err := drawPlan(ctx, o.plot, p); err != nil {
			return err
		}
	}
	if o.json || toStdout(o.file) {
		return p.Write(env.Stdout)
	}
	return printPlan(env.Stdout, p)
}

// printPlan describes a plan in a few lines for people.
func printPlan(w io.Writer, p *design.Plan) error {
	var b strings.Builder
	kind := "undirected"
	if p.Directed {
		kind = "directed"
	}
	row := planner.PlanRow(p.Method, p)
	fmt.Fprintf(&b, "%s on %d nodes, %s\n", p.Method, p.Nodes, kind)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-18s "+format+"\n", append([]any{name}, args...)...)
	}
	if !p.Static() {
		line("rounds", "%d per period, %s in all, at most %s per round", len(p.Rounds), count(row.Edges, "pair"), count(p.MaxDegree, "peer"))
	} else {
		line("edges", "%d, largest degree %d", row.Edges, p.MaxDegree)
	}
	line("r_asym", "%.6f%s", p.RAsym, map[design.Kind]string{design.Proved: "", design.Estimate: " (estimate)"}[p.RAsymKind])
	if p.Lambda2 != nil {
		line("eigenvalues", "second %s, smallest %s", fixed(*p.Lambda2, 6), fixed(*p.LambdaN, 6))
	}
	if p.Bound != nil {
		line("lower bound", "%.6f: %s", p.Bound.RAsym, p.Bound.Detail)
		if p.Gap != nil {
			line("gap", "at most %.2f %% above the best possible", 100**p.Gap)
		}
	}
	if p.DegreeBound != nil {
		line("at this degree", "%.6f: %s", p.DegreeBound.RAsym, p.DegreeBound.Detail)
	}
	if p.WeightsBound != nil {
		line("weights", "no weights on these edges reach below %s (certificate)", fixed(p.WeightsBound.RAsym, 9))
	}
	line("slowest edge", "%s GB/s", short(p.MinEdgeGBs))
	line("a round takes", "%s ms", short(p.CommunicationMS))
	if p.Iterations > 0 {
		line("to error "+fmt.Sprintf("%.0e", p.TargetError), "%s, %s ms", count(p.Iterations, "round"), short(p.TimeMS))
	}
	for _, n := range p.Notes {
		line("note", "%s", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// runBlock says what made a plan and since when.
func runBlock(started time.Time) design.Run {
	return design.Run{Program: version(), LAPACK: spectral.LAPACK(), ElapsedMS: time.Since(started).Milliseconds(), Started: started.UTC().Format(time.RFC3339)}
}
