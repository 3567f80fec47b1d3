package topology

// InOrder lists the nodes 0 … n−1 as they are numbered.
func InOrder(n int) []int {
	nodes := make([]int, n)
	for i := range nodes {
		nodes[i] = i
	}
	return nodes
}

// Pairs returns n(n−1)/2, the number of edges of the complete graph.
func Pairs(n int) int { return n * (n - 1) / 2 }

// AllPairs returns every edge of the complete graph in order.
func AllPairs(n int) []Edge {
	edges := make([]Edge, 0, Pairs(n))
	for i := range n {
		for j := i + 1; j < n; j++ {
			edges = append(edges, Edge{i, j})
		}
	}
	return edges
}
