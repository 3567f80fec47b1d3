package cluster

import (
	"fmt"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"
)

// buildMatrix makes one link per measured pair, with its own rate in each direction, and a port per node. Pairs were
// measured one at a time, so how much a node sends to several at once is not in the matrix: unless it is said, no more
// than to the fastest one.
func (c *Cluster) buildMatrix(check *checker) {
	m := c.spec.Matrix
	n := len(m.GBs)
	check.between("matrix.gb_s", n, 2, limits.MatrixNodes)
	square(check, "matrix.gb_s", m.GBs, n, bandwidthSpan)
	if m.LatencyMS != nil {
		square(check, "matrix.latency_ms", m.LatencyMS, n, latencySpan)
	}
	if p := len(m.PortGBs); p > 1 && p != n {
		check.complain("matrix.port_gb_s", "has %d entries for %d nodes; give one number for all or one per node", p, n)
	}
	for k, v := range m.PortGBs {
		check.within(fmt.Sprintf("matrix.port_gb_s[%d]", k), v, bandwidthSpan)
	}
	if check.bad() {
		return
	}
	c.nodes = n
	c.addPorts(check, m)
	link := map[topology.Edge]int{}
	c.listed = []topology.Edge{}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if m.GBs[i][j] == 0 || m.GBs[j][i] == 0 {
				continue
			}
			l := Link{UpGBs: m.GBs[i][j], DownGBs: m.GBs[j][i]}
			if m.LatencyMS != nil {
				l.LatencyMS = max(m.LatencyMS[i][j], m.LatencyMS[j][i])
			}
			e := topology.Edge{I: i, J: j}
			link[e] = c.add(&l, fmt.Sprintf("%s–%s", c.nameBefore(i), c.nameBefore(j)))
			c.listed = append(c.listed, e)
		}
	}
	if len(c.listed) == 0 {
		check.complain("matrix.gb_s", "connects no pair in both directions")
	}
	c.route = func(hops []Hop, i, j int) []Hop {
		l, ok := link[topology.Edge{I: min(i, j), J: max(i, j)}]
		switch {
		case !ok:
			return hops
		case i < j:
			return append(hops, Hop{i, Sender}, Hop{l, Sender}, Hop{j, Receiver})
		}
		return append(hops, Hop{i, Sender}, Hop{l, Receiver}, Hop{j, Receiver})
	}
}

// addPorts adds the ports of all nodes.
func (c *Cluster) addPorts(check *checker, m *Matrix) {
	for i := range c.nodes {
		var l Link
		for j := range c.nodes {
			if i != j {
				l.UpGBs, l.DownGBs = max(l.UpGBs, m.GBs[i][j]), max(l.DownGBs, m.GBs[j][i])
			}
		}
		if l.UpGBs == 0 || l.DownGBs == 0 {
			check.complain(fmt.Sprintf("matrix.gb_s[%d]", i), "connects node %s with nobody in both directions; "+
				"0 means no connection, so measure it again or leave the node out", c.nameBefore(i))
		}
		if len(m.PortGBs) > 0 {
			l = Link{GBs: m.PortGBs[min(i, len(m.PortGBs)-1)]}
		}
		c.add(&l, "port of node "+c.nameBefore(i))
	}
}

// square checks a matrix of one number per ordered pair; the diagonal may hold anything, and 0 off it means none.
func square(check *checker, path string, rows [][]float64, n int, s span) {
	if len(rows) != n {
		check.complain(path, "has %d rows for %d nodes", len(rows), n)
	}
	for i, row := range rows {
		if len(row) != n {
			check.complain(fmt.Sprintf("%s[%d]", path, i), "has %d entries; a row has one per node, %d", len(row), n)
			continue
		}
		for j, v := range row {
			if i != j && v != 0 {
				check.within(fmt.Sprintf("%s[%d][%d]", path, i, j), v, s)
			}
		}
	}
}
