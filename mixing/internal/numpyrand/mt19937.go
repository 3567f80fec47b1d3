// Package numpyrand draws the same integers as NumPy's legacy generator
// (np.random.seed, np.random.randint), so that random topologies published with a
// NumPy seed come out as their authors drew them.
//
// It is the Mersenne Twister MT19937 of Matsumoto and Nishimura (1998), seeded by
// one 32-bit number, with bounded integers by masking and rejection. Nothing else
// should use it: new random choices belong to math/rand/v2.
package numpyrand

import "math/bits"

const (
	size   = 624
	middle = 397
)

// A Source is the state of a generator.
type Source struct {
	state [size]uint32
	next  int // the word to hand out next
}

// New returns the generator that np.random.seed(seed) sets up.
func New(seed uint32) *Source {
	s := &Source{next: size}
	s.state[0] = seed
	for i := 1; i < size; i++ {
		last := s.state[i-1]
		s.state[i] = 1812433253*(last^last>>30) + uint32(i)
	}
	return s
}

// refill replaces all words of the state by the recurrence of the twister.
func (s *Source) refill() {
	for i := range size {
		joined := s.state[i]&0x80000000 | s.state[(i+1)%size]&0x7fffffff
		twisted := joined >> 1
		if joined&1 == 1 {
			twisted ^= 0x9908b0df
		}
		s.state[i] = s.state[(i+middle)%size] ^ twisted
	}
	s.next = 0
}

// Uint32 returns the next 32 random bits.
func (s *Source) Uint32() uint32 {
	if s.next == size {
		s.refill()
	}
	y := s.state[s.next]
	s.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// Between returns the next integer of np.random.randint(low, high): uniform over
// low … high−1, which must be at least one number and fewer than 2³².
// np.random.choice(np.arange(low, high)) with replacement draws the same.
func (s *Source) Between(low, high int) int {
	last := high - 1 - low
	if last < 0 || last >= 1<<32-1 {
		panic("numpyrand: Between needs a range of 1 … 2³²−1 numbers")
	}
	if last == 0 {
		return low // NumPy spends no random bits on a single choice
	}
	mask := uint32(1)<<bits.Len32(uint32(last)) - 1 // the shift gives 0 for 32 bits, so all ones
	for {
		if v := s.Uint32() & mask; v <= uint32(last) {
			return low + int(v)
		}
	}
}
