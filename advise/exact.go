package advise

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/internal/grace"
	"github.com/batopo/batopo/planner"
)

// library names the forms of all-reduce that NCCL runs, whatever order of the nodes suits them.
var library = []string{"ring-all-reduce", "two-tree", "two-level"}

// exact lists DDP and the exact averages of models in all forms.
func (l *list) exact(ctx context.Context, sweep *planner.Sweep) {
	var runs []*collective.Algorithm
	var all []*process
	for _, form := range planner.CollectiveForms {
		as := formLabel(form.Name)
		plan, err := sweep.CollectivePlan(ctx, l.c, form.Name, l.seed)
		if err != nil {
			l.add(as, nil, err)
			continue
		}
		p, err := newProcess(ctx, plan)
		if err != nil {
			l.add(as, nil, err)
			continue
		}
		p.label = as
		all = append(all, p)
		if slices.Contains(library, form.Name) {
			runs = append(runs, plan.Collective.Runs())
		}
	}
	if len(runs) > 0 {
		l.add(called("DistributedDataParallel", "DistributedDataParallel"), ddp(l.c.Nodes(), runs), nil)
	}
	for _, p := range all {
		l.add(p.label, p, nil)
	}
}

// formLabel is that of an exact average in one of the planner's forms.
func formLabel(form string) label { return exactLabel(strings.TrimSuffix(form, "-all-reduce")) }

// Late are the forms of all-reduce that might make DDP faster, had the time not been over before they were priced.
func (a *Advice) Late() (forms []string) {
	for _, form := range library {
		if slices.ContainsFunc(a.Skipped, func(s planner.Skipped) bool {
			return s.Name == formLabel(form).name && errors.Is(s.Err, grace.ErrGivenUp)
		}) {
			forms = append(forms, form)
		}
	}
	return forms
}
