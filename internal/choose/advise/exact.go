package advise

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/workers"
	"github.com/batopo/batopo/internal/solve/schedules"
)

// offered names the forms of all-reduce that a backend runs, whatever order of the nodes suits them.
var offered = map[cluster.Backend][]string{
	cluster.NCCL: {"ring-all-reduce", "two-tree", "two-level"}, cluster.Gloo: {"ring-all-reduce"},
}

// exact lists DistributedDataParallel with what a library offers, and parameter averaging in all forms.
func (l *list) exact(ctx context.Context, swept *sweep.Sweep) {
	var libraries []*design.Plan // all-reduces that libraries have
	var all []*process
	var none error // why DDP has no all-reduce to run; before all, that there was no time
	plans, errs := make([]*design.Plan, len(schedules.Collectives)), make([]error, len(schedules.Collectives))
	workers.Each(0, len(plans), func(k int) {
		plans[k], errs[k] = swept.CollectivePlan(ctx, l.c, schedules.Collectives[k].Name, l.setting.Seed)
	})
	for k, form := range schedules.Collectives {
		as, offers := formLabel(form.Name), slices.Contains(offered[l.c.Backend()], form.Name)
		plan, err := plans[k], errs[k]
		var p *process
		if err == nil {
			p, err = newProcess(ctx, plan)
		}
		if err != nil {
			l.add(as, nil, err)
			if offers && (none == nil || sweep.Skip(form.Name, err).Late()) {
				none = err
			}
			continue
		}
		p.label = as
		all = append(all, p)
		if offers {
			libraries = append(libraries, plan)
		}
	}
	if len(libraries) > 0 {
		l.libraries(ctx, libraries)
		l.order(quickest(libraries))
	} else {
		l.add(ddpLabel, nil, fmt.Errorf("none of the all-reduces that libraries have was priced: %w", none))
	}
	for _, p := range all {
		l.add(p.label, p, nil)
	}
}

// formLabel names a known collective.
func formLabel(form string) label { return exactLabel(strings.TrimSuffix(form, "-all-reduce")) }

// Late are the forms of all-reduce that might make DDP faster, had the time not been over before they were priced.
func (a *Advice) Late() (forms []string) {
	for _, form := range offered[cluster.NCCL] {
		if slices.ContainsFunc(a.Skipped, func(s sweep.Skipped) bool {
			return s.Name == formLabel(form).name && errors.Is(s.Err, grace.ErrGivenUp)
		}) {
			forms = append(forms, form)
		}
	}
	return forms
}
