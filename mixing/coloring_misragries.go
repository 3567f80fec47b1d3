package mixing

// misraGries colours edge e when c.count is at least Δ+1, by the constructive
// proof of Vizing's theorem in Misra and Gries (1992). With u an end of e, a fan is a list of
// neighbours w₀, w₁, … of u with w₀ the other end of e and the colour of {u, wᵢ₊₁}
// free at wᵢ: rotating its colours by one place colours e and leaves its last edge without.
func (c *coloring) misraGries(e int) {
	u := c.edges[e].I
	fan := c.fan(u, e)
	atU, atLast := c.free(u, u), c.lastFree(u, fan)
	c.flip(u, atU, atLast) // afterwards atLast is free at u
	for x, f := range fan {
		w := c.other(f, u)
		if c.find(w, atLast) == none {
			for y := range x {
				c.color[fan[y]] = c.color[fan[y+1]]
			}
			c.color[f] = atLast
			return
		}
		// The flip may have cut the fan, but then atLast was found free before the cut.
		if x+1 == len(fan) || c.find(w, c.color[fan[x+1]]) != none {
			panic("mixing: edge colouring lost its fan")
		}
	}
}

// fan returns the edges of a maximal fan at u that starts with e.
func (c *coloring) fan(u, e int) []int {
	fan, used := []int{e}, map[int]bool{e: true}
	for {
		w := c.other(fan[len(fan)-1], u)
		longer := false
		for _, f := range c.incident(u) {
			if c.color[f] != none && !used[f] && c.find(w, c.color[f]) == none {
				fan, used[f], longer = append(fan, f), true, true
				break
			}
		}
		if !longer {
			return fan
		}
	}
}

// lastFree returns a colour that is free at the last node of a fan at u.
func (c *coloring) lastFree(u int, fan []int) int {
	w := c.other(fan[len(fan)-1], u)
	return c.free(w, w)
}
