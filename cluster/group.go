package cluster

// A Group is a vertex of the tree form: a site, a rack, a server, a socket, a PCIe switch. Nodes are numbered as they
// are met: those of a group first, then those of its groups, one after the other.
type Group struct {
	Name     string   `yaml:"name,omitempty" json:"name,omitempty"`               // several alike are numbered
	Count    int      `yaml:"count,omitempty" json:"count,omitempty" leftout:"1"` // how many equal copies
	Nodes    int      `yaml:"nodes,omitempty" json:"nodes,omitempty"`             // that hang right here
	Link     *Link    `yaml:"link,omitempty" json:"link,omitempty"`               // of each of those nodes to this group
	Uplink   *Link    `yaml:"uplink,omitempty" json:"uplink,omitempty"`           // of the group to the one around it
	NICs     *NICs    `yaml:"nics,omitempty" json:"nics,omitempty"`               // through which nodes leave the group
	NVSwitch *Link    `yaml:"nvswitch,omitempty" json:"nvswitch,omitempty"`
	NVLinks  []NVLink `yaml:"nvlinks,omitempty" json:"nvlinks,omitempty"`
	Between  *Link    `yaml:"between,omitempty" json:"between,omitempty"` // shared by pairs that meet here
	// Channel is half duplex, like the air around a Wi-Fi access point: all that its nodes send and receive shares it, so
	// what one of them sends another passes it twice.
	Channel *Link `yaml:"channel,omitempty" json:"channel,omitempty"`
	Through *Link `yaml:"through,omitempty" json:"through,omitempty"` // shared by pairs that meet or pass here
	// ComputeMS and JitterMS are of every node below; an inner group's own say more.
	ComputeMS *float64 `yaml:"compute_ms,omitempty" json:"compute_ms,omitempty" unit:"ms"`
	JitterMS  *float64 `yaml:"jitter_ms,omitempty" json:"jitter_ms,omitempty" unit:"ms"`
	Groups    []Group  `yaml:"groups,omitempty" json:"groups,omitempty"`
}

// A Link is what connects a node or a group. It is full duplex; where the two directions differ, UpGBs and DownGBs are
// given in place of GBs.
type Link struct {
	GBs          float64 `yaml:"gb_s,omitempty" json:"gb_s,omitempty" unit:"GB/s"`
	UpGBs        float64 `yaml:"up_gb_s,omitempty" json:"up_gb_s,omitempty" unit:"GB/s"`
	DownGBs      float64 `yaml:"down_gb_s,omitempty" json:"down_gb_s,omitempty" unit:"GB/s"`
	LatencyMS    float64 `yaml:"latency_ms,omitempty" json:"latency_ms,omitempty" unit:"ms"`
	PerMessageMS float64 `yaml:"per_message_ms,omitempty" json:"per_message_ms,omitempty" unit:"ms"`
	MaxEdges     int     `yaml:"max_edges,omitempty" json:"max_edges,omitempty" leftout:"no cap"`
}

// NICs are equal network cards of a group. Each node of the group leaves it through one of them.
type NICs struct {
	Count int `yaml:"count,omitempty" json:"count,omitempty" leftout:"1"`
	Link  `yaml:",inline"`
	// At is the name of the inner groups they hang on; empty: on this one.
	At string `yaml:"at,omitempty" json:"at,omitempty"`
	// OfNodes lists the nodes of each card, counted within the group; empty: even shares, in order.
	OfNodes [][]int `yaml:"of_nodes,omitempty" json:"of_nodes,omitempty"`
}

// AtNode is where network cards hang that only their own node reaches, without PCIe on the way.
const AtNode = "node"

// An NVLink joins two nodes of a group, counted within it, and nobody else.
type NVLink struct {
	Pair []int `yaml:"pair,flow" json:"pair"`
	Link `yaml:",inline"`
}

// A Matrix holds what was measured between pairs.
type Matrix struct {
	// GBs has the senders as rows and the receivers as columns; 0 means no connection.
	GBs [][]float64 `yaml:"gb_s,flow" json:"gb_s" unit:"GB/s"`
	// LatencyMS counts for a pair with its larger direction.
	LatencyMS [][]float64 `yaml:"latency_ms,flow,omitempty" json:"latency_ms,omitempty" unit:"ms"`
	// PortGBs is what a node sends or receives in all.
	PortGBs Numbers `yaml:"port_gb_s,flow,omitempty" json:"port_gb_s,omitempty" unit:"GB/s"`
}

// A Wire is a link of the graph form, between two nodes or switches. Up is from the first to the second.
type Wire struct {
	Between []string `yaml:"between,flow" json:"between"`
	Link    `yaml:",inline"`
}
