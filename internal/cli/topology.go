package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"batopo/cluster"
	"batopo/design"
	"batopo/mixing"
	"batopo/planner"
	"batopo/report"

	"github.com/spf13/cobra"
)

func newTopology(env Env) *cobra.Command {
	var at clusterFlags
	var out planOutput
	params := mixing.Params{Seed: 1}
	var clusterFile string
	c := &cobra.Command{
		Use:   "topology FAMILY --nodes N",
		Short: "A known family as a plan: ring, grid, torus, exponential, …",
		Long: `topology builds a known topology with its usual weights and prices it on a cluster.

Static families:
` + listFamilies() + `
Time-varying schedules:
` + listSchedules(),
		Example: `  batopo topology exponential --nodes 16
  batopo topology random-regular --nodes 64 --degree 6 --seed 3 --plot graph.svg
  batopo topology ring --cluster examples/bcube-16-1to2.yaml --json
  batopo topology base --nodes 22 -o base.json`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return familyNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			hardware, err := at.resolve(clusterFile)
			if err != nil {
				return err
			}
			if hardware == nil {
				return fmt.Errorf("how many nodes? Give --nodes N or --cluster FILE")
			}
			plan, err := knownPlan(hardware, args[0], params)
			if err != nil {
				return err
			}
			return out.write(env, plan)
		},
	}
	at.bind(c)
	out.bind(c)
	f := c.Flags()
	f.StringVar(&clusterFile, "cluster", "", "price it on this cluster description instead")
	f.IntVar(&params.Degree, "degree", 0, "degree of k-nearest and random-regular (default 4); peers per round of schedules (default 1)")
	f.IntVar(&params.Shifts, "shifts", 0, "number of random shifts M of EquiStatic and EquiDyn")
	f.Uint64Var(&params.Seed, "seed", params.Seed, "seed of random families")
	f.StringVar(&params.Rule, "rule", "", "weight rule: "+strings.Join(ruleNames(), ", ")+" (default metropolis)")
	return c
}

// knownPlan builds a family or a schedule by name.
func knownPlan(c *cluster.Cluster, name string, params mixing.Params) (*design.Plan, error) {
	params.Nodes = c.Nodes()
	family, err := mixing.FindFamily(name)
	if err != nil {
		schedule, noSchedule := mixing.FindSchedule(name)
		if noSchedule != nil {
			return nil, fmt.Errorf("there is no topology %q; known are %s", name, strings.Join(familyNames(), ", "))
		}
		s, err := schedule.Build(mixing.ScheduleParams{Nodes: params.Nodes, Degree: params.Degree, Shifts: params.Shifts, Seed: params.Seed})
		if err != nil {
			return nil, err
		}
		p, err := design.NewSchedulePlan(c, s)
		if err != nil {
			return nil, err
		}
		return named(p, name, params.Seed), nil
	}
	w, err := family.Build(params)
	if err != nil {
		return nil, err
	}
	p, err := planner.Describe(c, w)
	if err != nil {
		return nil, err
	}
	return named(p, name, params.Seed), nil
}

func named(p *design.Plan, method string, seed uint64) *design.Plan {
	p.Method, p.Seed = method, seed
	return p
}

func listFamilies() string {
	var b strings.Builder
	for _, f := range mixing.Families {
		fmt.Fprintf(&b, "  %-22s%s\n", f.Name, f.Doc)
	}
	return b.String()
}

func listSchedules() string {
	var b strings.Builder
	for _, f := range mixing.Schedules {
		if !f.Takes(mixing.ParamBase) {
			fmt.Fprintf(&b, "  %-22s%s\n", f.Name, f.Doc)
		}
	}
	return b.String()
}

func familyNames() []string {
	var names []string
	for _, f := range mixing.Families {
		names = append(names, f.Name)
	}
	for _, f := range mixing.Schedules {
		if !f.Takes(mixing.ParamBase) {
			names = append(names, f.Name)
		}
	}
	return names
}

func ruleNames() []string {
	var names []string
	for _, r := range mixing.Rules {
		names = append(names, r.Name)
	}
	return names
}

// planOutput is where a command that makes one plan puts it.
type planOutput struct {
	json bool
	file string
	plot string
}

func (o *planOutput) bind(c *cobra.Command) {
	c.Flags().BoolVar(&o.json, "json", false, "print the plan as JSON")
	c.Flags().StringVarP(&o.file, "output", "o", "", "write the plan to this file")
	c.Flags().StringVar(&o.plot, "plot", "", "draw the graph into this file (.svg, .png or .pdf)")
}

// check complains about files that cannot be written, before a search for what they should hold.
func (o *planOutput) check() error {
	if o.plot != "" {
		if _, err := report.FormatOf(o.plot); err != nil {
			return err
		}
	}
	for _, name := range []string{o.file, o.plot} {
		if name == "" {
			continue
		}
		if err := canWrite(name); err != nil {
			return err
		}
	}
	return nil
}

func (o *planOutput) write(env Env, p *design.Plan) error {
	if p.Run.Program == "" {
		p.Run = runBlock(time.Now())
	}
	if o.file != "" {
		if err := writeFile(o.file, p.Write); err != nil {
			return err
		}
	}
	if o.plot != "" {
		if err := drawPlan(o.plot, p); err != nil {
			return err
		}
	}
	if o.json {
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
	if len(p.Rounds) > 0 {
		line("rounds", "%d per period, %d pairs in all, at most %d peers per round", len(p.Rounds), row.Edges, p.MaxDegree)
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
	line("slowest edge", "%.4g GB/s", p.MinEdgeGBs)
	line("a round takes", "%.4g ms", p.CommunicationMS)
	if p.Iterations > 0 {
		line("to error "+fmt.Sprintf("%.0e", p.TargetError), "%d rounds, %.4g ms", p.Iterations, p.TimeMS)
	}
	for _, n := range p.Notes {
		line("note", "%s", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
