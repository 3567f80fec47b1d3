package launch

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
)

func TestLinesRunEveryKind(t *testing.T) {
	inBF16 := &design.Plan{Clocks: design.Clocks{Average: design.Gradients, Wire: design.BF16}}
	for _, tc := range []struct {
		c    advise.Candidate
		want string
	}{
		{advise.Candidate{Kind: advise.DDP, BucketMB: 25}, "model = torch.nn.parallel.DistributedDataParallel(model)"},
		{advise.Candidate{Kind: advise.DDP, BucketMB: 5},
			"model = torch.nn.parallel.DistributedDataParallel(model, bucket_cap_mb=5)"},
		{advise.Candidate{Kind: advise.HalfDDP, BucketMB: 25, Plan: inBF16}, "from torch.distributed.algorithms.ddp_comm_hooks import " +
			"default_hooks|model = torch.nn.parallel.DistributedDataParallel(model)|" +
			"model.register_comm_hook(None, default_hooks.bf16_compress_hook)  # over gloo: fp16_compress_hook"},
		{advise.Candidate{Kind: advise.DDP, BucketMB: 25, Plan: &design.Plan{Clocks: design.Clocks{
			Average: design.Gradients, BatchWeights: []float64{0.75, 0.25}}}},
			`model = torch.nn.parallel.DistributedDataParallel(model)|shares = json.load(open("run/plan.json"))` +
				`["batch_weights"]  # of the batch, by node|# in every step, before loss.backward():|` +
				"loss = loss * shares[dist.get_rank()] * dist.get_world_size()"},
		{advise.Candidate{Kind: advise.HalfHook, BucketMB: 25}, "import batopo|" +
			`model = torch.nn.parallel.DistributedDataParallel(model)|batopo.ddp(model, "run/plan.json")`},
		{advise.Candidate{Kind: advise.Collective, Every: 1, Order: design.AdaptThenCombine}, "import batopo  # the model " +
			`stays as it is, without DistributedDataParallel around it|gossip = batopo.attach(optimizer, "run/plan.json", ` +
			`momentum="quasi-global")`},
	} {
		if got := strings.Join(Python(tc.c, "quasi-global", "run/plan.json"), "|"); got != tc.want {
			t.Errorf("%s: %s\nwant %s", tc.c.Kind, got, tc.want)
		}
	}
}

// GPUs of a host are started together, hosts in the order in which the ring comes to them.
func TestHostsFollowTheRing(t *testing.T) {
	spec := cluster.Homogeneous(4, 10)
	spec.Names = []string{"b/gpu0", "a/gpu0", "b/gpu1", "a/gpu1"}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	a := &advise.Advice{Recommended: advise.Candidate{Kind: advise.DDP},
		Ranks: &advise.Ranks{Order: []int{1, 3, 0, 2}, MS: 2, NumberedMS: 8}}
	var file strings.Builder
	if err := WriteHosts(c, a.Ranks)(&file); err != nil {
		t.Fatal(err)
	}
	if want := "# hosts in the order of their ranks\na slots=2\nb slots=2\n"; file.String() != want {
		t.Errorf("%s\nwant %s", file.String(), want)
	}
	got := strings.Join(Ranks(c, a, "run/hostfile"), "\n")
	want := "NCCL keeps the order of ranks that it is given. A ring in the order of run/hostfile takes 2 ms; in the order " +
		"of the description it takes 8 ms.\nOn host k of that file, counted from 0:\n    torchrun --nnodes 2 " +
		"--nproc_per_node 2 --node_rank k --master_addr a --master_port 29500 train.py"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	a.Recommended.Kind = advise.Hook // which finds its nodes by their names
	if got := Ranks(c, a, "hostfile"); got != nil {
		t.Errorf("%v", got)
	}
}
