package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/batopo/batopo/internal/face/server/work"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/train"

	"github.com/spf13/cobra"
)

// trainFlags say what to train, with what, and how to show it.
type trainFlags struct {
	work.TrainRequest
	at                          clusterFlags
	data, network, baselines    string
	evaluations, seeds          int
	json, quiet, overIterations bool
	plot                        string
}

func newTrain(env Env) *cobra.Command {
	how := trainFlags{TrainRequest: work.DefaultTraining()}
	c := &cobra.Command{
		Use:   "train [CLUSTER.yaml | --nodes N] [FILE…]",
		Short: "Decentralised SGD: how topologies learn over predicted time",
		Long: `train lets every node train a small model on its own part of a data set and average it with
its neighbours: by the plans given or, without any, by one that is searched for with purpose training, and by
baselines beside it. All begin with the same model and see the same batches. An iteration takes as long as plan
predicts on the cluster, waiting for late nodes included; messages are those of the cluster's model, not of the
small network. Files may be
` + graphFormats + `;
a plan's own order, every and overlap are kept unless the flags say otherwise.

Ctrl-C shows what has been trained so far.`,
		Example: `  batopo train --nodes 16
  batopo train --nodes 16 --seeds 5
  batopo train --nodes 16 --skew 0.1 --momentum quasi-global --plot learning.svg
  batopo train examples/node-level-16.yaml --baselines ring,one-peer-hypercube,all-reduce
  batopo train plan.json other.json --every 4 --json > tests.jsonl
  batopo train --nodes 16 --data fashion-mnist --hidden 64`,
		RunE: func(c *cobra.Command, args []string) error { return how.run(c.Context(), env, args) },
	}
	how.bind(c)
	return c
}

