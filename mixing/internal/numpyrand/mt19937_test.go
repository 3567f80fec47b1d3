package numpyrand

import (
	"slices"
	"testing"
)

func TestUint32KnownAnswers(t *testing.T) {
	// ISO/IEC 14882 (C++), [rand.predef]: the 10000th value of a mt19937 with its
	// default seed 5489 is 4123659995.
	s := New(5489)
	var v uint32
	for range 10000 {
		v = s.Uint32()
	}
	if v != 4123659995 {
		t.Errorf("10000th value of seed 5489 is %d, want 4123659995", v)
	}
	tests := []struct {
		seed uint32
		want []uint32
	}{
		{5489, []uint32{3499211612, 581869302, 3890346734, 3586334585, 545404204}},
		{0, []uint32{2357136044, 2546248239, 3071714933, 3626093760, 2588848963}},
		{1<<32 - 1, []uint32{419326371, 479346978, 3918654476, 2416749639, 3388880820}},
	}
	for _, tt := range tests {
		s := New(tt.seed)
		got := make([]uint32, len(tt.want))
		for i := range got {
			got[i] = s.Uint32()
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("seed %d: got %d, want %d", tt.seed, got, tt.want)
		}
	}
}

// The draws were printed by NumPy 1.24.2:
// np.random.seed(seed); [np.random.randint(low, high) for _ in range(len(want))].
func TestBetweenMatchesNumPy(t *testing.T) {
	tests := []struct {
		seed      uint32
		low, high int
		want      []int
	}{
		{0, 1, 300, []int{173, 48, 118, 193, 252, 196, 10, 212, 278}},
		{1, 1, 16, []int{6, 12, 13, 9, 10, 12, 6, 1}},
		{42, 1, 2, []int{1, 1, 1, 1}},
		{42, 1, 3, []int{1, 2, 1, 1, 1, 2, 1, 1}},
		{7, 1, 129, []int{48, 69, 26, 119, 68, 84}},
		{7, -5, 1000000, []int{585898, 189631, 573972, 535025, 759358}},
		{123, 0, 2147483648, []int{843828734, 914636141, 1228959102, 1840268610}},
		{4294967295, 1, 1048576, []int{944548, 147747, 125965, 830536}},
		{3, 0, 4294967295, []int{2365658986, 303761048, 3041471737, 3607553667}},
	}
	for _, tt := range tests {
		s := New(tt.seed)
		got := make([]int, len(tt.want))
		for i := range got {
			got[i] = s.Between(tt.low, tt.high)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("seed %d, randint(%d, %d): got %d, want %d", tt.seed, tt.low, tt.high, got, tt.want)
		}
	}
}

func TestSingleChoiceSpendsNothing(t *testing.T) {
	a, b := New(7), New(7)
	if got := a.Between(4, 5); got != 4 {
		t.Errorf("Between(4, 5) = %d, want 4", got)
	}
	if x, y := a.Uint32(), b.Uint32(); x != y {
		t.Errorf("after Between(4, 5) the next value is %d, want %d", x, y)
	}
}
