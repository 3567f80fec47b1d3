package cost

import (
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
)

// A slot holds the transfers that are in flight at the same time.
type slot struct {
	cluster *cluster.Cluster
	load    *cluster.Load
	sent    []sent
	sorted  []int   // the numbers of sent with their pairs, those of a pair side by side
	unnamed float64 // what a message costs its sender besides what the cluster says
}

// sent is a transfer and its share of the message.
type sent struct {
	from, to int
	share    float64
}

func newSlot(c *cluster.Cluster) *slot {
	return &slot{cluster: c, load: c.NewLoad(), unnamed: unnamedMessageMS(c)}
}

// add takes in a step whose transfers have scale times their size.
func (s *slot) add(step []collective.Transfer, scale float64) {
	for _, t := range step {
		if share := t.Share() * scale; share > 0 {
			s.sent = append(s.sent, sent{t.From, t.To, share})
		}
	}
}

// price returns what the slot costs, the time until the last transfer is done, and empties it. rankMS is the same with
// what messages cost that the cluster says nothing about.
func (s *slot) price() (round cluster.Round, rankMS float64, err error) {
	if err := s.carry(); err != nil {
		return round, 0, err
	}
	for _, t := range s.sent {
		p := s.load.Passage(t.from, t.to)
		round.Wait(cluster.Round{MinEdgeGBs: t.share * p.GBs, CommunicationMS: p.LatencyMS + p.BusyMS,
			Bottleneck: p.Bottleneck})
		rankMS = max(rankMS, p.LatencyMS+p.BusyMS+s.unnamed*float64(p.Sent))
	}
	s.sent = s.sent[:0]
	return round, rankMS, nil
}

// carry puts the transfers on the resources, pair by pair.
func (s *slot) carry() error {
	s.load.Clear()
	s.sorted = s.sorted[:0]
	n, count := s.cluster.Nodes(), len(s.sent)
	for k, t := range s.sent {
		pair := min(t.from, t.to)*n + max(t.from, t.to)
		s.sorted = append(s.sorted, pair*count+k)
	}
	slices.Sort(s.sorted)
	for rest := s.sorted; len(rest) > 0; {
		pair := rest[0] / count
		var up, down cluster.Flow // to the higher node and to the lower one
		for ; len(rest) > 0 && rest[0]/count == pair; rest = rest[1:] {
			if t := s.sent[rest[0]%count]; t.from < t.to {
				up.Share, up.Messages = up.Share+t.share, up.Messages+1
			} else {
				down.Share, down.Messages = down.Share+t.share, down.Messages+1
			}
		}
		if lo, hi := pair/n, pair%n; !s.load.Add(lo, hi, up, down) {
			return s.cluster.NoRoute(lo, hi)
		}
	}
	return s.load.Allowed()
}
