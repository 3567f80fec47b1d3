package launch

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/subset"
)

const olderTorch = "# PyTorch 2.4 and 2.5: from torch.distributed._composable.fsdp import …|"

func TestLinesRunEveryKind(t *testing.T) {
	inBF16 := &design.Plan{Clocks: design.Clocks{Average: design.Gradients, Wire: design.BF16}}
	for _, tc := range []struct {
		c    advise.Candidate
		want string
	}{
		{advise.Candidate{Kind: advise.DDP, BucketMB: 25}, "import torch|model = torch.nn.parallel.DistributedDataParallel(model)"},
		{advise.Candidate{Kind: advise.DDP, BucketMB: 5},
			"import torch|model = torch.nn.parallel.DistributedDataParallel(model, bucket_cap_mb=5)"},
		{advise.Candidate{Kind: advise.HalfDDP, BucketMB: 25, Plan: inBF16}, "import torch|" +
			"from torch.distributed.algorithms.ddp_comm_hooks import default_hooks|" +
			"model = torch.nn.parallel.DistributedDataParallel(model)|" +
			"model.register_comm_hook(None, default_hooks.bf16_compress_hook)"},
		{advise.Candidate{Kind: advise.DDP, BucketMB: 25, Plan: &design.Plan{Clocks: design.Clocks{
			Average: design.Gradients, BatchWeights: []float64{0.75, 0.25}}}},
			"import json, torch, torch.distributed as dist|model = torch.nn.parallel.DistributedDataParallel(model)|" +
				`shares = json.load(open("run/plan.json"))["batch_weights"]  # by node|` +
				"# in every step, before loss.backward():|" +
				"loss = loss * shares[dist.get_rank()] * dist.get_world_size()"},
		{advise.Candidate{Kind: advise.HalfHook, BucketMB: 25}, "import batopo, torch|" +
			`model = torch.nn.parallel.DistributedDataParallel(model)|batopo.ddp(model, "run/plan.json")`},
		{advise.Candidate{Kind: advise.Accumulated, BucketMB: 25, Accumulate: 2, Plan: inBF16}, "import contextlib, torch|" +
			"from torch.distributed.algorithms.ddp_comm_hooks import default_hooks|" +
			"model = torch.nn.parallel.DistributedDataParallel(model)|" +
			"model.register_comm_hook(None, default_hooks.bf16_compress_hook)|" +
			"for k in range(2):  # a step has 2 batches|" +
			"    with model.no_sync() if k < 1 else contextlib.nullcontext():|" +
			"        (loss_of(model, next(batches)) / 2).backward()|optimizer.step()"},
		{advise.Candidate{Kind: advise.Alone, BucketMB: 25, Accumulate: 4, Machines: advise.Machines{Whole: true,
			On: &subset.Part{Keep: []int{0}, Of: 4}}}, "for k in range(4):  # a step has 4 batches, in 4 parts|" +
			"    (loss_of(model, next(batches)) / 4).backward()|optimizer.step()"},
		{advise.Candidate{Kind: advise.LowRank, BucketMB: 25}, "import torch|" +
			"from torch.distributed.algorithms.ddp_comm_hooks import powerSGD_hook|" +
			"model = torch.nn.parallel.DistributedDataParallel(model)|" +
			"state = powerSGD_hook.PowerSGDState(None, matrix_approximation_rank=4)|" +
			"model.register_comm_hook(state, powerSGD_hook.powerSGD_hook)"},
		{advise.Candidate{Kind: advise.FSDP, Shards: &advise.Sharding{Groups: [][]int{{0, 1, 2, 3}},
			Model: cluster.Model{DType: cluster.FP32}}}, "import torch|" + olderTorch +
			"from torch.distributed.fsdp import fully_shard|for block in model.layers:  # the blocks of your model, in their " +
			"order|    fully_shard(block)|fully_shard(model)  # the optimizer comes after this"},
		{advise.Candidate{Kind: advise.HSDP, Shards: &advise.Sharding{Groups: [][]int{{0, 1, 2}, {3, 4, 5}},
			Model: cluster.Model{DType: cluster.Mixed, GradientBytes: 4}}}, "import torch|" + olderTorch +
			"from torch.distributed.fsdp import fully_shard, MixedPrecisionPolicy|" +
			"from torch.distributed.device_mesh import init_device_mesh|" +
			`mesh = init_device_mesh("cuda", (2, 3), mesh_dim_names=("replicate", "shard"))|` +
			"mixed = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)|" +
			"for block in model.layers:  # the blocks of your model, in their order|" +
			"    fully_shard(block, mesh=mesh, mp_policy=mixed)|" +
			"fully_shard(model, mesh=mesh, mp_policy=mixed)  # the optimizer comes after this"},
		{advise.Candidate{Kind: advise.Collective, Every: 1, Order: design.AdaptThenCombine},
			`import batopo|gossip = batopo.attach(optimizer, "run/plan.json", momentum="quasi-global")`},
	} {
		if got := strings.Join(Python(tc.c, "quasi-global", "run/plan.json"), "|"); got != tc.want {
			t.Errorf("%s: %s\nwant %s", tc.c.Kind, got, tc.want)
		}
	}
}

