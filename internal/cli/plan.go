package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"batopo/cluster"
	"batopo/design"
	"batopo/internal/outfile"
	"batopo/planner"
	"batopo/report"

	"github.com/spf13/cobra"
)

func newPlan(env Env) *cobra.Command {
	var at clusterFlags
	var ask questionFlags
	var how searchFlags
	var asJSON bool
	var folder, objective string
	var edges, maxDegree int
	c := &cobra.Command{
		Use:   "plan [CLUSTER.yaml | --nodes N]",
		Short: "Choose everything: how many edges, which, and with what weights",
		Long: `plan is the main job. It finds the budgets that the cluster's bandwidths make
meaningful, solves each, and recommends the one that reaches the target error soonest: more edges
agree in fewer rounds, but every round takes longer. The answer is shown beside every known topology,
the one-peer schedules and ring all-reduce, also where they win.

With -o DIR it writes plan.json, pictures and a self-contained report.html.`,
		Example: `  batopo plan --nodes 16
  batopo plan examples/node-level-16.yaml -o out
  batopo plan --nodes 64 --purpose training --time 30s`,
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			hardware, err := at.required(args)
			if err != nil {
				return err
			}
			problem, err := ask.problem(hardware, max(edges, hardware.Nodes()-1))
			if err != nil {
				return err
			}
			problem.MaxEdges, problem.MaxDegree, problem.Objective = edges, maxDegree, design.Objective(strings.ToLower(objective))
			if problem.Objective != design.Rate && problem.Objective != design.Time {
				return fmt.Errorf("--objective is %q; it must be %q or %q", objective, design.Rate, design.Time)
			}
			if folder != "" {
				if err := canFill(folder); err != nil {
					return err
				}
			}
			started := time.Now()
			var sweep *planner.Sweep
			err = how.run(c.Context(), env, func(ctx context.Context, s planner.Settings) (err error) {
				sweep, err = planner.Plan(ctx, problem, s)
				return err
			})
			if err != nil {
				return err
			}
			for _, b := range sweep.Budgets {
				if b.Plan != nil {
					b.Plan.Run = runBlock(started)
				}
			}
			if folder != "" {
				if err := writePlanFolder(c.Context(), env, folder, problem, sweep); err != nil {
					return err
				}
			}
			if asJSON {
				return writeJSON(env.Stdout, sweepJSON(sweep))
			}
			return printSweep(env.Stdout, problem, sweep, folder)
		},
	}
	at.bind(c)
	ask.bind(c)
	how.bind(c)
	f := c.Flags()
	f.BoolVar(&asJSON, "json", false, "print budgets, recommendation and opponents as JSON")
	f.StringVarP(&folder, "output", "o", "", "write plan.json, pictures and report.html into this folder")
	f.IntVarP(&edges, "edges", "r", 0, "look at budgets of at most so many edges only")
	f.IntVar(&maxDegree, "max-degree", 0, "at most so many neighbours per node")
	f.StringVar(&objective, "objective", string(design.Time), "time: soonest at the target; rate: least r_asym whatever a round costs")
	return c
}

// budgetJSON is one budget of a sweep in JSON.
type budgetJSON struct {
	MaxEdges  int          `json:"max_edges"`
	UnitGBs   float64      `json:"unit_gb_s"`
	MaxDegree int          `json:"max_degree,omitempty"`
	Neighbors float64      `json:"effective_neighbors,omitempty"` // n_W(γ), for training
	Plan      *planner.Row `json:"plan"`
	Reason    string       `json:"reason,omitempty"`
}

func sweepJSON(s *planner.Sweep) any {
	out := struct {
		Recommended *design.Plan      `json:"recommended"`
		Budgets     []budgetJSON      `json:"budgets"`
		Beyond      string            `json:"beyond,omitempty"`
		Opponents   []planner.Row     `json:"opponents"`
		Skipped     []planner.Skipped `json:"skipped,omitempty"`
		Heuristic   string            `json:"heuristic,omitempty"`
	}{Recommended: s.Best(), Beyond: s.Beyond, Opponents: s.Opponents, Skipped: s.Skipped, Heuristic: s.Heuristic}
	for _, b := range s.Budgets {
		j := budgetJSON{MaxEdges: b.Allocation.MaxEdges, UnitGBs: b.Allocation.UnitGBs, MaxDegree: b.MaxDegree, Neighbors: b.Neighbors, Reason: b.Reason}
		if b.Plan != nil {
			row := planner.PlanRow(b.Plan.Method, b.Plan)
			j.Plan = &row
		}
		out.Budgets = append(out.Budgets, j)
	}
	return out
}

