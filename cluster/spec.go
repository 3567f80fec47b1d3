package cluster

// Format is the version tag of cluster files. Version 2 adds trees, graphs of links, measured matrices and nodes of
// unequal speed, and between servers it counts the PCIe links on the way.
const (
	Format   = "batopo.cluster/v1"
	FormatV2 = "batopo.cluster/v2"
)

// The paper's homogeneous setting, and what a file gets where it is silent.
const (
	PaperBandwidthGBs = 9.76
	PaperMessageMB    = 48.8976 // 5.01 ms at 9.76 GB/s
	PaperComputeMS    = 15.21
	PaperTarget       = 1e-4
)

// A Spec describes a cluster as people write it: one of the shorthands or the
// general form of resources and routes. It is the content of cluster.yaml and of the
// cluster block of a plan.
type Spec struct {
	Format string `yaml:"format" json:"format"`
	// Assumptions are what nobody measured and the description takes for granted, in sentences for people.
	Assumptions []string `yaml:"assumptions,omitempty" json:"assumptions,omitempty"`

	Nodes     int            `yaml:"nodes,omitempty" json:"nodes,omitempty" leftout:"as many as the rest gives" least:"2"`
	Names     []string       `yaml:"names,omitempty" json:"names,omitempty"`
	Bandwidth Numbers        `yaml:"bandwidth,omitempty" json:"bandwidth,omitempty" unit:"GB/s"`
	Servers   *Servers       `yaml:"servers,omitempty" json:"servers,omitempty"`
	BCube     *BCube         `yaml:"bcube,omitempty" json:"bcube,omitempty"`
	LeafSpine *LeafSpine     `yaml:"leafspine,omitempty" json:"leafspine,omitempty"`
	Tree      *Group         `yaml:"tree,omitempty" json:"tree,omitempty"`
	Links     []Wire         `yaml:"links,omitempty" json:"links,omitempty"`
	Transit   bool           `yaml:"transit,omitempty" json:"transit,omitempty"` // links: through other nodes too
	Matrix    *Matrix        `yaml:"matrix,omitempty" json:"matrix,omitempty"`
	Resources []ResourceSpec `yaml:"resources,omitempty" json:"resources,omitempty"`
	Routes    []RouteSpec    `yaml:"routes,omitempty" json:"routes,omitempty"`
	Edges     []int          `yaml:"edges,flow,omitempty" json:"edges,omitempty"` // e of each resource; none: Algorithm 1
	LatencyMS float64        `yaml:"latency_ms,omitempty" json:"latency_ms,omitempty" unit:"ms"`
	// PerMessageMS is what every message costs the node that sends it, PerCollectiveMS every call of a collective.
	PerMessageMS    float64    `yaml:"per_message_ms,omitempty" json:"per_message_ms,omitempty" unit:"ms"`
	PerCollectiveMS float64    `yaml:"per_collective_ms,omitempty" json:"per_collective_ms,omitempty" unit:"ms"`
	GPU             string     `yaml:"gpu,omitempty" json:"gpu,omitempty"`         // of every node, such as H100
	Backend         Backend    `yaml:"backend,omitempty" json:"backend,omitempty"` // of torch.distributed
	Model           *ModelSpec `yaml:"model,omitempty" json:"model,omitempty"`
}

// Servers is a number of equal servers, each a tree GPU – PCIe switch (pix) – NUMA
// node (node) – link between sockets (sys).
type Servers struct {
	Count             int       `yaml:"count" json:"count"`
	GPUs              int       `yaml:"gpus" json:"gpus"`
	GPUsPerSwitch     int       `yaml:"gpus_per_switch,omitempty" json:"gpus_per_switch,omitempty" leftout:"2"`
	SwitchesPerSocket int       `yaml:"switches_per_socket,omitempty" json:"switches_per_socket,omitempty" leftout:"2"`
	Tree              TreeSpec  `yaml:"tree" json:"tree"`
	Load              LoadModel `yaml:"load,omitempty" json:"load,omitempty"`           // empty means highest
	NIC               float64   `yaml:"nic,omitempty" json:"nic,omitempty" unit:"GB/s"` // per server, for Count > 1
}

