package verify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"
)

var (
	forgeries  = flag.Int("forgeries", 3000, "how many plans TestForgeries changes at random")
	forgedWith = flag.Uint64("forged-with", 1, "the seed of these changes")
)

// advised are plans as Advise writes them, with what it says of them: what a library runs, machines left out, local SGD
// in few bits and pieces, averages of parameters, and gossip.
func advised(t testing.TB) map[string]*design.Plan {
	t.Helper()
	all := map[string]*design.Plan{}
	for name, ask := range map[string]struct {
		example string
		options batopo.Options
		choose  string // the row whose name begins so; "": the one that is recommended
	}{
		"answer: ddp in bf16":         {"servers-4x4", batopo.Options{}, ""},
		"answer: local SGD in pieces": {"servers-4x4", batopo.Options{}, "local SGD"},
		"answer: machines left out":   {"edge-8", batopo.Options{}, ""},
		"answer: parameters":          {"edge-8", batopo.Options{}, "parameter averaging"},
		"answer: gossip":              {"edge-8", batopo.Options{}, "one-peer"},
		"answer: hook":                {"node-level-16", batopo.Options{Optimizer: "sgd", Exact: true}, ""},
	} {
		c, err := cluster.ReadFile("../examples/" + ask.example + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		answer, err := batopo.Advise(t.Context(), c, ask.options)
		if err != nil {
			t.Fatal(name, err)
		}
		if ask.choose != "" {
			all := answer.Advice.All
			ask.options.Choose = 1 + slices.IndexFunc(all, func(row advise.Candidate) bool {
				return strings.HasPrefix(row.Name, ask.choose)
			})
			if answer, err = batopo.Advise(t.Context(), c, ask.options); err != nil {
				t.Fatal(name, err)
			}
		}
		if answer.Plan == nil || answer.Plan.Answer == nil {
			t.Fatal(name, "has no answer")
		}
		all[name] = answer.Plan
	}
	return all
}

// TestForgeries changes one to three fields of every kind of plan at random and hashes the result again. Whatever
// verify then calls ok must be so by the planner's own clock, eigenvalues and tables, which verify does not see.
//
//	go test ./verify -run Forgeries -forgeries 20000 -forged-with 7
func TestForgeries(t *testing.T) {
	all := claimingPlans(t)
	maps.Copy(all, otherKinds(t))
	if !testing.Short() {
		maps.Copy(all, advised(t))
	}
	names := slices.Sorted(maps.Keys(all))
	texts := map[string][]byte{}
	for _, name := range names {
		texts[name] = written(t, all[name])
		if wrong := falselyOK(t, all[name]); wrong != "" {
			t.Fatalf("%s, unchanged: %s", name, wrong)
		}
	}
	count, f := *forgeries, forger{rng: rand.New(rand.NewPCG(*forgedWith, 4))}
	if testing.Short() {
		count = min(count, 300)
	}
	refused, found, standing := 0, 0, 0
	for k := range count {
		name := names[k%len(names)]
		text, what := f.forged(t, texts[name])
		p, err := design.ReadPlan(name, bytes.NewReader(text))
		if err != nil {
			refused++
			continue
		}
		report, err := verify.Check(t.Context(), p)
		if err != nil {
			refused++
			continue
		}
		if report.Err() != nil {
			found++
		} else {
			standing++
		}
		if wrong := falselyOKIn(t, p, report); wrong != "" {
			t.Errorf("forgery %d of seed %d, %s: %s: %s", k, *forgedWith, name, what, wrong)
		}
	}
	t.Logf("%d forgeries of %d plans: %d not read, %d with a false claim, %d with none; nothing false is called ok",
		count, len(names), refused, found, standing)
	if found < count/20 || standing == 0 {
		t.Errorf("%d of %d had a false claim, %d none", found, count, standing)
	}
}

// A forger changes plans.
type forger struct{ rng *rand.Rand }

// forged is the text of a plan with one to three changes and the hash that belongs to it, where it has one.
func (f forger) forged(t *testing.T, text []byte) ([]byte, string) {
	t.Helper()
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	var said []string
	for range 1 + f.rng.IntN(3) {
		said = append(said, f.change(tree))
	}
	changed, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	p := new(design.Plan)
	if json.Unmarshal(changed, p) == nil {
		tree["hash"] = p.ComputeHash()
		changed, _ = json.Marshal(tree)
	}
	return changed, strings.Join(said, ", ")
}

// change gives one place of a tree another content. Halfway down it may stop at a list or an object.
func (f forger) change(tree map[string]any) string {
	var at any = tree
	path := ""
	for _, part := range []string{"claims", "answer"} { // where most is said
		if inner, is := tree[part].(map[string]any); is && f.rng.IntN(2) == 0 {
			at, path = inner, "."+part
			break
		}
	}
	for {
		switch node := at.(type) {
		case map[string]any:
			keys := slices.Sorted(maps.Keys(node))
			if len(keys) == 0 {
				node["more"] = 1.0
				return path + " gets a key"
			}
			key := keys[f.rng.IntN(len(keys))]
			path += "." + key
			switch inner := node[key].(type) {
			case map[string]any:
				if f.rng.IntN(20) > 0 {
					at = inner
					continue
				}
			case []any:
				if len(inner) > 0 && f.rng.IntN(3) > 0 {
					at = inner
					continue
				}
				return path + f.list(inner, func(v []any) { node[key] = v })
			}
			if f.rng.IntN(30) == 0 {
				delete(node, key)
				return path + " deleted"
			}
			before := node[key]
			node[key] = f.other(before)
			return fmt.Sprintf("%s: %.40v for %.40v", path, node[key], before)
		case []any:
			k := f.rng.IntN(len(node))
			path += "[" + strconv.Itoa(k) + "]"
			if _, leaf := node[k].(float64); !leaf && f.rng.IntN(6) > 0 {
				if inner, is := node[k].([]any); !is || len(inner) > 0 {
					if _, text := node[k].(string); !text {
						at = node[k]
						continue
					}
				}
			}
			if len(node) > 1 && f.rng.IntN(3) == 0 {
				j := f.rng.IntN(len(node))
				node[k], node[j] = node[j], node[k]
				return fmt.Sprintf("%s swapped with %d", path, j)
			}
			node[k] = f.other(node[k])
			return path + " another"
		default:
			return path + " left"
		}
	}
}

// list shortens, repeats, turns round or empties a list.
func (f forger) list(v []any, set func([]any)) string {
	if len(v) == 0 {
		set([]any{1.0})
		return " gets an entry"
	}
	k := f.rng.IntN(len(v))
	switch f.rng.IntN(4) {
	case 0:
		set(slices.Delete(slices.Clone(v), k, k+1))
		return " loses an entry"
	case 1:
		set(slices.Insert(slices.Clone(v), k, v[k]))
		return " repeats an entry"
	case 2:
		turned := slices.Clone(v)
		slices.Reverse(turned)
		set(turned)
		return " turned round"
	}
	set(nil)
	return " emptied"
}

// other is another value, mostly of the same type and near.
func (f forger) other(v any) any {
	if f.rng.IntN(25) == 0 {
		return []any{nil, true, "text", 1.0, []any{}, map[string]any{}, -1.0, 1e300}[f.rng.IntN(8)]
	}
	switch v := v.(type) {
	case float64:
		near := []float64{v + 1, v - 1, v * 2, v / 2, v * 0.99, v * 1.01, v + 1e-6, v - 1e-6, -v, 0, v * (1 + 1e-8), v * 10}
		return near[f.rng.IntN(len(near))]
	case bool:
		return !v
	case string:
		all := []string{"gossip", "collective", "atc", "cta", "ring", "tree", "steps", "bf16", "int8", "gradients", "changes",
			"proved", "estimate", "training", "consensus", "free", "ddp", "ddp-half", "alone", "simple", "exhausted",
			"bound attained", "optimal: every connected graph within the limits was looked at", "adamw", "sgd", v + "x", ""}
		return all[f.rng.IntN(len(all))]
	}
	return 1.0
}

func falselyOK(t *testing.T, p *design.Plan) string {
	t.Helper()
	report, err := verify.Check(t.Context(), p)
	if err != nil || report.Err() != nil {
		return fmt.Sprint(err, report.Err())
	}
	return falselyOKIn(t, p, report)
}

// falselyOKIn names a claim that is called ok and is not what the planner's code makes of the same edges, machines and
// rounds.
func falselyOKIn(t *testing.T, p *design.Plan, report verify.Report) string {
	t.Helper()
	truth, err := planned(p)
	for _, f := range report {
		if f.Status != verify.OK {
			continue
		}
		wrong := ""
		switch {
		case strings.HasPrefix(f.Claim, "answer.rows["):
			wrong = wrongRow(p, f.Claim)
		case f.Claim == "hash" && p.Hash != p.ComputeHash():
			wrong = "it is another"
		case f.Claim == "exact average" && p.Collective.Runs().Exact() != nil:
			wrong = "it is none"
		case f.Claim == "lift" && !unfolds(p):
			wrong = "it has other edges"
		case f.Claim == "gap" && !(math.Abs(*p.Gap-(quality(p)/p.Bound.RAsym-1)) <= 1e-6*(1+*p.Gap)):
			wrong = fmt.Sprintf("it is %v", quality(p)/p.Bound.RAsym-1)
		case err == nil && f.Claim == "round_ms" && len(p.RoundMS) > 1:
			for k, ms := range p.RoundMS {
				own := func(f verify.Finding) bool { return f.Claim == fmt.Sprintf("round_ms[%d]", k) }
				refused := slices.ContainsFunc(report, own)
				if !refused && math.Abs(ms-truth.RoundMS[k]) > 1e-6*truth.RoundMS[k] {
					wrong = fmt.Sprintf("round %d takes %v", k, truth.RoundMS[k])
				}
			}
		case err == nil:
			wrong = unlikePlanned(p, truth, f.Claim)
		}
		if wrong != "" {
			return fmt.Sprintf("%s is called ok: %s", f.Claim, wrong)
		}
	}
	return ""
}

// planned describes the same rounds or collective on the same cluster again, by the planner's code.
func planned(p *design.Plan) (*design.Plan, error) {
	c, err := cluster.New(p.Cluster)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	if p.Kind == design.GossipKind && p.Static() && p.Inside == nil && len(p.Clocks.BatchWeights) == 0 &&
		p.MessageShare() == 1 && p.Nodes <= 64 {
		rounds, err := p.Matrices()
		if err != nil {
			return nil, err
		}
		spectrum, err := rounds[0].Spectrum(ctx)
		if err != nil {
			return nil, err
		}
		return design.NewPlan(ctx, c, rounds[0], spectrum)
	}
	return p.On(ctx, c)
}

// unlikePlanned compares a number of a plan with the planner's.
func unlikePlanned(p, truth *design.Plan, claim string) string {
	const agreement = 1e-6
	number := func(said, is float64) string {
		if math.Abs(said-is) <= agreement*max(1e-3, math.Abs(is)) {
			return ""
		}
		return fmt.Sprintf("%v; the planner has %v", said, is)
	}
	value := func(v *float64) float64 {
		if v == nil {
			return math.Inf(1)
		}
		return *v
	}
	switch claim {
	case "r_asym":
		return number(p.RAsym, truth.RAsym)
	case "lambda_2":
		return number(value(p.Lambda2), value(truth.Lambda2))
	case "lambda_n":
		return number(value(p.LambdaN), value(truth.LambdaN))
	case "max_degree":
		return number(float64(p.MaxDegree), float64(truth.MaxDegree))
	case "min_edge_gb_s":
		return number(p.MinEdgeGBs, truth.MinEdgeGBs)
	case "communication_ms":
		return number(p.CommunicationMS, truth.CommunicationMS)
	case "compute_ms":
		return number(p.ComputeMS, truth.ComputeMS)
	case "round_ms":
		return number(p.RoundMS[0], truth.RoundMS[0])
	case "iterations":
		return number(float64(p.Iterations), float64(truth.Iterations))
	case "time_ms":
		return number(p.TimeMS, float64(p.Iterations)*truth.TimeMS/float64(max(1, truth.Iterations)))
	case "degree limit":
		if truth.MaxDegree > p.DegreeLimit {
			return "a node has more neighbours"
		}
	case "bound":
		if p.Bound.RAsym > quality(truth)+agreement && p.MinEigenvalue == nil {
			return fmt.Sprintf("this graph has %v", quality(truth))
		}
	}
	return ""
}

func quality(p *design.Plan) float64 { _, v := p.Quality(); return v }

// unfolds reports whether the lift of a plan has its edges.
func unfolds(p *design.Plan) bool {
	l, err := topology.NewLift(p.Lift.Orbits, p.Lift.Size, p.Lift.Arcs)
	if err != nil {
		return false
	}
	g, _ := l.Graph()
	var edges []topology.Edge
	for _, e := range p.Edges() {
		edges = append(edges, topology.Edge{I: e.I, J: e.J})
	}
	return slices.Equal(g.Edges(), edges)
}

// wrongRow recomputes what a row of the answer says with the planner's clock and its reading of the table.
func wrongRow(p *design.Plan, claim string) string {
	var k int
	var what string
	if _, err := fmt.Sscanf(claim, "answer.rows[%d].%s", &k, &what); err != nil {
		return err.Error()
	}
	r := p.Answer.Rows[k]
	whole := p.Cluster
	if p.Answer.Cluster != nil {
		whole = *p.Answer.Cluster
	}
	c, err := cluster.New(whole)
	if err != nil {
		return err.Error()
	}
	machines := c.Nodes()
	if len(r.Nodes) > 1 {
		spec, err := c.Part(r.Nodes)
		if err != nil {
			return err.Error()
		}
		if c, err = cluster.New(spec); err != nil {
			return err.Error()
		}
	}
	is, said := 0.0, 0.0
	switch strings.TrimSuffix(what, ",") {
	case "relative_steps":
		said, is = r.RelativeSteps, stepsOf(p, r, k == 0, machines)
	case "communication_ms", "iteration_ms":
		if r.Batches > 1 && len(r.Nodes) != 1 {
			return "" // the planner adds up several iterations, which TestWishesHold holds against verify
		}
		communication, iteration, err := timesOf(p, r, k == 0, c)
		if err != nil {
			return err.Error()
		}
		if said, is = r.IterationMS, iteration; what == "communication_ms" {
			said, is = r.CommunicationMS, communication
		}
	default:
		return ""
	}
	if !(math.Abs(said-is) <= 2e-6*max(math.Abs(is), 1e-3)) {
		return fmt.Sprintf("%v; the planner has %v", said, is)
	}
	return ""
}

func timesOf(p *design.Plan, r design.AnswerRow, own bool, c *cluster.Cluster) (communication, iteration float64, err error) {
	if len(r.Nodes) == 1 && !own {
		iteration = c.ComputeMS(r.Nodes[0])
		if r.Whole {
			iteration *= float64(c.Nodes())
		}
		return 0, iteration, nil
	}
	how := p.Collective
	if r.Collective != nil {
		how = r.Collective
	}
	var process *cost.Process
	switch {
	case own && !p.Synchronous():
		process, err = p.Process(c)
	case own && !p.Library:
		var hook *cost.Hook
		if hook, err = cost.NewHook(c, how.Runs()); err == nil {
			process, err = hook.InBuckets(c, r.BucketMB, cost.Gradients(r.Wire.Share()))
		}
	default:
		var library cost.Library
		if library, err = cost.NewLibrary(c, how.Runs()); err == nil {
			process, _, err = library.InBuckets(c, r.BucketMB, cost.Gradients(r.Wire.Share()))
		}
	}
	if err != nil {
		return 0, 0, err
	}
	communication = process.AllMS()
	if len(process.Rounds) > 0 {
		communication = 0
		for _, round := range process.Rounds {
			communication += round.MS / float64(len(process.Rounds))
		}
	}
	iteration, err = process.MeanOver(cost.DrawsWith(c, r.BatchShares), 0)
	return communication, iteration, err
}

// stepsOf reads the table as the planner does.
func stepsOf(p *design.Plan, r design.AnswerRow, own bool, machines int) float64 {
	adam := p.Answer.Optimizer == cluster.AdamW
	switch {
	case r.Whole:
		return 1
	case r.Batches > 1:
		return r.RelativeSteps // one of several numbers in the table, by length
	case len(r.Nodes) > 0 && adam:
		return adamw.Measured().Part(len(r.Nodes), machines).Ratio
	case len(r.Nodes) > 0:
		return float64(machines) / float64(len(r.Nodes))
	case !own || p.Synchronous():
		return 1
	}
	a := adamw.Averaging{Models: p.Nodes, Every: p.Every, Delay: p.DelaySteps, Bits: p.Wire.Bits(), Pieces: p.Pieces > 1}
	if p.Inside != nil {
		a.Models = len(p.Inside.Groups)
	}
	if p.Outer != nil {
		a.OuterRate, a.OuterMomentum = p.Outer.LearningRate, p.Outer.Momentum
	}
	switch {
	case p.Kind == design.GossipKind && p.Inside != nil:
		a.Process = "two-level"
	case p.Kind == design.GossipKind:
		a.Process = p.Method
	}
	s, err := adamw.Measured().Steps(a)
	if err != nil {
		return math.Inf(1)
	}
	return s.Ratio
}
