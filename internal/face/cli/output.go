package cli

import (
	"context"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/show/present"

	"github.com/spf13/cobra"
)

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
		p.Run = design.NewRun(time.Now())
	}
	if o.file != "" && !toStdout(o.file) {
		if err := outfile.Write(ctx, o.file, p.Write); err != nil {
			return err
		}
	}
	if o.plot != "" {
		figure, err := present.DrawGraph(p)
		if err != nil {
			return err
		}
		if err := outfile.Write(ctx, o.plot, figure.Write); err != nil {
			return err
		}
	}
	if o.json || toStdout(o.file) {
		return p.Write(env.Stdout)
	}
	return present.WritePlan(sentences(env), p)
}
