package design

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
)

// ComputeHash returns the identity of a plan's matrices: SHA-256, in hex, of one
// line per fact, so that any language can repeat it and ranks can agree on one graph:
//
//	batopo.plan/v1 16 false
//	round 0                     only before the rounds of a time-varying plan
//	0 1 3fd5555555555555        every edge in order; the float64 weight as 16 hex digits
//	self 3fd5555555555555       every node in order
func (p *Plan) ComputeHash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d %t\n", PlanFormat, p.Nodes, p.Directed)
	if len(p.Rounds) == 0 {
		hashRound(h, p.Edges, p.SelfWeights)
	}
	for t, r := range p.Rounds {
		fmt.Fprintf(h, "round %d\n", t)
		hashRound(h, r.Edges, r.SelfWeights)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func hashRound(h io.Writer, edges []PlanEdge, self []float64) {
	for _, e := range edges {
		fmt.Fprintf(h, "%d %d %016x\n", e.I, e.J, math.Float64bits(e.Weight))
	}
	for _, w := range self {
		fmt.Fprintf(h, "self %016x\n", math.Float64bits(w))
	}
}
