package cases

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/show/present"
)

var (
	randomClusters = flag.Int("clusters", 0, "random clusters that are planned for; 0: 50, or 10 with -short")
	randomFirst    = flag.Uint64("first", 1, "seed of the first random cluster")
)

// Random questions about random clusters of every kind that can be described have an answer, the same whenever they
// are asked, or an error that says what to do. The answer is not clearly worse than one machine alone or plain DDP, and
// what is said to change it does. Seeds are those of the names of the subtests.
func TestRandomClustersHaveGoodAnswers(t *testing.T) {
	count := *randomClusters
	if count == 0 {
		if count = 50; testing.Short() {
			count = 10
		}
	}
	for k := range uint64(count) {
		seed := *randomFirst + k
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { newQuestion(t, seed).properties() })
	}
}

// A question is a random one.
type question struct {
	*testing.T
	rng     *rand.Rand
	text    string
	cluster *batopo.Cluster
	options batopo.Options
}

func newQuestion(t *testing.T, seed uint64) *question {
	q := &question{T: t, rng: rand.New(rand.NewPCG(seed, 26))}
	q.text = "format: batopo.cluster/v2\n" + q.links()
	c, err := cluster.Read("random.yaml", strings.NewReader(q.text))
	if err != nil {
		t.Fatalf("%v\n%s", err, q.text)
	}
	q.text += q.model(c.Nodes())
	if q.cluster, err = cluster.Read("random.yaml", strings.NewReader(q.text)); err != nil {
		t.Fatalf("%v\n%s", err, q.text)
	}
	switch q.rng.IntN(10) {
	case 0:
		q.options.Exact = true
	case 1:
		q.options.Balance = true
	case 2:
		q.options.GPUMemoryGB = float64(q.between(4, 80))
	case 3:
		q.options.Wire = design.BF16
	}
	return q
}

func (q *question) between(least, most int) int { return least + q.rng.IntN(most-least+1) }

// any is a number whose logarithm is equally distributed.
func (q *question) any(least, most float64) float64 {
	return math.Exp(math.Log(least) + q.rng.Float64()*math.Log(most/least))
}

// speed is one of a link in GB/s, from a line of 10 Mbit/s on.
func (q *question) speed() string { return fmt.Sprintf("%.3g", q.any(0.00125, 400)) }

func (q *question) speeds(count int) string {
	all := make([]string, count)
	for k := range all {
		all[k] = q.speed()
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// nodes is a number of nodes, mostly of few.
func (q *question) nodes() int {
	return q.between(2, []int{3, 4, 4, 5, 6, 6, 8, 8, 8, 10, 12, 64}[q.rng.IntN(12)])
}

// links describes nodes and what is between them.
func (q *question) links() string {
	n := q.nodes()
	switch q.rng.IntN(11) {
	case 0:
		return fmt.Sprintf("nodes: %d\nbandwidth: %s\n", n, q.speed())
	case 1:
		return fmt.Sprintf("nodes: %d\nbandwidth: %s\n", n, q.speeds(n))
	case 2:
		return fmt.Sprintf("servers: {count: %d, gpus: 8, nic: %s, tree: {pix: %s, node: %s, sys: %s}}\n", q.between(1, 2),
			q.speed(), q.speed(), q.speed(), q.speed())
	case 3:
		return fmt.Sprintf("bcube: {ports: %d, layers: 2, bandwidth: %s}\n", q.between(2, 4), q.speeds(2))
	case 4:
		return fmt.Sprintf("leafspine: {leaves: %d, hosts: %d, host: %s, uplink: %s}\n", q.between(2, 4), q.between(1, 4),
			q.speed(), q.speed())
	case 5:
		const server = "tree: {groups: [{name: server, count: %d, nodes: %d, nvswitch: %s, nics: {count: 1, gb_s: %s}}]}\n"
		return fmt.Sprintf(server, q.between(2, 4), q.between(1, 4), q.speed(), q.speed())
	case 6:
		var groups []string
		for k := range q.between(2, 4) {
			groups = append(groups, fmt.Sprintf("{name: site%d, nodes: %d, link: %s, uplink: {up_gb_s: %s, down_gb_s: %s, "+
				"latency_ms: %.3g}, compute_ms: %.3g}", k, q.between(1, 4), q.speed(), q.speed(), q.speed(), q.any(0.01, 80),
				q.any(50, 500)))
		}
		return fmt.Sprintf("tree: {groups: [%s]}\n", strings.Join(groups, ", "))
	case 7:
		return fmt.Sprintf("tree: {groups: [{count: %d, nodes: 2, link: %s, nvlinks: [{pair: [0, 1], gb_s: %s}], through: "+
			"%s}]}\n", q.between(2, 6), q.speed(), q.speed(), q.speed())
	case 8:
		return q.matrix(min(n, 12))
	case 9:
		return q.shared(min(n, 12))
	}
	return q.cables(min(n, 12))
}

// matrix is what was measured between nodes.
func (q *question) matrix(n int) string {
	rows := make([]string, n)
	for i := range rows {
		row := make([]string, n)
		for j := range row {
			if row[j] = "0"; i != j {
				row[j] = q.speed()
			}
		}
		rows[i] = "[" + strings.Join(row, ", ") + "]"
	}
	return "matrix: {gb_s: [" + strings.Join(rows, ", ") + "]}\n"
}

// shared are lines of nodes that meet in one core.
func (q *question) shared(n int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "nodes: %d\nresources:\n  - {name: core, gb_s: %s}\n", n, q.speed())
	for i := range n {
		fmt.Fprintf(&text, "  - {name: line%d, gb_s: %s, latency_ms: %.3g}\n", i, q.speed(), q.any(0.001, 10))
	}
	text.WriteString("routes:\n")
	for j := range n {
		for i := range j {
			fmt.Fprintf(&text, "  - {pair: [%d, %d], over: [line%d, core, line%d]}\n", i, j, i, j)
		}
	}
	return text.String()
}

// cables are a tree of links and some more, through which others may pass.
func (q *question) cables(n int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "nodes: %d\ntransit: true\nlinks:\n", n)
	joined := map[string]bool{}
	for k := 1; k < n+n/2; k++ {
		i, j := q.rng.IntN(min(k, n-1)), min(k, n-1)
		if key := fmt.Sprintf("[%d, %d]", i, j); !joined[key] {
			joined[key] = true
			fmt.Fprintf(&text, "  - {between: %s, gb_s: %s}\n", key, q.speed())
		}
	}
	return text.String()
}

