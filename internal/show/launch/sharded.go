package launch

import (
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
)

// sharded runs FSDP, or HSDP on a mesh whose rows are the groups.
func sharded(s *advise.Sharding) []string {
	lines := []string{"import torch", "# PyTorch 2.4 and 2.5: from torch.distributed._composable.fsdp import …"}
	imports, options := "fully_shard", ""
	if s.Model.DType == cluster.Mixed {
		imports, options = imports+", MixedPrecisionPolicy", ", mp_policy=mixed"
	}
	lines = append(lines, "from torch.distributed.fsdp import "+imports)
	if len(s.Groups) > 1 {
		lines = append(lines, "from torch.distributed.device_mesh import init_device_mesh",
			fmt.Sprintf(`mesh = init_device_mesh("cuda", (%d, %d), mesh_dim_names=("replicate", "shard"))`, len(s.Groups),
				s.Among()))
		options = ", mesh=mesh" + options
	}
	if s.Model.DType == cluster.Mixed {
		reduce := map[float64]string{2: "bfloat16", 4: "float32"}[s.Model.GradientBytes]
		lines = append(lines, "mixed = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch."+reduce+")")
	}
	return append(lines, "for block in model.layers:  # the blocks of your model, in their order",
		"    fully_shard(block"+options+")", "fully_shard(model"+options+")  # the optimizer comes after this")
}
