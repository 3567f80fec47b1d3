package design

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strconv"
)

// ComputeHash returns the identity of what a plan does: SHA-256, in hex, of one
// line per fact, so that any language can repeat it and ranks can agree on one graph:
//
//	batopo.plan/v4 16 false gossip 1 atc false   nodes, directed, kind, every, order, overlap
//	name gpu 0                                   of every node in order, where they have names
//	group 0 1 2 3                                every group inside which nodes average, in order
//	collective ring                              the algorithm
//	order 0 1 2 3                                of a ring
//	parent -1 0 0 1                              of a tree
//	chunks 8                                     where there are more than one
//	step                                         before every step of a collective that lists them
//	0 1 0000000000000000 3fe0000000000000 add    every transfer: from, to, begin, end; add or copy
//	average changes                              from here to library: the clocks, where they are set
//	wire bf16
//	pieces 4
//	batch 3fc0000000000000                       every node in order; its share of the batch
//	inside gradients
//	delay 16
//	outer 3fe6666666666666 3feccccccccccccd      learning rate, momentum
//	phase 500 0 0                                every phase in order: steps, every, delay
//	bucket 4039000000000000
//	library
//	round 0 3ff0000000000000                     before every round; its part of the message
//	0 1 3fd5555555555555                         every edge in order; the float64 weight as 16 hex digits
//	self 3fd5555555555555                        every node in order
//
// Names are printable, so that none of them ends a line.
func (p *Plan) ComputeHash() string {
	h := sha256.New()
	p.hashHead(h)
	for t, r := range p.Rounds {
		h.Write(appendBits(fmt.Appendf(nil, "round %d ", t), r.Part))
		hashRound(h, r.Edges, r.SelfWeights)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// CheckHash returns nil where Hash is the hash of the plan's content, and otherwise an error that names both. ReadPlan
// does not call it, since package verify has to read forged plans too. Call it before running, exporting or training a
// plan from a file, because ranks compare hashes to agree on one plan.
func (p *Plan) CheckHash() error {
	content := p.ComputeHash()
	if p.Hash == content {
		return nil
	}
	return fmt.Errorf("the plan was changed after it was written: its hash is %.64q, its content gives %q", p.Hash,
		content)
}

// hashHead writes everything but the rounds.
func (p *Plan) hashHead(h io.Writer) {
	fmt.Fprintf(h, "%s %d %t %s %d %s %t\n", PlanFormat, p.Nodes, p.Directed, p.Kind, p.Every, p.Order, p.Overlap)
	for _, name := range p.Names {
		fmt.Fprintf(h, "name %s\n", name)
	}
	if p.Inside != nil {
		for _, g := range p.Inside.Groups {
			hashList(h, "group", g)
		}
	}
	if c := p.Collective; c != nil {
		fmt.Fprintf(h, "collective %s\n", c.Algorithm)
		if len(c.Order) > 0 {
			hashList(h, "order", c.Order)
		}
		if len(c.Parent) > 0 {
			hashList(h, "parent", c.Parent)
		}
		c.hashSteps(h)
	}
	p.hashClocks(h)
}

// hashClocks writes the clocks that are set.
func (p *Plan) hashClocks(h io.Writer) {
	if p.Average != Parameters {
		fmt.Fprintf(h, "average %s\n", p.Average)
	}
	if p.Wire != FP32 {
		fmt.Fprintf(h, "wire %s\n", p.Wire)
	}
	if p.Pieces != 0 {
		fmt.Fprintf(h, "pieces %d\n", p.Pieces)
	}
	for _, w := range p.BatchWeights {
		h.Write(appendBits([]byte("batch "), w))
	}
	if p.Inside != nil && p.Inside.Gradients {
		io.WriteString(h, "inside gradients\n")
	}
	if p.DelaySteps != 0 {
		fmt.Fprintf(h, "delay %d\n", p.DelaySteps)
	}
	if o := p.Outer; o != nil {
		h.Write(appendBits(append(appendHex([]byte("outer "), o.LearningRate), ' '), o.Momentum))
	}
	for _, f := range p.Phases {
		fmt.Fprintf(h, "phase %d %d %d\n", f.Steps, f.Every, f.Delay)
	}
	if p.BucketMB != 0 {
		h.Write(appendBits([]byte("bucket "), p.BucketMB))
	}
	if p.Library {
		io.WriteString(h, "library\n")
	}
}

func (c *Collective) hashSteps(h io.Writer) {
	if c.Chunks > 1 {
		fmt.Fprintf(h, "chunks %d\n", c.Chunks)
	}
	var line []byte
	for _, step := range c.Steps {
		io.WriteString(h, "step\n")
		for _, t := range step {
			line = strconv.AppendInt(line[:0], int64(t.From), 10)
			line = append(strconv.AppendInt(append(line, ' '), int64(t.To), 10), ' ')
			line = append(appendHex(line, t.Begin), ' ')
			line = append(appendHex(line, t.End), ' ')
			word := "copy\n"
			if t.Add {
				word = "add\n"
			}
			h.Write(append(line, word...))
		}
	}
}

func hashList(h io.Writer, word string, list []int) {
	line := []byte(word)
	for _, i := range list {
		line = strconv.AppendInt(append(line, ' '), int64(i), 10)
	}
	h.Write(append(line, '\n'))
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
func appendBits(line []byte, v float64) []byte { return append(appendHex(line, v), '\n') }

func appendHex(line []byte, v float64) []byte {
	const digits = "0123456789abcdef"
	bits := math.Float64bits(v)
	for shift := 60; shift >= 0; shift -= 4 {
		line = append(line, digits[bits>>shift&15])
	}
	return line
}