// TreeSpec holds the bandwidth of each link class of a server in GB/s.
type TreeSpec struct {
	PIX  float64 `yaml:"pix" json:"pix" unit:"GB/s"`
	Node float64 `yaml:"node,omitempty" json:"node,omitempty" unit:"GB/s"`
	Sys  float64 `yaml:"sys,omitempty" json:"sys,omitempty" unit:"GB/s"`
}

// A LoadModel says which links of a tree an edge loads.
type LoadModel string

const (
	// LoadHighest loads only the highest link class that the edge crosses: the paper's experiment.
	LoadHighest LoadModel = "highest"
	// LoadPath loads every link on the path: the paper's general text.
	LoadPath LoadModel = "path"
)

// BCube is BCube(Ports, Layers): Ports^Layers servers; two servers that differ in
// digit i only share a layer-i switch.
type BCube struct {
	Ports     int       `yaml:"ports" json:"ports"`
	Layers    int       `yaml:"layers" json:"layers"`
	Bandwidth []float64 `yaml:"bandwidth" json:"bandwidth" unit:"GB/s"` // of a port, per layer
	Load      LoadModel `yaml:"load,omitempty" json:"load,omitempty"`   // empty means path
}

// LeafSpine is a two-level fabric: hosts under leaves, leaves joined by their uplinks.
type LeafSpine struct {
	Leaves int     `yaml:"leaves" json:"leaves"`
	Hosts  int     `yaml:"hosts" json:"hosts"`           // per leaf
	Host   float64 `yaml:"host" json:"host" unit:"GB/s"` // GB/s of a host port
	Uplink float64 `yaml:"uplink" json:"uplink" unit:"GB/s"`
}

// ResourceSpec is a resource of the general form.
type ResourceSpec struct {
	Name         string  `yaml:"name" json:"name"`
	GBs          float64 `yaml:"gb_s" json:"gb_s" unit:"GB/s"`
	MaxEdges     int     `yaml:"max_edges,omitempty" json:"max_edges,omitempty" leftout:"no cap"`
	LatencyMS    float64 `yaml:"latency_ms,omitempty" json:"latency_ms,omitempty" unit:"ms"`
	PerMessageMS float64 `yaml:"per_message_ms,omitempty" json:"per_message_ms,omitempty" unit:"ms"`
}

// RouteSpec lists the resources that the edge of a pair passes.
type RouteSpec struct {
	Pair []int    `yaml:"pair,flow" json:"pair"`
	Over []string `yaml:"over,flow" json:"over"`
}

// ModelSpec is Model in a file; a missing field means the paper's value.
type ModelSpec struct {
	MessageMB   *float64 `yaml:"message_mb,omitempty" json:"message_mb,omitempty" unit:"MB"`
	ComputeMS   *float64 `yaml:"compute_ms,omitempty" json:"compute_ms,omitempty" unit:"ms"`
	TargetError *float64 `yaml:"target_error,omitempty" json:"target_error,omitempty"`
	// Parameters, such as 7B, and DType are given in place of MessageMB; all three must fit.
	Parameters *float64  `yaml:"parameters,omitempty" json:"parameters,omitempty" unit:"parameters"`
	DType      DType     `yaml:"dtype,omitempty" json:"dtype,omitempty"`
	Optimizer  Optimizer `yaml:"optimizer,omitempty" json:"optimizer,omitempty"`
	// NodeComputeMS is given in place of ComputeMS where nodes differ, JitterMS where the time of one computation varies.
	NodeComputeMS Numbers `yaml:"node_compute_ms,flow,omitempty" json:"node_compute_ms,omitempty" unit:"ms"`
	JitterMS      Numbers `yaml:"jitter_ms,flow,omitempty" json:"jitter_ms,omitempty" unit:"ms"`
}

// Homogeneous describes n nodes of equal bandwidth with the paper's message and target.
func Homogeneous(n int, gbs float64) Spec {
	return Spec{Format: Format, Nodes: n, Bandwidth: Numbers{gbs}}
}
