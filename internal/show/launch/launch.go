// Package launch writes what runs an answer: the lines of the training script, and what starts its ranks.
package launch

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/train"
)

// Python are the lines of a training script that run a candidate, whose plan is in that file, with their imports. The
// script has a model and an optimizer.
func Python(c advise.Candidate, momentum train.Momentum, file string) []string {
	if c.Kind == advise.Alone && !c.Whole {
		return []string{"# nothing: a process by itself averages with nobody"}
	}
	if c.Kind.Gradients() {
		return wrapped(c, file)
	}
	options := ""
	if momentum != "" && momentum != train.Local {
		options = fmt.Sprintf(", momentum=%q", momentum)
	}
	if c.Plan != nil && c.Plan.NeedsDDP() {
		return append([]string{"import batopo, torch", "model = torch.nn.parallel.DistributedDataParallel(model)"},
			Attach(file, options+", model=model")[1:]...)
	}
	lines := Attach(file, options)
	if c.Kind == advise.Collective && c.Every == 1 && c.Order == design.AdaptThenCombine {
		return lines[:2] // all models are equal after every step
	}
	return lines
}

// Attach are the lines that run the plan in a file; options are further arguments in Python. Without the model among
// them, it is not wrapped into DistributedDataParallel.
func Attach(file, options string) []string {
	return []string{"import batopo", fmt.Sprintf(`gossip = batopo.attach(optimizer, %q%s)`, file, options),
		"# evaluate inside \"with gossip.averaged():\"; at the end:", "gossip.average()"}
}

// wrapped runs what averages gradients: DistributedDataParallel, alone or with a hook.
func wrapped(c advise.Candidate, file string) []string {
	const hooks = "from torch.distributed.algorithms.ddp_comm_hooks import "
	imports, options := []string{"torch"}, ""
	if c.BucketMB != cost.BucketMB && c.BucketMB > 0 {
		options = ", bucket_cap_mb=" + strconv.FormatFloat(c.BucketMB, 'g', -1, 64)
	}
	lines := []string{"model = torch.nn.parallel.DistributedDataParallel(model" + options + ")"}
	if shares := shareLines(c, file); shares != nil {
		imports, lines = []string{"json", "torch", "torch.distributed as dist"}, append(lines, shares...)
	}
	switch c.Kind {
	case advise.Alone:
		return summed(c)
	case advise.DDP, advise.HalfDDP, advise.Accumulated:
		if c.Plan == nil || c.Plan.Wire == design.FP32 || c.Plan.Wire == "" {
			break
		}
		hook := fmt.Sprintf("model.register_comm_hook(None, default_hooks.%s_compress_hook)", c.Plan.Wire)
		lines = append([]string{hooks + "default_hooks", lines[0], hook}, lines[1:]...)
	case advise.Hook, advise.HalfHook:
		imports, lines = []string{"batopo", "torch"}, []string{lines[0], fmt.Sprintf("batopo.ddp(model, %q)", file)}
	case advise.FSDP, advise.HSDP:
		return sharded(c.Shards)
	case advise.LowRank:
		lines = []string{hooks + "powerSGD_hook", lines[0],
			"state = powerSGD_hook.PowerSGDState(None, matrix_approximation_rank=4)",
			"model.register_comm_hook(state, powerSGD_hook.powerSGD_hook)"}
	}
	if c.Accumulate > 1 {
		imports = append([]string{"contextlib"}, imports...)
		lines = append(lines, summed(c)...)
	}
	return append([]string{"import " + strings.Join(imports, ", ")}, lines...)
}

// summed are the lines of a step that adds up gradients: each loss counts for its part of their mean, and only the last
// one is averaged with other nodes.
func summed(c advise.Candidate) []string {
	k := c.Accumulate
	head := fmt.Sprintf("for k in range(%d):  # a step has %d batches", k, k)
	if c.Whole {
		head = fmt.Sprintf("for k in range(%d):  # a step has %.3g batches, in %d parts", k, c.On.Larger(), k)
	}
	backward := fmt.Sprintf("    (loss_of(model, next(batches)) / %d).backward()", k)
	if c.Kind == advise.Alone {
		return []string{head, backward, "optimizer.step()"}
	}
	return []string{head, fmt.Sprintf("    with model.no_sync() if k < %d else contextlib.nullcontext():", k-1),
		"    " + backward, "optimizer.step()"}
}

// shareLines make DistributedDataParallel, which averages all ranks with equal weight, weight them by their batches.
func shareLines(c advise.Candidate, file string) []string {
	if c.Plan == nil || len(c.Plan.BatchWeights) == 0 {
		return nil
	}
	return []string{fmt.Sprintf(`shares = json.load(open(%q))["batch_weights"]  # by node`, file),
		"# in every step, before loss.backward():", "loss = loss * shares[dist.get_rank()] * dist.get_world_size()"}
}
