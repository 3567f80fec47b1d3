package cluster

import (
	"fmt"
	"strings"
)

// checkStated complains about stated edges that are not one number per resource, or more than can use it.
func (c *Cluster) checkStated(check *checker) {
	e := c.spec.Edges
	if e == nil {
		return
	}
	if len(e) != len(c.resources) {
		check.complain("edges", "has %d entries for %d resources; give one number for each of %s",
			len(e), len(c.resources), c.resourceNames())
		return
	}
	for l, most := range c.Most() {
		if e[l] < 0 || e[l] > most {
			check.complain(fmt.Sprintf("edges[%d]", l), "is %d; %s carries between 0 and %d edges",
				e[l], c.resources[l].Name, most)
		}
	}
}

// resourceNames lists the resources in order, the first ones of many.
func (c *Cluster) resourceNames() string {
	const most = 8
	var names []string
	for _, r := range c.resources[:min(most, len(c.resources))] {
		names = append(names, r.Name)
	}
	if len(c.resources) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// StatesEdges reports whether the description says itself how many edges each resource carries.
func (c *Cluster) StatesEdges() bool { return c.spec.Edges != nil }
