package topology

// distances fills dist with the hop count from source, −1 where unreachable,
// using queue as scratch, and returns how many nodes were reached.
func (g *Graph) distances(source int, dist, queue []int) int {
	for i := range dist {
		dist[i] = -1
	}
	dist[source] = 0
	queue = append(queue[:0], source)
	for head := 0; head < len(queue); head++ {
		i := queue[head]
		for _, j := range g.Neighbors(i) {
			if dist[j] < 0 {
				dist[j] = dist[i] + 1
				queue = append(queue, j)
			}
		}
	}
	return len(queue)
}

// Connected reports whether every node can reach every other.
func (g *Graph) Connected() bool {
	return g.distances(0, make([]int, g.n), make([]int, 0, g.n)) == g.n
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

// AverageDistance returns the mean hop count over all pairs and the diameter;
// ok is false when some pair is not connected. It costs O(n·(n+r)).
func (g *Graph) AverageDistance() (mean float64, diameter int, ok bool) {
	if g.n == 1 {
		return 0, 0, true
	}
	dist, queue := make([]int, g.n), make([]int, 0, g.n)
	total := 0
	for source := range g.n {
		if g.distances(source, dist, queue) < g.n {
			return 0, 0, false
		}
		for _, d := range dist {
			total += d
			diameter = max(diameter, d)
		}
	}
	return float64(total) / float64(g.n*(g.n-1)), diameter, true
}
