package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/show/present"

	"github.com/spf13/cobra"
)

// traceOutput is where the steps of Algorithm 2 go: tables and pictures, by the ending of the name.
type traceOutput struct {
	files []string
	mutex sync.Mutex // a search that was given up may still report
	steps []design.Step
}

func (t *traceOutput) bind(c *cobra.Command) {
	c.Flags().StringArrayVar(&t.files, "trace", nil,
		"admm and paper: write every step into this .csv file, or draw it into this .svg file; may be given twice")
}

// check complains about files that cannot be written, before a search for what they should hold.
func (t *traceOutput) check() error {
	for _, name := range t.files {
		if err := canChart(name); err != nil {
			return fmt.Errorf("trace: %w", err)
		}
	}
	return nil
}

// follow has the solver report its steps, where somebody wants them.
func (t *traceOutput) follow(o *batopo.Options) {
	if len(t.files) == 0 {
		return
	}
	o.Paper.Trace = true
	show := o.Progress
	o.Progress = func(p design.Progress) {
		if p.Step != nil {
			t.mutex.Lock()
			t.steps = append(t.steps, *p.Step)
			t.mutex.Unlock()
		}
		show(p)
	}
}

// write saves the trace. A stop comes too late for it: what was traced is written.
func (t *traceOutput) write(ctx context.Context) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	slices.SortFunc(t.steps, func(a, b design.Step) int {
		return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Number, b.Number))
	})
	for _, name := range t.files {
		if err := writeChart(context.WithoutCancel(ctx), name, present.Trace(t.steps)); err != nil {
			return err
		}
	}
	return nil
}
