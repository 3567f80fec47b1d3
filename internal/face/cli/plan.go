package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/trial"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/train"

	"github.com/spf13/cobra"
)

// planFlags say what to plan for and where the answer goes.
type planFlags struct {
	at      clusterFlags
	ask     questionFlags
	json    bool
	all     bool
	explain bool
	folder  string
	trial   string
	outer   string
	delay   int
}

func newPlan(env Env) *cobra.Command {
	var p planFlags
	c := &cobra.Command{
		Use:   "plan [CLUSTER.yaml | --nodes N]",
		Short: "Say what to run on a cluster to train fastest",
		Long: `plan is the main job. It compares DistributedDataParallel, parameter averaging by all-reduce,
hierarchical averaging, schedules of few peers and static graphs, with local steps or without, overlapped
with compute or not. It computes the time of an iteration on the cluster. The epochs or steps that each
needs come from measured runs, with their error. The answer is what to run, why, the closest alternatives,
what would change it, and the lines that run it; --explain prints the rest.

--static asks for the best graph that does not change, whose nodes reach consensus first, as the BA-Topo paper
does: plan then finds the budgets that the cluster's bandwidths make meaningful, solves each, and
recommends the one that reaches the target error first. One that averages exactly is not, where an
all-reduce does so sooner. --purpose consensus is the same question.

The description - is standard input. With -o DIR it writes plan.json, scripts that start the ranks
(run.sh, job.sbatch, hostfile), pictures and a self-contained report.html.`,
		Example: `  batopo plan --nodes 16
  batopo plan examples/node-level-16.yaml -o out
  batopo plan --nodes 16 --skew 0.1 --norm group
  nvidia-smi topo -m | batopo import nvidia-smi - --servers 2 | batopo plan -
  batopo plan --nodes 64 --static --time 30s`,
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error { return p.run(c.Context(), env, args) },
	}
	p.at.bind(c)
	p.ask.bind(c)
	p.ask.bindSearch(c)
	f, ask := c.Flags(), &p.ask
	f.Float64Var(&ask.Skew, "skew", 0,
		"α of the Dirichlet class shares that nodes see; of 10 classes a node sees about 5 with 1, 2 with 0.1 "+
			"(default: all see the same mix)")
	f.StringVar((*string)(&ask.Optimizer), "optimizer", "",
		"adamw or sgd (default: adamw; sgd with skew, quasi-global momentum, group norm or the paper's ResNet-18)")
	f.IntVar(&ask.Steps, "steps", 0, "of the whole job with adamw (default: not known)")
	f.StringVar((*string)(&ask.Momentum), "momentum", "", "local or quasi-global")
	f.StringVar((*string)(&ask.Norm), "norm", "", "batch or group: the network's normalisation")
	f.BoolVar(&ask.Static, "static", false, "the best static graph, as the paper asks, and nothing else")
	p.bindWishes(c)
	f.BoolVar(&p.all, "all", false, "show every row of the table")
	f.BoolVar(&p.explain, "explain", false, "print reasons, intervals, notes and where steps come from too")
	f.BoolVar(&p.json, "json", false, "print budgets, recommendation and baselines as JSON")
	f.StringVar(&p.trial, "trial", "", "trial.json of batopo.trial: correct the cluster by what was measured on it")
	f.StringVarP(&p.folder, "output", "o", "", "write plan.json, run.sh, job.sbatch, hostfile, report.html here")
	ask.means("momentum", string(train.Local), "")
	ask.means("norm", string(advise.BatchNorm), "")
	ask.means("purpose", "training, or consensus with --static",
		"training: what trains fastest; consensus: which static graph agrees first")
	ask.means("edges", "0", "the most pairs that may talk, in a graph or a schedule (default: no limit)")
	ask.means("max-degree", "0", "the most peers of a node, in a graph or a schedule (default: no limit)")
	ask.means("objective", string(design.Time),
		"time: reach the target error first; rate: least r_asym, whatever a round costs")
	return c
}

