package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/face/server/work"
	"github.com/batopo/batopo/internal/solve/schedules"
	"github.com/batopo/batopo/mixing"

	"github.com/spf13/cobra"
)

// topologyFlags say what to build, and where the plan goes.
type topologyFlags struct {
	at              clusterFlags
	out             planOutput
	levels          twoLevelFlag
	params          mixing.Params
	clusterFile, of string
}

func newTopology(env Env) *cobra.Command {
	t := topologyFlags{params: mixing.Params{Seed: 1}}
	families, turns, collectives := knownTopologies()
	c := &cobra.Command{
		Use:   "topology FAMILY --nodes N",
		Short: "A known family as a plan: ring, grid, torus, exponential, …",
		Long: `topology builds a known topology with its usual weights and prices it on a cluster.

Static families:
` + listed(families) + `
Time-varying schedules:
` + listed(turns) + `
All-reduces, in the best order of the nodes that is found:
` + listed(collectives) + `
Of a plan or a graph of your own, given with --of:
  matchings             a one-peer schedule over its links
`,
		Example: `  batopo topology exponential --nodes 16
  batopo topology random-regular --nodes 64 --degree 6 --seed 3 --plot graph.svg
  batopo topology ring --cluster examples/bcube-16-1to2.yaml --json
  batopo topology base --nodes 22 -o base.json
  batopo topology matchings --of plan.json -o turns.json
  batopo topology all-reduce --cluster examples/node-level-16.yaml -o plan.json
  batopo topology one-peer-hypercube --two-level --cluster examples/leaf-spine-32.yaml`,
		Args: arguments(1, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return familyNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error { return t.run(c.Context(), env, args[0]) },
	}
	t.at.bind(c)
	t.out.bind(c)
	t.levels.bind(c)
	f := c.Flags()
	f.StringVar(&t.clusterFile, "cluster", "", "price it on this cluster description instead")
	f.StringVar(&t.of, "of", "", "the plan or graph whose edges take turns (matchings)")
	f.IntVar(&t.params.Degree, "degree", 0,
		"degree of k-nearest and random-regular, peers per round of schedules (default 4 and 1)")
	f.IntVar(&t.params.Shifts, "shifts", 0, "number of random shifts M of EquiStatic and EquiDyn")
	f.Uint64Var(&t.params.Seed, "seed", t.params.Seed, "seed of random families")
	f.StringVar(&t.params.Rule, "rule", "", "weight rule: "+strings.Join(ruleNames(), ", ")+" (default metropolis)")
	return c
}

func (f *topologyFlags) run(ctx context.Context, env Env, name string) error {
	if err := f.out.check(); err != nil {
		return err
	}
	hardware, err := f.at.resolve(f.clusterFile)
	if err != nil {
		return err
	}
	switch {
	case f.of == "" && name == "matchings":
		return errors.New("whose edges take turns? Give --of PLAN, or a graph of your own")
	case f.of == "" && hardware == nil:
		return errors.New("how many nodes? Give --nodes N or --cluster FILE")
	}
	plan, err := await(ctx, func() (*design.Plan, error) {
		if f.of != "" {
			return takingTurns(ctx, hardware, name, f.of)
		}
		return f.levels.plan(ctx, hardware, func(hardware *cluster.Cluster) (*design.Plan, error) {
			return knownPlan(ctx, hardware, name, f.params)
		})
	})
	if err != nil {
		return err
	}
	return f.out.write(ctx, env, plan)
}

// knownPlan builds a family, a schedule or a collective by name.
func knownPlan(ctx context.Context, c *cluster.Cluster, name string, params mixing.Params) (*design.Plan, error) {
	params.Nodes = c.Nodes()
	if name == work.AllReduce {
		return sweep.CollectivePlan(ctx, c, "", params.Seed)
	}
	if _, err := schedules.FindCollective(name); err == nil {
		return sweep.CollectivePlan(ctx, c, name, params.Seed)
	}
	family, err := mixing.FindFamily(name)
	if err != nil {
		schedule, noSchedule := mixing.FindSchedule(name)
		if noSchedule != nil {
			return nil, fmt.Errorf("there is no topology %q; known are %s", name, strings.Join(familyNames(), ", "))
		}
		s, err := schedule.Build(mixing.ScheduleParams{Nodes: params.Nodes, Degree: params.Degree, Shifts: params.Shifts,
			Seed: params.Seed})
		if err != nil {
			return nil, err
		}
		p, err := design.NewSchedulePlan(ctx, c, s)
		if err != nil {
			return nil, err
		}
		return named(p, name, params.Seed), nil
	}
	w, seed, err := family.Draw(params)
	if err != nil {
		return nil, err
	}
	p, err := sweep.Describe(ctx, c, w)
	if err != nil {
		return nil, err
	}
	if note := mixing.DrawNote(seed, params.Seed); note != "" {
		p.Notes = append(p.Notes, note)
	}
	return named(p, name, params.Seed), nil
}

// takingTurns builds a schedule of the edges of a given graph, on the graph's own cluster where none is given.
func takingTurns(ctx context.Context, c *cluster.Cluster, name, file string) (*design.Plan, error) {
	schedule, err := mixing.FindSchedule(name)
	if err != nil || !schedule.Takes(mixing.ParamBase) {
		return nil, fmt.Errorf("--of is for matchings; %s is built without a graph", name)
	}
	g, err := readGraph(ctx, file)
	if err != nil {
		return nil, err
	}
	if g.graph == nil {
		return nil, fmt.Errorf("%s: its edges take turns already", file)
	}
	if c == nil {
		if c, err = clusterOf(ctx, g, ""); err != nil {
			return nil, err
		}
	}
	w, _, err := g.mixed()
	if err != nil {
		return nil, err
	}
	s, err := schedule.Build(mixing.ScheduleParams{Base: w.Rounds[0]})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	p, err := design.NewSchedulePlan(ctx, c, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return named(p, name, 0), nil
}

func named(p *design.Plan, method string, seed uint64) *design.Plan {
	p.Method, p.Seed = method, seed
	return p
}
