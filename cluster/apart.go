package cluster

import "fmt"

// tellApart numbers resources that were built with the same name, such as the uplinks of two racks that are both called
// rack; the first keeps it. Reports, and the proofs that plans state, call a resource by its name.
func (c *Cluster) tellApart() {
	taken := make(map[string]bool, len(c.resources))
	for _, r := range c.resources {
		taken[r.Name] = true
	}
	if len(taken) == len(c.resources) {
		return
	}
	last := map[string]int{} // number that was given to a name
	for l := range c.resources {
		name := c.resources[l].Name
		if last[name] == 0 {
			last[name] = 1
			continue
		}
		again := name
		for taken[again] {
			last[name]++
			again = fmt.Sprintf("%s (%d)", name, last[name])
		}
		c.resources[l].Name, taken[again] = again, true
	}
}
