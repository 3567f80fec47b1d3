// Package launch writes the lines that run an answer: in the training script, and where its ranks are started.
package launch

import (
	"fmt"
	"strconv"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/train"
)

// Python are the lines of a training script that run a candidate, whose plan is in that file.
func Python(c advise.Candidate, momentum train.Momentum, file string) []string {
	if c.Kind.Gradients() || c.Plan != nil && c.Plan.Average == design.Gradients {
		return wrapped(c, file)
	}
	options := ""
	if momentum != "" && momentum != train.Local {
		options = fmt.Sprintf(", momentum=%q", momentum)
	}
	if c.Plan != nil && c.Plan.NeedsDDP() {
		return append([]string{"model = torch.nn.parallel.DistributedDataParallel(model)", "import batopo"},
			Attach(file, options+", model=model")[1:]...)
	}
	lines := Attach(file, options)
	if c.Kind == advise.Collective && c.Every == 1 && c.Order == design.AdaptThenCombine {
		return lines[:2] // all models are equal after every step
	}
	return lines
}

// Attach are the lines that run the plan in a file; options are further arguments in Python.
func Attach(file, options string) []string {
	return []string{"import batopo  # the model stays as it is, without DistributedDataParallel around it",
		fmt.Sprintf(`gossip = batopo.attach(optimizer, %q%s)`, file, options),
		"# train as usual; evaluate inside \"with gossip.averaged():\"; at the end:", "gossip.average()"}
}

// wrapped runs what averages gradients: DistributedDataParallel, alone or with a hook.
func wrapped(c advise.Candidate, file string) []string {
	const hooks = "torch.distributed.algorithms.ddp_comm_hooks"
	options := ""
	if c.BucketMB != cost.BucketMB && c.BucketMB > 0 {
		options = ", bucket_cap_mb=" + strconv.FormatFloat(c.BucketMB, 'g', -1, 64)
	}
	lines := []string{"model = torch.nn.parallel.DistributedDataParallel(model" + options + ")"}
	wire := design.FP32
	if c.Plan != nil {
		wire = c.Plan.Wire
	}
	switch c.Kind {
	case advise.DDP, advise.HalfDDP:
		share := shareLines(c, file)
		if wire == design.FP32 {
			return append(lines, share...)
		}
		hook := fmt.Sprintf("model.register_comm_hook(None, default_hooks.%s_compress_hook)", wire)
		if wire == design.BF16 {
			hook += "  # over gloo: fp16_compress_hook"
		}
		return append([]string{"from " + hooks + " import default_hooks"}, append(append(lines, hook), share...)...)
	case advise.Hook, advise.HalfHook, advise.Collective:
		return append([]string{"import batopo"}, append(lines, fmt.Sprintf("batopo.ddp(model, %q)", file))...)
	case advise.LowRank:
		return append([]string{"from " + hooks + " import powerSGD_hook as powerSGD"}, append(lines,
			"state = powerSGD.PowerSGDState(None, matrix_approximation_rank=4)",
			"model.register_comm_hook(state, powerSGD.powerSGD_hook)")...)
	case advise.Accumulated:
		return append(lines, fmt.Sprintf("# %d batches a step: all but the last inside \"with model.no_sync():\"",
			c.Accumulate))
	}
	return lines
}

// shareLines make DistributedDataParallel, which averages all ranks with equal weight, weight them by their batches.
func shareLines(c advise.Candidate, file string) []string {
	if c.Plan == nil || len(c.Plan.BatchWeights) == 0 {
		return nil
	}
	return []string{fmt.Sprintf(`shares = json.load(open(%q))["batch_weights"]  # of the batch, by node`, file),
		"# in every step, before loss.backward():", "loss = loss * shares[dist.get_rank()] * dist.get_world_size()"}
}