// model is what is trained, and what else a description may say.
func (q *question) model(n int) string {
	message, compute := q.any(0.1, 20_000), q.any(1, 3000)
	model := fmt.Sprintf("message_mb: %.4g", message)
	if q.rng.IntN(4) == 0 {
		model = fmt.Sprintf("parameters: %.4g, dtype: %s", message*2.5e5, []string{"fp32", "mixed", "bf16"}[q.rng.IntN(3)])
	}
	switch {
	case strings.Contains(q.text, "compute_ms"):
	case q.rng.IntN(4) == 0:
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf("%.3g", compute*q.any(1, 4))
		}
		model += ", node_compute_ms: [" + strings.Join(all, ", ") + "]"
	default:
		model += fmt.Sprintf(", compute_ms: %.4g", compute)
	}
	if q.rng.IntN(8) == 0 && n <= 8 {
		model += fmt.Sprintf(", jitter_ms: %.3g", compute/20)
	}
	if q.rng.IntN(5) == 0 && n <= 8 {
		model += ", optimizer: sgd"
	}
	more := ""
	if q.rng.IntN(3) == 0 {
		more = fmt.Sprintf("latency_ms: %.3g\nper_message_ms: %.3g\n", q.any(0.001, 100), q.any(0.001, 0.1))
	}
	return more + "model: {" + model + "}\n"
}

func (q *question) properties() {
	a, err := batopo.Advise(q.Context(), q.cluster, q.options)
	again, errAgain := batopo.Advise(q.Context(), q.cluster, q.options)
	if err != nil {
		said := []error{advise.ErrMemory, batopo.ErrInfeasible, batopo.ErrUndecided, advise.ErrChoice}
		if !slices.ContainsFunc(said, func(e error) bool { return errors.Is(err, e) }) {
			q.fault("%v", err)
		}
		if errAgain == nil || err.Error() != errAgain.Error() {
			q.fault("%v, and again %v", err, errAgain)
		}
		return
	}
	if one, two := q.bytes(a), q.bytes(again); one != two {
		q.fault("the same question has two answers")
	}
	q.isNoWorse(a.Advice)
	for range 2 {
		axis := a.Advice.Changes[q.rng.IntN(len(a.Advice.Changes))]
		if i := axis.Intervals[q.rng.IntN(len(axis.Intervals))]; i.Confirmed {
			q.isTrue(a.Advice, axis, i)
		}
	}
}

// bytes are what a program reads of an answer, but for when it was made.
func (q *question) bytes(a *batopo.Answer) string {
	for _, p := range []*design.Plan{a.Plan, a.Sweep.Best()} {
		if p != nil {
			p.Run = design.Run{}
		}
	}
	out, err := json.Marshal(present.NewAdviceJSON(a.Problem.Cluster, a.Sweep, a.Advice, present.PlanFile))
	if err != nil {
		q.fault("%v", err)
	}
	return string(out)
}

// isNoWorse compares the answer with what anybody could run.
func (q *question) isNoWorse(a *batopo.Advice) {
	const most = 1.1
	for _, other := range a.All {
		if (other.Kind == advise.Alone || other.Kind == advise.DDP && other.On == nil) &&
			a.Recommended.PredictedMS > most*other.PredictedMS {
			q.fault("%s takes %.4g ms, %s %.4g", a.Recommended.Name, a.Recommended.PredictedMS, other.Name, other.PredictedMS)
		}
	}
}

// isTrue plans at a random point of an interval.
func (q *question) isTrue(a *batopo.Advice, axis advise.Axis, i advise.Interval) {
	value := i.From + q.rng.Float64()*(i.To-i.From)
	there, err := cluster.New(at(q.cluster, axis, value))
	if err != nil {
		q.fault("%s %v: %v", axis.Of, value, err)
		return
	}
	o := q.options
	o.Optimizer = a.Setting.Optimizer
	where := fmt.Sprintf("%s %.5g, now %.5g, in [%.5g, %.5g] of %s every %d", axis.Of, value, axis.Now, i.From, i.To,
		i.Winner.Name, i.Winner.Every)
	b, err := batopo.Advise(q.Context(), there, o)
	if (err != nil) != (i.Winner.Kind == "") {
		q.fault("%s: %v", where, err)
	} else if err == nil && !same(b.Advice.Recommended, i.Winner) && !nearly(b.Advice, i.Winner) {
		q.fault("%s: %s every %d", where, b.Advice.Recommended.Name, b.Advice.Recommended.Every)
	}
}

func (q *question) fault(format string, args ...any) {
	q.Errorf("%s\n%+v\n%s", fmt.Sprintf(format, args...), q.options, q.text)
}
