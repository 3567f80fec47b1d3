package train

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// Random numbers for different purposes come from different streams of one seed.
const (
	streamStart uint64 = iota + 1
	streamSplit
	streamBatches
)

// stream returns the second half of a generator's seed: a purpose and two numbers that tell its uses apart.
func stream(purpose uint64, a, b int) uint64 { return purpose<<60 ^ uint64(a)<<36 ^ uint64(b) }

// split says which images each node holds: the same number of each class at every node where skew is 0, otherwise
// class shares from a Dirichlet distribution with parameter skew. All nodes hold equally many.
func split(m *Images, classes, nodes int, skew float64, seed uint64) ([][]int32, error) {
	const least, most = 1e-3, 1e6
	if skew != 0 && !(skew >= least && skew <= most) {
		return nil, fmt.Errorf("train: skew is %v; it must be 0 (none) or from %v (most) to %v (least)",
			skew, least, most)
	}
	rng := rand.New(rand.NewPCG(seed, stream(streamSplit, 0, 0)))
	pools := make([][]int32, classes)
	for k, label := range m.Labels {
		pools[label] = append(pools[label], int32(k))
	}
	for _, pool := range pools {
		rng.Shuffle(len(pool), func(a, b int) { pool[a], pool[b] = pool[b], pool[a] })
	}
	if skew == 0 {
		return even(pools, nodes)
	}
	size := m.Count() / nodes
	if size == 0 {
		return nil, fmt.Errorf("train: %d images for %d nodes; every node needs at least one", m.Count(), nodes)
	}
	return dirichlet(pools, nodes, size, skew, rng), nil
}

// even gives every node the same number of images of each class; what is left over stays unused.
func even(pools [][]int32, nodes int) ([][]int32, error) {
	held := make([][]int32, nodes)
	for class, pool := range pools {
		share := len(pool) / nodes
		if share == 0 && len(pool) > 0 {
			return nil, fmt.Errorf("train: %d images of class %d for %d nodes; every node needs at least one of each class, "+
				"so take a larger data set, fewer nodes or a skewed split", len(pool), class, nodes)
		}
		for i := range held {
			held[i] = append(held[i], pool[i*share:(i+1)*share]...)
		}
	}
	return held, nil
}

// dirichlet deals size images to every node, a few at a time, so that no node is left with what the others did not
// want. A node draws classes with its shares among those that are not used up.
func dirichlet(pools [][]int32, nodes, size int, skew float64, rng *rand.Rand) [][]int32 {
	const deals = 64
	held, shares := make([][]int32, nodes), make([][]float64, nodes)
	for i := range shares {
		shares[i] = drawShares(len(pools), skew, rng)
	}
	hand := max(1, size/deals)
	wish := make([]float64, len(pools))
	for len(held[0]) < size {
		count := min(hand, size-len(held[0]))
		for _, i := range rng.Perm(nodes) {
			for range count {
				class := pick(wish, shares[i], pools, rng)
				last := len(pools[class]) - 1
				held[i] = append(held[i], pools[class][last])
				pools[class] = pools[class][:last]
			}
		}
	}
	return held
}

// drawShares draws from a symmetric Dirichlet distribution.
func drawShares(classes int, skew float64, rng *rand.Rand) []float64 {
	gamma := distuv.Gamma{Alpha: skew, Beta: 1, Src: rng}
	shares := make([]float64, classes)
	for c := range shares {
		shares[c] = gamma.Rand()
	}
	if total := floats.Sum(shares); total > 0 && !math.IsInf(total, 0) {
		floats.Scale(1/total, shares)
	} else { // extreme skew: every draw was too small for a number, so one class has all
		shares[rng.IntN(classes)] = 1
	}
	return shares
}

// pick draws a class by a node's shares among those with images left, or by what is left where it wants none of them.
func pick(wish, shares []float64, pools [][]int32, rng *rand.Rand) int {
	total := 0.0
	for c, pool := range pools {
		wish[c] = 0
		if len(pool) > 0 {
			wish[c] = shares[c]
		}
		total += wish[c]
	}
	const negligible = 1e-12
	if total < negligible {
		total = 0
		for c, pool := range pools {
			wish[c] = float64(len(pool))
			total += wish[c]
		}
	}
	at, last := rng.Float64()*total, -1
	for c, w := range wish {
		if w <= 0 {
			continue
		}
		if last = c; at < w {
			break
		}
		at -= w
	}
	return last
}
