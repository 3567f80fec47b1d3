package topology

// Connected reports whether every node can reach every other.
func (g *Graph) Connected() bool {
	count, _ := g.Components()
	return count == 1
}

// Components returns the number of connected components and the component of every node.
func (g *Graph) Components() (count int, of []int) {
	of = make([]int, g.n)
	for i := range of {
		of[i] = -1
	}
	var stack []int
	for root := range g.n {
		if of[root] >= 0 {
			continue
		}
		of[root] = count
		stack = append(stack[:0], root)
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, j := range g.Neighbors(i) {
				if of[j] < 0 {
					of[j] = count
					stack = append(stack, j)
				}
			}
		}
		count++
	}
	return count, of
}
