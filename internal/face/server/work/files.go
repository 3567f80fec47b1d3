package work

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/show/report"
)

// planFiles are the files that every plan comes with; a node by itself has none.
func planFiles(c *cluster.Cluster, p *design.Plan, python []string) []outfile.File {
	described := outfile.File{Name: "cluster.yaml", Write: c.Write}
	if p == nil {
		return []outfile.File{described}
	}
	return []outfile.File{
		{Name: present.PlanFile, Write: p.Write},
		described,
		{Name: "train.py", Write: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, snippet, p.Nodes, p.Hash[:16], p.Nodes, strings.Join(python, "\n"))
			return err
		}},
	}
}

// graphFile draws the plan's graph, where it has one and ctx leaves time for it.
func graphFile(ctx context.Context, p *design.Plan) []outfile.File {
	figure, err := grace.Await(ctx, func() (*report.Figure, error) { return present.DrawGraph(p) })
	if err != nil {
		return nil
	}
	return []outfile.File{{Name: "graph.svg", Write: figure.Write}}
}

// snippet is how a training script uses a plan.
const snippet = `# Decentralised training of %d ranks with plan %s.
# Put plan.json beside this file and start it with
#   torchrun --nproc_per_node %d train.py        (on several hosts: as any other torchrun job)
# Where it imports batopo: that is the folder python/ of batopo, pip install ./python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")  # "nccl" where every rank has a GPU
torch.manual_seed(0)  # the same start on every rank
model = torch.nn.Linear(20, 2)  # your model
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

# What is new; the training loop stays as it is.
%s
`

// A NamedPlan is a plan that a request brings along.
type NamedPlan struct {
	Name string          `json:"name"`
	Plan json.RawMessage `json:"plan"` // the content of plan.json
	// Unchecked takes the content of a plan that was changed after it was written, whatever hash it states.
	Unchecked bool `json:"unchecked,omitempty"`
}

// readPlans reads plans as strictly as from files.
func (l Limits) readPlans(named []NamedPlan) ([]*design.Plan, error) {
	var out []*design.Plan
	for k, n := range named {
		name := n.Name
		if name == "" {
			return nil, fmt.Errorf("plans[%d] has no name", k)
		}
		if err := l.glance(n.Plan); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		p, err := design.ReadPlan(name, bytes.NewReader(n.Plan))
		if err != nil {
			return nil, err
		}
		if n.Unchecked {
			p.Hash = p.ComputeHash()
		} else if err := p.CheckHash(); err != nil {
			return nil, fmt.Errorf("%s: %w; \"unchecked\": true beside the plan takes its content", name, err)
		}
		if err := p.CheckExact(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// glance looks at how large a plan is. What it cannot read, the real reader complains about.
func (l Limits) glance(source json.RawMessage) error {
	var p struct {
		Question struct {
			Cluster cluster.Spec `json:"cluster"`
		} `json:"question"`
	}
	if json.Unmarshal(source, &p) != nil {
		return nil
	}
	return l.fits(p.Question.Cluster)
}
