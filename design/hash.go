package design

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strconv"
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

// hashRound goes through one buffer: a plan may have millions of numbers.
func hashRound(h io.Writer, edges []PlanEdge, self []float64) {
	var line []byte
	for _, e := range edges {
		line = strconv.AppendInt(line[:0], int64(e.I), 10)
		line = strconv.AppendInt(append(line, ' '), int64(e.J), 10)
		h.Write(appendBits(append(line, ' '), e.Weight))
	}
	for _, w := range self {
		h.Write(appendBits(append(line[:0], "self "...), w))
	}
}

// appendBits appends the 16 hex digits of a float64 and ends the line.
func appendBits(line []byte, v float64) []byte {
	const digits = "0123456789abcdef"
	bits := math.Float64bits(v)
	for shift := 60; shift >= 0; shift -= 4 {
		line = append(line, digits[bits>>shift&15])
	}
	return append(line, '\n')
}