func (f *planFlags) run(ctx context.Context, env Env, args []string) error {
	hardware, err := f.at.required(args)
	if err != nil {
		return err
	}
	options, err := f.timing(f.ask.options())
	if err != nil {
		return err
	}
	if f.trial != "" {
		read := func(r io.Reader) (*batopo.Trial, error) { return trial.Read("trial", r) }
		if options.Trial, err = readFile(ctx, "trial", f.trial, read); err != nil {
			return err
		}
	}
	if _, err := options.AdviseProblem(hardware); err != nil {
		return err
	}
	if f.folder != "" {
		undo, err := canFill(f.folder)
		if err != nil {
			return err
		}
		defer undo()
	}
	a := answer{screen: present.Screen{File: filepath.ToSlash(filepath.Join(f.folder, present.PlanFile)),
		Folder: filepath.ToSlash(f.folder), Width: columns(env), All: f.all, Explain: f.explain}}
	err = f.ask.run(ctx, env, options, func(o batopo.Options) (err error) {
		a.Answer, err = batopo.Advise(ctx, hardware, o)
		return err
	})
	if err != nil {
		return err
	}
	if f.folder != "" {
		if err := a.writeFolder(ctx, env, f.folder); err != nil {
			return err
		}
	}
	if f.json {
		return a.writeJSON(env.Stdout)
	}
	return a.write(env)
}

// timing adds what flags say about averages of parameters besides how often they are made.
func (f *planFlags) timing(o batopo.Options) (batopo.Options, error) {
	if f.ask.command.Flags().Changed("delay") {
		o.Timing.Delay = &f.delay
	}
	if f.outer == "" {
		return o, nil
	}
	o.Timing.Outer = new(design.Outer)
	if _, err := fmt.Sscanf(f.outer+"\n", "%g,%g\n", &o.Timing.Outer.LearningRate, &o.Timing.Outer.Momentum); err != nil {
		return o, fmt.Errorf("--outer is %q; write a learning rate and a momentum, such as 0.7,0.9", f.outer)
	}
	return o, nil
}

// bindWishes adds what users decide instead of the planner, and what a GPU has to hold.
func (p *planFlags) bindWishes(c *cobra.Command) {
	f, ask := c.Flags(), &p.ask
	f.Float64Var(&ask.GPUMemoryGB, "gpu-memory", 0,
		"GB of one GPU: nothing is recommended that does not fit (default: of the description's gpu)")
	f.Var((*countFlag)(&ask.Parameters), "parameters", "of the model, such as 7B: message and memory follow")
	f.StringVar((*string)(&ask.DType), "dtype", "",
		"fp32, bf16, or mixed: 16 bits and a copy of the parameters in 32")
	f.StringVar((*string)(&ask.Backend), "backend", "",
		"of torch.distributed, nccl or gloo, where it is not the description's")
	f.IntVar(&ask.Choose, "choose", 0, "write the plan of this row of the table (default: the recommended one)")
	f.IntVar(&ask.Every, "every", 0, "steps between averages, 1 to 512 (default: chosen)")
	f.StringVar((*string)(&ask.Wire), "wire", "", "numbers that every row sends: fp32, bf16 or fp16 (default: chosen)")
	f.IntVar(&ask.Timing.Synchronous, "phases", 0,
		"how many first steps average gradients of all nodes; needs --steps (default: chosen)")
	f.StringVar(&p.outer, "outer", "", "RATE,MOMENTUM of an outer optimizer, such as 0.7,0.9 (default: chosen)")
	f.IntVar(&p.delay, "delay", 0, "steps until an average of parameters is used (default: chosen)")
	f.BoolVar(&ask.Exact, "exact", false, "nothing that changes training: gradients of all nodes averaged in every step")
	f.BoolVar(&ask.Balance, "balance", false, "batches in proportion to the speed of nodes; docs/pytorch.md has a sampler")
	f.BoolVar(&ask.Search, "search", false,
		"look for schedules and graphs also where all-reduce hides behind computation, and on more than 64 nodes")
	ask.means("dtype", "fp32", "")
	ask.means("backend", "nccl", "")
}
