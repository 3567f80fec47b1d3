package present

import (
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// ClusterJSON is what a description means, as programs read it.
type ClusterJSON struct {
	Cluster   cluster.Spec     `json:"cluster"` // with everything filled in
	Nodes     int              `json:"nodes"`
	Pairs     int              `json:"pairs"` // that may be edges
	Resources []ResourceJSON   `json:"resources"`
	Budgets   []AllocationJSON `json:"budgets"`
	Printed   []int            `json:"algorithm_1,omitempty"` // e of the paper for the only budget, where it is defined
}

// ResourceJSON is something that edges share.
type ResourceJSON struct {
	Name      string  `json:"name"`
	GBs       float64 `json:"gb_s"` // of the slower direction where they differ
	UpGBs     float64 `json:"up_gb_s,omitempty"`
	DownGBs   float64 `json:"down_gb_s,omitempty"`
	LatencyMS float64 `json:"latency_ms"`
	MostEdges int     `json:"most_edges"`
}

// AllocationJSON is how many edges each resource carries under a budget.
type AllocationJSON struct {
	MaxEdges int     `json:"max_edges"`
	UnitGBs  float64 `json:"unit_gb_s"` // that every edge is sure to get
	Edges    []int   `json:"edges"`     // in the order of the resources
}

// NewClusterJSON is the JSON form of a cluster, of the budgets given and of Algorithm 1's e.
func NewClusterJSON(c *cluster.Cluster, budgets []feasible.Allocation, printed []int) ClusterJSON {
	out := ClusterJSON{Cluster: c.Spec(), Nodes: c.Nodes(), Pairs: c.CandidateCount(),
		Resources: []ResourceJSON{}, Budgets: []AllocationJSON{}, Printed: printed}
	most := c.Most()
	for l, r := range c.Resources() {
		out.Resources = append(out.Resources, ResourceJSON{r.Name, r.GBs, r.UpGBs, r.DownGBs, r.LatencyMS, most[l]})
	}
	for _, b := range budgets {
		out.Budgets = append(out.Budgets, AllocationJSON{b.MaxEdges, b.UnitGBs, b.Edges})
	}
	return out
}
