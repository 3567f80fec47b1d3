package collective

import (
	"cmp"
	"slices"

	"github.com/batopo/batopo/cluster"
)

// A slot holds the transfers that are in flight at the same time.
type slot struct {
	cluster *cluster.Cluster
	load    *cluster.Load
	sent    []sent
	sorted  []sent // the same, those of a pair side by side
}

// sent is a transfer and its share of the message.
type sent struct {
	from, to int
	share    float64
}

func newSlot(c *cluster.Cluster) *slot { return &slot{cluster: c, load: c.NewLoad()} }

// add takes in a step, of which every transfer has scale times its size.
func (s *slot) add(step []Transfer, scale float64) {
	for _, t := range step {
		if share := t.share() * scale; share > 0 {
			s.sent = append(s.sent, sent{t.From, t.To, share})
		}
	}
}

// price returns what the slot costs, the time until the last transfer is done, and empties it.
func (s *slot) price() (round cluster.Round, err error) {
	if err := s.carry(); err != nil {
		return round, err
	}
	for _, t := range s.sent {
		p := s.load.Passage(t.from, t.to)
		round.Wait(cluster.Round{MinEdgeGBs: t.share * p.GBs, CommunicationMS: p.LatencyMS + p.BusyMS,
			Bottleneck: p.Bottleneck})
	}
	s.sent = s.sent[:0]
	return round, nil
}

// carry puts the transfers on the resources, pair by pair.
func (s *slot) carry() error {
	s.load.Clear()
	s.sorted = append(s.sorted[:0], s.sent...)
	ends := func(t sent) (lo, hi int) { return min(t.from, t.to), max(t.from, t.to) }
	slices.SortStableFunc(s.sorted, func(a, b sent) int {
		i, j := ends(a)
		k, l := ends(b)
		return cmp.Or(i-k, j-l)
	})
	for rest := s.sorted; len(rest) > 0; {
		lo, hi := ends(rest[0])
		up, down := 0.0, 0.0 // to the higher node and to the lower one
		for len(rest) > 0 {
			if i, j := ends(rest[0]); i != lo || j != hi {
				break
			}
			if rest[0].from == lo {
				up += rest[0].share
			} else {
				down += rest[0].share
			}
			rest = rest[1:]
		}
		if !s.load.Add(lo, hi, up, down) {
			return s.cluster.NoRoute(lo, hi)
		}
	}
	return s.load.Allowed()
}