func (f *trainFlags) bind(c *cobra.Command) {
	f.at.bind(c)
	flags := c.Flags()
	flags.StringVar(&f.data, "data", digitsName,
		"digits (8×8, part of the program), or a folder with the files of MNIST or Fashion-MNIST")
	flags.StringVar(&f.network, "model", "mlp", "mlp, a network with hidden layers; or softmax, a regression")
	flags.IntSliceVar(&f.Hidden, "hidden", f.Hidden, "widths of the hidden layers of an mlp")
	flags.Float64Var(&f.Skew, "skew", 0,
		"spread classes over nodes by Dirichlet(this), such as 0.1 (default 0: evenly)")
	flags.IntVar(&f.Batch, "batch", f.Batch, "images per node and iteration")
	flags.Uint64Var(&f.Seed, "seed", f.Seed, "of the start, the split, the batches and the search")
	flags.IntVar(&f.seeds, "seeds", 1, "train this often, with seeds from --seed on, and show means with 95 % intervals")
	flags.IntVar(&f.Iterations, "iterations", f.Iterations, "how long to train")
	flags.IntVar(&f.TestEvery, "test-every", f.TestEvery, "iterations between tests of the averaged model")
	flags.Float64Var(&f.Rate, "rate", f.Rate, "learning rate")
	flags.StringVar((*string)(&f.Momentum), "momentum", string(train.Local),
		"local, quasi-global, or mixed (twice the message)")
	flags.Float64Var(&f.Beta, "beta", f.Beta, "factor of the momentum; 0 is none")
	flags.Float64Var(&f.WeightDecay, "weight-decay", 0, "this times the parameters is added to gradients")
	flags.StringVar((*string)(&f.Order), "order", "",
		"atc: step, then average; cta: average, then step (default: the plan's, else atc)")
	flags.IntVar(&f.Every, "every", 0, "average in every such iteration only (default: the plan's, else 1)")
	flags.IntVar(&f.Workers, "workers", 0, "cores to use; the result does not depend on it (default: all)")
	flags.StringVar(&f.baselines, "baselines", "ring,exponential,one-peer-exponential,all-reduce",
		"what to train with besides, or none")
	flags.IntVar(&f.evaluations, "evaluations", 100_000, "how many graphs the search for a plan looks at")
	flags.Float64Var(&f.Target, "target", f.Target, "accuracy whose first time is shown")
	flags.BoolVar(&f.json, "json", false, "print every test as a line of JSON")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	flags.StringVar(&f.plot, "plot", "", "draw the test error over predicted time into this .svg file, "+
		"or list the curves in this .csv file")
	flags.BoolVar(&f.overIterations, "over-iterations", false, "plot over iterations instead of over time")
	words := map[string][]string{"model": {"mlp", "softmax"}, "order": {"atc", "cta"},
		"momentum": {string(train.Local), string(train.QuasiGlobal), string(train.Mixed)}}
	for name, values := range words {
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
}

func (f *trainFlags) run(ctx context.Context, env Env, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	hardware, files, err := f.input(ctx, args)
	if err != nil {
		return err
	}
	networks, err := await(ctx, func() ([]*train.Network, error) { return f.networks(hardware.Nodes()) })
	if err != nil {
		return err
	}
	entries, notes, err := f.entries(ctx, env, hardware, files)
	if err != nil {
		return err
	}
	t := present.Training{Target: f.Target, Notes: notes, Complete: true}
	for k, network := range networks {
		if t.Contest, err = train.NewContest(hardware, network, entries, f.Length()); err != nil {
			return err
		}
		if k < len(networks)-1 {
			t.Others = append(t.Others, t.Contest)
		}
	}
	for _, c := range t.Others {
		one := present.Training{Contest: c, Target: f.Target}
		if err := f.train(ctx, env, &one); err != nil {
			return err
		}
		if !one.Complete {
			return stopped(ctx)
		}
	}
	if err := f.train(ctx, env, &t); err != nil {
		return err
	}
	return f.show(ctx, env, t)
}

// networks are the networks to train, one for every seed.
func (f *trainFlags) networks(nodes int) (networks []*train.Network, err error) {
	data, err := f.readData()
	if err != nil {
		return nil, err
	}
	for k := range uint64(f.seeds) {
		model := f.Model()
		model.Seed += k
		network, err := train.NewNetwork(data, model, nodes)
		if err != nil {
			return nil, err
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// check complains about flags before anything takes long.
func (f *trainFlags) check() error {
	switch strings.ToLower(f.network) {
	case "mlp":
	case "softmax":
		f.Hidden = nil
	default:
		return fmt.Errorf("--model is %q; it must be mlp or softmax", f.network)
	}
	if f.Baselines = strings.Split(f.baselines, ","); strings.EqualFold(f.baselines, "none") {
		f.Baselines = nil
	}
	if err := f.Validate(); err != nil {
		return err
	}
	const mostSeeds = 100
	if f.seeds < 1 || f.seeds > mostSeeds {
		return fmt.Errorf("--seeds is %d; it must be from 1 to %d", f.seeds, mostSeeds)
	}
	if f.seeds > 1 && f.json {
		return errors.New("--seeds shows means of several trainings; --json is about one: " +
			"run it with one --seed after the other")
	}
	return canChart(f.plot)
}

const digitsName = "digits"

func (f *trainFlags) readData() (train.Data, error) {
	if f.data == digitsName {
		return train.Digits(), nil
	}
	data, err := train.ReadData(f.data)
	if err != nil {
		return data, fmt.Errorf("--data: %w", err)
	}
	return data, nil
}

// train runs a contest to the end or to a stop.
func (f *trainFlags) train(ctx context.Context, env Env, t *present.Training) error {
	var failed error
	note := func(err error) { failed = errors.Join(failed, err) }
	if f.json {
		note(present.WriteTrainingStart(sentences(env), *t))
	}
	training, fail := context.WithCancel(ctx)
	defer fail()
	progress, names := newProgress(env, f.quiet), t.Contest.Entries()
	t.Complete = t.Contest.Train(training, func(entry int, p train.Point) {
		progress.show("iteration %d of %d: %s %.4f", p.Iteration, f.Iterations, names[entry].Name, p.Accuracy)
		if f.json {
			note(present.WriteTrainingTest(env.Stdout, names[entry].Name, p))
		}
		if failed != nil {
			fail()
		}
	})
	progress.done()
	return failed
}

// show draws and prints what was trained.
func (f *trainFlags) show(ctx context.Context, env Env, t present.Training) error {
	if !t.Complete && len(t.Contest.Points(0)) == 0 {
		return stopped(ctx)
	}
	if f.plot != "" {
		chart := present.TrainingChart(t, !f.overIterations)
		if err := writeChart(context.WithoutCancel(ctx), f.plot, chart); err != nil {
			return err
		}
	}
	write := present.WriteTraining
	if f.json {
		write = present.WriteTrainingEnd
	}
	if err := write(env.Stdout, t); err != nil || t.Complete {
		return err
	}
	return answerNo{errors.New("interrupted; what was trained is shown")}
}
