package train

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/batopo/batopo/design"
)

// A checkpoint is a line with the format, the length and text of a description of the contest, then for every entry
// its iteration, its tests, its models and its momentum, and at the end the SHA-256 of all that. Numbers are
// little-endian: uint64 for counts, float64 for the rest.
const checkpointFormat = "batopo.checkpoint/v1\n"

// longestDescription is far beyond the description of any contest.
const longestDescription = 1 << 20

var order = binary.LittleEndian

// describe says in lines what decides about every number of a contest but its length.
func (k *Contest) describe() string {
	var b strings.Builder
	n := k.network
	sum := sha256.New()
	for _, part := range [][]byte{n.data.Train.Labels, n.data.Train.Pixels, n.data.Test.Labels, n.data.Test.Pixels} {
		sum.Write(part)
	}
	fmt.Fprintf(&b, "data %x, scale %v\n", sum.Sum(nil), n.data.Train.Scale)
	fmt.Fprintf(&b, "nodes %d\nhidden layers %v\nbatch %d\nskew %v\nseed %d\n",
		len(n.nodes), n.model.Hidden, n.model.Batch, n.model.Skew, n.model.Seed)
	fmt.Fprintf(&b, "test every %d\n", k.length.TestEvery)
	for e, r := range k.runs {
		s, hash := r.settings, "exact averaging"
		if r.w != nil {
			hash = design.FromSchedule(r.w).Hash
		}
		fmt.Fprintf(&b, "%q: %s; order %s, every %d, momentum %s, beta %v, rate %v, weight decay %v, ms %v\n",
			k.entries[e].Name, hash, s.Order, s.Every, s.Momentum, s.Beta, s.Rate, s.WeightDecay, r.IterationMS())
	}
	return b.String()
}

// Save writes a checkpoint.
func (k *Contest) Save(w io.Writer) error {
	sum := sha256.New()
	out := bufio.NewWriter(io.MultiWriter(w, sum))
	text := k.describe()
	out.WriteString(checkpointFormat)
	put(out, uint64(len(text)))
	out.WriteString(text)
	for e, r := range k.runs {
		put(out, uint64(r.iteration))
		put(out, uint64(len(k.points[e])))
		for _, p := range k.points[e] {
			put(out, uint64(p.Iteration))
			put(out, []float64{p.TimeMS, p.TrainLoss, p.Accuracy, p.Loss, p.Distance})
		}
		put(out, r.x)
		put(out, r.momentum)
	}
	if err := out.Flush(); err != nil { // a bufio.Writer keeps its first error
		return err
	}
	_, err := w.Write(sum.Sum(nil))
	return err
}

func put(w *bufio.Writer, v any) { _ = binary.Write(w, order, v) }
