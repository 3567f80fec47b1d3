package cluster

import "encoding/binary"

// alike tries prices that are equal for resources of one kind: those with the same capacity and the same number of
// candidates. Candidates that pass the same kinds are then alike too, so that thousands of pairs of a fabric are two or
// three kinds of route. Connection is left out here; it counts when the prices are tried.
func (d *prices) alike(wanted goal) {
	k := d.kinds()
	y, lowest := make([]float64, len(k.capacity)), make([]float64, len(k.capacity))
	load := make([]float64, len(k.capacity))
	aim, best := float64(d.aim(wanted))/one, float64(len(d.open))
	const steps, work = 1000, 1 << 22
	for range min(steps, work/(1+len(k.over))) {
		value := k.bound(y, load)
		if value < best {
			best = value
			copy(lowest, y)
		}
		norm := 0.0
		for c, e := range k.capacity {
			if g := e - load[c]; y[c] > 0 || g < 0 {
				norm += g * g
			}
		}
		if norm == 0 || value <= aim {
			break
		}
		step := (value - aim) / norm
		for c, e := range k.capacity {
			y[c] = min(max(0, y[c]-step*(e-load[c])), dearest/one)
		}
	}
	before, old := d.bound(), append([]int64(nil), d.y...)
	clear(d.y)
	for l, c := range k.of {
		d.y[l] = int64(lowest[c]*one + 0.5)
	}
	if d.bound() > before {
		copy(d.y, old)
	}
}

// kinds are the resources and the open candidates of a packing, those that are alike taken together.
type kinds struct {
	of       []int     // kind of every resource
	capacity []float64 // of all resources of a kind together
	over     [][]int   // by kind of route: the kinds of resource it passes
	edges    []float64 // by kind of route
}

func (d *prices) kinds() *kinds {
	p := d.p
	used := make([]int, p.resources)
	for _, k := range d.open {
		for _, l := range p.route(k) {
			used[l]++
		}
	}
	k := &kinds{of: make([]int, p.resources)}
	number := map[[2]int]int{}
	for l := range p.resources {
		key := [2]int{int(d.cap[l]), used[l]}
		c, known := number[key]
		if !known {
			c = len(k.capacity)
			number[key] = c
			k.capacity = append(k.capacity, 0)
		}
		k.of[l] = c
		k.capacity[c] += float64(d.cap[l])
	}
	routes := map[string]int{}
	var key []byte
	for _, candidate := range d.open {
		key = key[:0]
		for _, l := range p.route(candidate) {
			key = binary.AppendUvarint(key, uint64(k.of[l]))
		}
		c, known := routes[string(key)]
		if !known {
			c = len(k.edges)
			routes[string(key)] = c
			k.edges = append(k.edges, 0)
			var over []int
			for _, l := range p.route(candidate) {
				over = append(over, k.of[l])
			}
			k.over = append(k.over, over)
		}
		k.edges[c]++
	}
	return k
}

// bound evaluates prices by kind and leaves the loads of the best graph at these prices.
func (k *kinds) bound(y, load []float64) float64 {
	clear(load)
	value := 0.0
	for c, e := range k.capacity {
		value += y[c] * e
	}
	for r, over := range k.over {
		price := 0.0
		for _, c := range over {
			price += y[c]
		}
		if price < 1 {
			value += (1 - price) * k.edges[r]
			for _, c := range over {
				load[c] += k.edges[r]
			}
		}
	}
	return value
}