func read(t *testing.T, text string) *cluster.Cluster {
	t.Helper()
	c, err := cluster.Read("test", strings.NewReader("format: batopo.cluster/v2\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// GPUs of a host are started together: those whose names begin alike, or that the description has in one server. Hosts
// stand in the order in which a ring comes to them, where a library keeps the order that it is given.
func TestHostsFollowTheRing(t *testing.T) {
	ring := &advise.Ranks{Order: []int{1, 3, 0, 2}, MS: 2, NumberedMS: 8}
	for _, tc := range []struct {
		spec string
		kind advise.Kind
		want []Host
	}{
		{"names: [b/gpu0, a/gpu0, b/gpu1, a/gpu1]\nnodes: 4\nbandwidth: 10", advise.DDP, []Host{{"a", 2}, {"b", 2}}},
		// batopo.ddp finds its nodes by their names.
		{"names: [b/gpu0, a/gpu0, b/gpu1, a/gpu1]\nnodes: 4\nbandwidth: 10", advise.Hook, []Host{{"b", 2}, {"a", 2}}},
		{"names: [\"a;reboot\", b, c, d]\nnodes: 4\nbandwidth: 10", advise.Hook,
			[]Host{{"a-reboot", 1}, {"b", 1}, {"c", 1}, {"d", 1}}},
		{"tree: {groups: [{count: 2, nodes: 2, nvswitch: 300, nics: {count: 1, gb_s: 3}}]}", advise.Hook,
			[]Host{{"HOST0", 2}, {"HOST1", 2}}},
		{"tree: {nodes: 4, nvswitch: 300}", advise.Hook, []Host{{"HOST0", 4}}},
		{"tree: {groups: [{count: 2, nodes: 2, link: 20, uplink: 20, nvlinks: [{pair: [0, 1], gb_s: 100}]}]}",
			advise.Hook, []Host{{"HOST0", 4}}},
		{"nodes: 4\nbandwidth: 10", advise.Hook, []Host{{"HOST0", 1}, {"HOST1", 1}, {"HOST2", 1}, {"HOST3", 1}}},
	} {
		a := &advise.Advice{Recommended: advise.Candidate{Kind: tc.kind}, Ranks: ring}
		if got := Hosts(read(t, tc.spec), a); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.spec, got, tc.want)
		}
	}
}

// The scripts are ones that bash can read. run.sh starts the ranks of the host that it is on, in their order.
func TestScriptsStartRanksInOrder(t *testing.T) {
	for _, known := range []bool{true, false} {
		folder := t.TempDir()
		hosts := []Host{{"here-a", 3}, {"here-b", 2}}
		for name, write := range Scripts(hosts, known, "it's") {
			f, err := os.Create(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			if err := write(f); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if name == HostFile {
				continue
			}
			if out, err := exec.Command("bash", "-n", f.Name()).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		}
		for _, name := range []string{"torchrun", "hostname"} {
			text := "#!/bin/sh\necho \"$@\"\n"
			if name == "hostname" {
				text = "#!/bin/sh\necho ${HOST:-elsewhere}\n"
			}
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for env, want := range map[string]string{
			"HOST=here-b":    "--nnodes 2 --nproc-per-node 2 --node-rank 1 --master-addr here-a --master-port 29500 train.py\n",
			"NODE_RANK=0":    "--nnodes 2 --nproc-per-node 3 --node-rank 0 --master-addr here-a --master-port 29500 train.py\n",
			"HOST=elsewhere": "run.sh: elsewhere is none of here-a here-b: set NODE_RANK to 0 … 1, and MASTER_ADDR\n",
		} {
			c := exec.Command("bash", filepath.Join(folder, RunFile))
			c.Env = append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"), env)
			if out, _ := c.CombinedOutput(); string(out) != want { // the last exits with 2, and says why
				t.Errorf("%s: %q, want %q", env, out, want)
			}
		}
		text, err := os.ReadFile(filepath.Join(folder, HostFile))
		if want := "# hosts in the order of their ranks\nhere-a slots=3\nhere-b slots=2\n"; err != nil || string(text) != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		job, err := os.ReadFile(filepath.Join(folder, JobFile))
		if err != nil || strings.Contains(string(job), "--nodelist=here-a,here-b") != known {
			t.Errorf("%v: %v\n%s", known, err, job)
		}
	}
}
