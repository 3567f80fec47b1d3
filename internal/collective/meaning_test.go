package collective

import (
	"encoding/json"
	"flag"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write the collectives that other readers are tried with")

// A vector is a collective, legal or not, and whether it averages exactly. Package verify and the Python package go
// through the same ones.
type vector struct {
	Nodes int      `json:"nodes"`
	Exact bool     `json:"exact"`
	Steps [][]move `json:"steps"`
}

type move struct {
	From  int     `json:"from"`
	To    int     `json:"to"`
	Begin float64 `json:"begin"`
	End   float64 `json:"end"`
	Add   bool    `json:"add"`
}

// vectors draws collectives that average part by part, some of them with transfers whose result is replaced later, and
// changes every second one.
func vectors() (all []vector) {
	draw := rand.New(rand.NewPCG(3, 14))
	for len(all) < 120 {
		n := 2 + draw.IntN(5)
		cuts := []float64{0, 1}
		for range draw.IntN(3) {
			cuts = append(cuts, float64(1+draw.IntN(15))/[]float64{16, 17}[draw.IntN(2)])
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		steps := make([][]move, 0)
		for k := range len(cuts) - 1 {
			steps = laid(draw, steps, averaged(draw, n, cuts[k], cuts[k+1]))
		}
		if len(all)%2 == 1 {
			spoil(draw, n, steps)
		}
		if v := (vector{n, exactByCounting(n, steps), steps}); legal(v) {
			all = append(all, v)
		}
	}
	return all
}

// averaged is one part: sums along a random tree to its root, then from those that have the sum to those that have not.
// In between nodes that are through add what they have somewhere where it does no good and no harm.
func averaged(draw *rand.Rand, n int, begin, end float64) (steps [][]move) {
	order := draw.Perm(n)
	for k := n - 1; k > 0; k-- {
		steps = append(steps, []move{{order[k], order[draw.IntN(k)], begin, end, true}})
		if k < n-1 && draw.IntN(3) == 0 { // order[k+1] has handed its sum over
			steps = append(steps, []move{{order[k], order[k+1], begin, end, draw.IntN(2) == 0}})
		}
	}
	for k := 1; k < n; k++ {
		steps = append(steps, []move{{order[draw.IntN(k)], order[k], begin, end, false}})
		if draw.IntN(4) == 0 { // again from one that has it
			steps = append(steps, []move{{order[k], order[draw.IntN(k)], begin, end, false}})
		}
		if k < n-1 && draw.IntN(4) == 0 { // spoils a node that gets it later
			steps = append(steps, []move{{order[k], order[k+1], begin, end, true}})
		}
	}
	return steps
}

// laid lays the steps of another part over those that there are, at a random distance.
func laid(draw *rand.Rand, steps, others [][]move) [][]move {
	first := draw.IntN(len(steps) + 1)
	for k, step := range others {
		if first+k < len(steps) {
			steps[first+k] = append(steps[first+k], step...)
		} else {
			steps = append(steps, step)
		}
	}
	return steps
}

// spoil changes one transfer, or takes one away.
func spoil(draw *rand.Rand, n int, steps [][]move) {
	s := draw.IntN(len(steps))
	k := draw.IntN(len(steps[s]))
	m := &steps[s][k]
	switch draw.IntN(5) {
	case 0:
		m.Add = !m.Add
	case 1:
		m.To = draw.IntN(n)
	case 2:
		m.From = draw.IntN(n)
	case 3:
		m.End = (m.Begin + m.End) / 2
	default:
		other := draw.IntN(len(steps))
		steps[s], steps[other] = steps[other], steps[s]
	}
}

// legal says whether the format lets a collective pass: nobody sends to itself, nobody is left out, and what a step
// replaces nothing else changes.
func legal(v vector) bool {
	talks := make([]bool, v.Nodes)
	for _, step := range v.Steps {
		for k, m := range step {
			if m.From == m.To {
				return false
			}
			talks[m.From], talks[m.To] = true, true
			for _, o := range step[:k] {
				if m.To == o.To && (!m.Add || !o.Add) && m.Begin < o.End && o.Begin < m.End {
					return false
				}
			}
		}
	}
	return !slices.Contains(talks, false)
}

// exactByCounting follows how often every node's message is contained in what a node holds: digits of large numbers,
// so large that none carries.
func exactByCounting(n int, steps [][]move) bool {
	cuts := []float64{0, 1}
	for _, step := range steps {
		for _, m := range step {
			cuts = append(cuts, m.Begin, m.End)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	digit, want := uint(len(steps)*n+8), new(big.Int)
	for i := range n {
		want.SetBit(want, i*int(digit), 1)
	}
	for _, at := range cuts[:len(cuts)-1] {
		has := make([]*big.Int, n)
		for i := range has {
			has[i] = new(big.Int).Lsh(big.NewInt(1), uint(i)*digit)
		}
		for _, step := range steps {
			before := slices.Clone(has)
			for _, m := range step {
				switch {
				case m.Begin > at || m.End <= at:
				case m.Add:
					has[m.To] = new(big.Int).Add(has[m.To], before[m.From])
				default:
					has[m.To] = before[m.From]
				}
			}
		}
		for _, v := range has {
			if v.Cmp(want) != 0 {
				return false
			}
		}
	}
	return true
}

// The file for other readers is what is drawn here, and both this package's test of exactness and the count agree.
func TestWhatAveragesExactly(t *testing.T) {
	all, exact := vectors(), 0
	for k, v := range all {
		steps := make([][]Transfer, len(v.Steps))
		for s, step := range v.Steps {
			for _, m := range step {
				steps[s] = append(steps[s], Transfer(m))
			}
		}
		if err := Listed("drawn", v.Nodes, steps).Exact(); (err == nil) != v.Exact {
			t.Errorf("collective %d: %v, but whether it averages is %t", k, err, v.Exact)
		}
		if v.Exact {
			exact++
		}
	}
	if exact < 50 || exact > 90 {
		t.Errorf("%d of %d average exactly", exact, len(all))
	}
	const name = "testdata/meaning.jsonl"
	var now []byte
	for _, v := range all {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		now = append(append(now, line...), '\n')
	}
	if *update {
		if err := os.WriteFile(name, now, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if written, err := os.ReadFile(name); err != nil || string(written) != string(now) {
		t.Errorf("%s is not what is drawn now (error %v); go test ./internal/collective -update writes it", name, err)
	}
}

// Doubling a value 64 times makes it 0 modulo 2⁶⁴; it still counts.
func TestExactCountsWithoutEnd(t *testing.T) {
	steps := [][]Transfer{{whole(0, 1, true), whole(1, 0, true)}, {whole(2, 0, true), whole(2, 1, true)}}
	steps = append(steps, []Transfer{whole(0, 2, false)})
	if err := Listed("honest", 3, steps).Exact(); err != nil {
		t.Fatal(err)
	}
	var doubled [][]Transfer // nodes 0 and 1 hold equal values and add them to each other
	doubled = append(doubled, []Transfer{whole(0, 1, false)})
	for range 64 {
		doubled = append(doubled, []Transfer{whole(0, 1, true), whole(1, 0, true)})
	}
	forged := slices.Concat(steps, doubled, [][]Transfer{{whole(2, 0, true), whole(2, 1, true)}})
	if err := Listed("forged", 3, forged).Exact(); err == nil {
		t.Error("a sum that counts node 0 more than 2⁶⁴ times passes")
	}
}
