package replan

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// ErrKind is returned for plans that cannot be changed edge by edge: schedules, directed plans, two levels and exact
// averages of all. What they take now is said beside it.
var ErrKind = errors.New("only static undirected gossip plans are changed edge by edge; plan again (batopo plan) and " +
	"change over with gossip.switch")

// otherKind says what a plan that cannot be changed edge by edge is, and what it takes now.
func otherKind(p *design.Plan, now *cluster.Cluster) error {
	word := ""
	switch {
	case p.Kind == design.CollectiveKind:
		word = "an all-reduce over all nodes"
	case p.Inside != nil:
		word = "hierarchical averaging"
	case len(p.Rounds) > 1:
		word = fmt.Sprintf("a schedule of %d rounds", len(p.Rounds))
	case p.Trainable() != nil:
		word = "one with clocks of its own"
	case p.Directed:
		word = "directed"
	default:
		word = "one that averages parts of messages"
	}
	then, err := cluster.New(p.Cluster)
	if err != nil {
		return err
	}
	before, errBefore := p.IterationMS(then)
	after, errAfter := p.IterationMS(now)
	if errBefore != nil || errAfter != nil { // rounds of parts, and hardware that cannot run them, have no price
		return fmt.Errorf("replan: the running plan is %s: %w", word, ErrKind)
	}
	return fmt.Errorf("replan: the running plan is %s; an iteration of training took %.4g ms when it was planned and "+
		"takes %.4g ms now: %w", word, before, after, ErrKind)
}