// budgetTable lists the budgets; the recommended row stands out. Where the ranking is a heuristic, what it is made of is shown too.
func budgetTable(c *cluster.Cluster, s *planner.Sweep) report.Table {
	titles := []string{"edges", "degree", "r_asym", "bound", "λ₂", "λₙ", "ms/round", "rounds", "ms to target"}
	if s.Heuristic != "" {
		titles = append(titles, "ms/iteration", fmt.Sprintf("n_W(%v)", planner.NoiseDecay))
	}
	var t report.Table
	for _, title := range titles {
		t.Columns = append(t.Columns, report.Column{Title: title, Numeric: true})
	}
	t.Columns = append(t.Columns, report.Column{Title: "note"})
	for k, b := range s.Budgets {
		cells := make([]string, len(t.Columns))
		cells[len(cells)-1] = b.Reason
		if b.Plan == nil {
			cells[0], cells[6] = fmt.Sprintf("≤ %d", b.Allocation.MaxEdges), fixed(c.Spec().LatencyMS+c.Model().MessageMB/b.Allocation.UnitGBs, 2)
			t.Add(cells...)
			continue
		}
		p := b.Plan
		copy(cells, []string{fmt.Sprint(len(p.Edges())), fmt.Sprint(p.MaxDegree), fmt.Sprintf("%.4f", p.RAsym), fmt.Sprintf("%.4f", p.Bound.RAsym),
			fixed(*p.Lambda2, 3), fixed(*p.LambdaN, 3), fixed(p.CommunicationMS, 2), fmt.Sprint(p.Iterations), fixed(p.TimeMS, 1)})
		if s.Heuristic != "" {
			copy(cells[9:], []string{fixed(p.CommunicationMS+p.ComputeMS, 2), fixed(b.Neighbors, 2)})
		}
		if k == s.Recommended {
			cells[len(cells)-1] = "recommended"
			t.AddStrong(cells...)
		} else {
			t.Add(cells...)
		}
	}
	return t
}

// reasons says in sentences why the recommended plan was chosen and what it gains or loses.
func reasons(s *planner.Sweep) []string {
	best := s.Best()
	say := []string{fmt.Sprintf("Recommended: %s, at most %s, %s of %s ms%s: %s ms to an error of %.0e.", count(len(best.Edges()), "edge"),
		count(best.MaxDegree, "neighbour"), count(best.Iterations, "round"), short(best.CommunicationMS), map[bool]string{true: " each"}[best.Iterations > 1], short(best.TimeMS), best.TargetError)}
	if s.Heuristic != "" {
		say = append(say, "The choice is "+s.Heuristic+". What follows compares times to agreement only.")
	}
	var behind []string
	var ahead []string
	for _, r := range s.Opponents {
		if r.TimeMS == nil {
			continue
		}
		if ratio := *r.TimeMS / best.TimeMS; ratio > 1 {
			behind = append(behind, fmt.Sprintf("%s %s×", r.Name, fixed(ratio, 2)))
		} else {
			ahead = append(ahead, fmt.Sprintf("%s (%s ms)", r.Name, short(*r.TimeMS)))
		}
	}
	if len(behind) > 0 {
		say = append(say, "Slower than the plan: "+strings.Join(behind, ", ")+".")
	}
	if len(ahead) > 0 {
		say = append(say, "As fast or faster under this model: "+strings.Join(ahead, ", ")+
			". Exact schedules and all-reduce need every node in step; a static plan keeps its peers and tolerates stragglers.")
	}
	return say
}

func printSweep(w io.Writer, p design.Problem, s *planner.Sweep, folder string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d nodes, %s, objective %s\n\n", p.Cluster.Nodes(), p.Purpose, p.Objective)
	if err := budgetTable(p.Cluster, s).WriteText(&b); err != nil {
		return err
	}
	fmt.Fprintln(&b)
	if s.Beyond != "" {
		fmt.Fprintln(&b, s.Beyond)
	}
	for _, line := range reasons(s) {
		fmt.Fprintln(&b, line)
	}
	if folder != "" {
		fmt.Fprintf(&b, "Written: %s\n", filepath.Join(folder, "plan.json, report.html and pictures"))
	} else {
		fmt.Fprintln(&b, "-o DIR writes plan.json, pictures and report.html.")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// canFill complains now about a folder that could not be filled after a long search, and makes it where there is none.
func canFill(folder string) error {
	if toStdout(folder) {
		return errors.New("plan -o writes several files and needs a folder; --json prints the result on standard output")
	}
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return fmt.Errorf("cannot write into %s: it is a file; plan -o needs a folder", folder)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("cannot make the folder %s: %w", folder, err)
	}
	return canWrite(filepath.Join(folder, planFolder[0]))
}

// planFolder lists the files that writePlanFolder may write.
var planFolder = []string{"plan.json", "report.html", "graph.svg", "front.svg", "time.svg", "error.svg"}

// writePlanFolder writes the plan, the pictures and the report into a folder that is there.
func writePlanFolder(ctx context.Context, env Env, folder string, p design.Problem, s *planner.Sweep) error {
	drawing, cancel := afterwards(ctx)
	defer cancel()
	figures, leftOut := planFigures(drawing, s)
	for _, line := range leftOut {
		fmt.Fprintln(env.Stderr, line)
	}
	files := []outfile.File{{Name: "plan.json", Write: s.Best().Write}, {Name: "report.html", Write: planPage(p, s, figures, leftOut).WriteHTML}}
	for _, f := range figures {
		files = append(files, outfile.File{Name: f.File, Write: f.Figure.Write})
	}
	return outfile.WriteSet(context.WithoutCancel(ctx), folder, planFolder, files)
}
