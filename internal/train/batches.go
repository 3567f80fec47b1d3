package train

import "math/rand/v2"

// batches says which images a node takes in which step. A node visits its images in a new order in every epoch; the
// last batch of an epoch is filled up from the beginning of that order.
type batches struct {
	held  []int32 // the node's images
	order []int32
	epoch int // that order belongs to; −1: none yet
	node  int
	seed  uint64
	bits  *rand.PCG
	rng   *rand.Rand // draws from bits
	taken []int32    // the batch of the last call
}

func newBatches(held []int32, node, size int, seed uint64) *batches {
	bits := rand.NewPCG(0, 0)
	return &batches{held: held, order: make([]int32, len(held)), epoch: -1, node: node, seed: seed,
		bits: bits, rng: rand.New(bits), taken: make([]int32, size)}
}

// at returns the batch of a step, counted from 0. The slice is valid until the next call.
func (b *batches) at(step int) []int32 {
	size := len(b.taken)
	perEpoch := (len(b.held) + size - 1) / size
	if epoch := step / perEpoch; epoch != b.epoch {
		b.epoch = epoch
		copy(b.order, b.held)
		b.bits.Seed(b.seed, stream(streamBatches, b.node, epoch))
		for k := len(b.order) - 1; k > 0; k-- {
			j := b.rng.IntN(k + 1)
			b.order[k], b.order[j] = b.order[j], b.order[k]
		}
	}
	first := step % perEpoch * size
	for k := range b.taken {
		b.taken[k] = b.order[(first+k)%len(b.order)]
	}
	return b.taken
}
