package verify_test

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"
)

// How a field of a plan is dealt with.
type treatment string

const (
	checked    treatment = "checked"    // any other value is refused
	notProved  treatment = "not proved" // listed as such, under the name of the field
	question   treatment = "question"   // what was asked; another question may have the same answer
	provenFree treatment = "free"       // a number that a proof leaves free; another one may prove as much
	usage      treatment = "usage"      // how training uses the rounds; every claim is about the rounds alone
)

// fields says for every field of a plan how verify deals with it. One that is missing here fails the test: a new field
// needs a rule for false values, and a line in docs/formats.md. Claims and provenance have no prefix.
var fields = map[string]treatment{
	"format": checked, "nodes": checked, "names": checked, "directed": checked,
	"kind": checked, "every": usage, "order": usage, "overlap": usage,
	"collective": checked, "collective.algorithm": checked, "collective.order": checked, "collective.parent": checked,
	"collective.steps": checked, "collective.steps.from": checked, "collective.steps.to": checked,
	"collective.steps.begin": checked, "collective.steps.end": checked, "collective.steps.add": checked,
	"collective.chunks": checked, "inside": checked, "inside.groups": checked,
	"inside.gradients": checked, "wire": checked, "pieces": checked, "average": usage, "batch_weights": usage, "delay": usage,
	"outer": usage, "outer.learning_rate": usage, "outer.momentum": usage,
	"phases": usage, "phases.steps": usage, "phases.every": usage, "phases.delay": usage,
	"bucket_mb": usage, "library": usage,
	"rounds": checked, "rounds.edges": checked, "rounds.edges.i": checked, "rounds.edges.j": checked,
	"rounds.edges.weight": checked,
	"rounds.self_weights": checked, "rounds.part": checked, "round_ms": checked,
	"question.weights": question, "question.purpose": question, "question.min_eigenvalue": question,
	"question.max_edges": question, "question.max_degree": question, "question.objective": notProved,
	"question.target_error": checked,
	"r_asym":                checked, "r_asym_kind": notProved, "lambda_2": checked, "lambda_n": checked,
	"bound": checked, "bound.r_asym": checked, "bound.kind": checked, "bound.detail": notProved, "bound.order": checked,
	"bound.gamma": provenFree, "bound.eta": provenFree, "bound.theta": provenFree, "bound.tau": provenFree,
	"bound.alpha": provenFree, "bound.beta": provenFree, "bound.groups": provenFree, "bound.together": provenFree,
	"gap": checked, "degree_bound": checked, "degree_bound.r_asym": checked, "degree_bound.kind": checked,
	"degree_bound.detail": notProved,
	"degree_bound.order":  checked, "degree_bound.gamma": provenFree, "degree_bound.eta": provenFree,
	"degree_bound.theta": provenFree,
	"degree_bound.alpha": provenFree, "degree_bound.beta": provenFree, "degree_bound.groups": provenFree,
	"degree_bound.together": provenFree,
	"degree_bound.tau":      provenFree, "degree_gap": checked,
	"weights_bound": question, "weights_bound.r_asym": checked, "weights_bound.certificate": checked,
	"weights_bound.certificate.setting": checked, "weights_bound.certificate.min_eigenvalue": checked,
	"weights_bound.certificate.orbits": checked, "weights_bound.certificate.size": checked,
	"weights_bound.certificate.upper": provenFree, "weights_bound.certificate.upper.block": provenFree,
	"weights_bound.certificate.upper.re": provenFree, "weights_bound.certificate.upper.im": provenFree,
	"weights_bound.certificate.lower": provenFree, "weights_bound.certificate.lower.block": provenFree,
	"weights_bound.certificate.lower.re": provenFree, "weights_bound.certificate.lower.im": provenFree,
	"weights_bound.certificate.prices": provenFree,
	"time_bound":                       question, "time_bound.ms": checked, "time_bound.kind": checked,
	"time_bound.whole": provenFree, "time_bound.detail": notProved, "time_bound.prices": provenFree,
	"time_bound.prices.resource": provenFree, "time_bound.prices.side": provenFree,
	"time_bound.prices.price": provenFree, "time_bound.groups": provenFree,
	"resource_edges": checked, "max_degree": checked, "min_edge_gb_s": checked,
	"communication_ms": checked, "compute_ms": checked,
	"iterations": checked, "iterations_kind": notProved, "time_ms": checked,
	"method": notProved, "seed": notProved, "stop": notProved, "notes": notProved,
	"settings.evaluations": notProved, "settings.parameters": notProved,
	"lift": question, "lift.orbits": checked, "lift.size": checked, "lift.arcs": checked, "lift.arcs.a": checked,
	"lift.arcs.b": checked, "lift.arcs.s": checked,
	"hash": checked, "run.program": notProved, "run.lapack": notProved, "run.elapsed_ms": notProved,
	"run.started": notProved,
}

// TestForgeries changes the fields of an answer at random, and compares with the planner what then is called ok.
func init() {
	for _, f := range []string{"", ".rows", ".rows.sharded", ".rows.batches_per_step", ".rows.whole_batch", ".rows.iteration_measured", ".rows.nodes", ".rows.batch_shares", ".rows.wire",
		".rows.bucket_mb", ".rows.communication_ms", ".rows.iteration_ms", ".rows.relative_steps", ".rows.learning_rate",
		".rows.collective", ".rows.collective.algorithm", ".rows.collective.order", ".rows.collective.parent",
		".rows.collective.steps", ".rows.collective.steps.from", ".rows.collective.steps.to",
		".rows.collective.steps.begin", ".rows.collective.steps.end", ".rows.collective.steps.add",
		".rows.collective.chunks", ".optimizer"} {
		fields["answer"+f] = checked
	}
}

// howFound is the finding for everything about how a plan was found.
const howFound = "method, seed, stop, settings, run"

// listedAs is the finding that names a field that is not proved, where it is not the field's own name.
var listedAs = map[string]string{
	"r_asym_kind": "r_asym", "iterations_kind": "iterations",
	"bound.detail": "notes, bound.detail", "degree_bound.detail": "notes, bound.detail", "notes": "notes, bound.detail",
	"time_bound.detail":  "notes, bound.detail",
	"question.objective": howFound, "settings.evaluations": howFound, "settings.parameters": howFound,
	"method": howFound, "seed": howFound, "stop": howFound,
	"run.program": howFound, "run.lapack": howFound, "run.elapsed_ms": howFound, "run.started": howFound,
}

func TestEveryFieldIsDealtWith(t *testing.T) {
	seen := map[string]bool{}
	var walk func(typ reflect.Type, path string)
	walk = func(typ reflect.Type, path string) {
		switch {
		case typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice:
			seen[path] = true
			walk(typ.Elem(), path)
		case typ.Kind() == reflect.Struct:
			for k := range typ.NumField() {
				if name, ok := part(path, typ.Field(k)); ok {
					walk(typ.Field(k).Type, name)
				}
			}
		default:
			seen[path] = true
		}
	}
	walk(reflect.TypeFor[design.Plan](), "")
	for path := range seen {
		if fields[path] == "" {
			t.Errorf("field %q: nobody has said what becomes of a false value; see the table in this file and docs/formats.md",
				path)
		}
	}
	for path := range fields {
		if !seen[path] {
			t.Errorf("field %q does not exist", path)
		}
	}
}

// Every field of every kind of plan is changed in turn, with all that follows from it: the plan is refused, or the
// field is listed as not proved, or the change makes another true statement for a reason given.
func TestEveryChangedFieldIsRefusedOrListed(t *testing.T) {
	all := claimingPlans(t)
	training := *all["fmmc, spectrum"]
	training.Purpose = design.Training
	all["training"] = &training
	all["large lift"] = largeLift(t)
	for name, p := range otherKinds(t) {
		all[name] = p
	}
	used := map[string]bool{}
	for name, honest := range all {
		read, err := design.ReadPlan(name, bytes.NewReader(written(t, honest)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		fresh := func() *design.Plan { return copied(reflect.ValueOf(read)).Interface().(*design.Plan) }
		tried := 0
		places(reflect.ValueOf(fresh()).Elem(), "", "", func(at place) {
			for k, c := range changes(at) {
				p := fresh()
				places(reflect.ValueOf(p).Elem(), "", "", func(same place) {
					if same.where == at.where && same.value.Kind() == at.value.Kind() {
						changes(same)[k].make()
					}
				})
				consistent(p, at.path)
				tried++
				if caught(p) {
					continue
				}
				claim := at.path
				if as := listedAs[at.path]; as != "" {
					claim = as
				}
				general, here := at.path+" "+c.name, name+": "+at.path+" "+c.name
				switch how := fields[at.path]; {
				case how == notProved && listed(t, p, claim), how == provenFree, how == question && untrue(p) == "":
				case how == usage:
				case how == checked && otherTruths[general] != "":
					used[general] = true
				case how == checked && otherTruths[here] != "":
					used[here] = true
				default:
					t.Errorf("%s: %s is %s, and the plan passes without a word about it", name, at.where, c.name)
				}
			}
		})
		if tried < 50 {
			t.Errorf("%s: only %d changes were tried", name, tried)
		}
	}
	for key := range otherTruths {
		if !used[key] {
			t.Errorf("%q is listed but never came up", key)
		}
	}
}

// otherTruths lists changes to checked fields that make another true statement, and why it is true.
var otherTruths = map[string]string{
	"bound.r_asym lowered":         "a smaller bound is proved as well",
	"degree_bound.r_asym lowered":  "a smaller bound is proved as well",
	"weights_bound.r_asym lowered": "a smaller bound is proved as well",

	"exponential: rounds repeated":          "the same W twice averages as fast per round",
	"complete: bound removed":               "nothing is claimed then: a bound of 0 has no gap",
	"base: rounds repeated":                 "the rounds before average exactly, whatever follows",
	"one-peer-exponential: rounds repeated": "the rounds before average exactly, whatever follows",

	"shards: collective.steps.end raised":       "what is sent too much is replaced by the sum, and another port decides",
	"shards: collective.steps.begin lowered":    "what is sent too much is replaced by the sum, and another port decides",
	"halving: collective.steps.to raised":       "the message may be folded into another node",
	"halving: collective.steps.from raised":     "the sum may come back from another node",
	"halving: collective.chunks raised":         "one chunk is what no chunks mean",
	"ring collective: collective.chunks raised": "one chunk is what no chunks mean",
	"hierarchical in turns: rounds shortened":   "shifts of three groups average as fast one by one",
	"hierarchical in turns: rounds repeated":    "shifts of three groups average as fast one by one",

	"local SGD, shards: collective.steps.begin lowered":   "what is sent too much is replaced by the sum",
	"local SGD, few bits: collective.steps.begin lowered": "what is sent too much is replaced by the sum",
	"local SGD, few bits: collective.chunks raised":       "one chunk is what no chunks mean",
	"local SGD, ring: collective.chunks raised":           "one chunk is what no chunks mean",
	"gradients: collective.chunks raised":                 "one chunk is what no chunks mean",
	"gradients: wire bf16":                                "both have 16 bits",
	"local SGD, tree: wire fp16":                          "both have 16 bits",
}

// untrue says what is wrong with a plan whose question was changed and that still passes.
func untrue(p *design.Plan) string {
	least := 0.0
	for _, e := range p.Edges() {
		least = min(least, e.Weight)
	}
	for _, r := range p.Rounds {
		least = min(least, slices.Min(r.SelfWeights))
	}
	lowest := math.Inf(-1)
	if p.Purpose == design.Training {
		lowest = 0
	}
	if p.MinEigenvalue != nil {
		lowest = *p.MinEigenvalue
	}
	switch {
	case p.Sign == design.NonNegative && least < 0:
		return "a weight is negative"
	case p.LambdaN != nil && *p.LambdaN < lowest-1e-9:
		return "an eigenvalue is too small"
	case p.MaxEdges > 0 && len(p.Edges()) > p.MaxEdges:
		return "there are too many edges"
	case p.DegreeLimit > 0 && p.MaxDegree > p.DegreeLimit:
		return "there are too many neighbours"
	}
	return ""
}

// largeLift has too many nodes for a dense eigenproblem.
func largeLift(t testing.TB) *design.Plan {
	t.Helper()
	l, err := topology.NewLift(2, 1050, []topology.Arc{{A: 0, B: 0, S: 1}, {A: 0, B: 0, S: 32}, {A: 0, B: 1, S: 0},
		{A: 0, B: 1, S: 11}, {A: 1, B: 1, S: 525}})
	if err != nil {
		t.Fatal(err)
	}
	perArc := []float64{0.11, 0.12, 0.13, 0.14, 0.15}
	g, arc := l.Graph()
	perEdge := make([]float64, len(arc))
	for k, a := range arc {
		perEdge[k] = perArc[a]
	}
	w, err := mixing.FromEdges(g, perEdge)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]float64, l.Nodes())
	spectral.NewLiftSpectrum(l.Orbits, l.Size).All(all, l, perArc)
	p, err := design.NewPlan(context.Background(), hardware(t, l.Nodes()), w,
		mixing.SymmetricSpectrum(l.Nodes(), all[:len(all)-1]))
	if err != nil {
		t.Fatal(err)
	}
	p.Lift = &l
	return p
}

// caught says whether a plan is refused, as a file or by its claims. What the reader refuses does not depend on size,
// so large plans, whose files take far longer to read than to check, are tried as files only where their claims pass.
func caught(p *design.Plan) bool {
	if p.Nodes > 1000 {
		if report, err := verify.Check(context.Background(), p); err != nil || report.Err() != nil {
			return true
		}
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return true
	}
	return refused(b.Bytes()) != ""
}

// listed says whether a plan that passes names the claim as not proved.
func listed(t *testing.T, p *design.Plan, claim string) bool {
	t.Helper()
	report, err := verify.Check(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(report, func(f verify.Finding) bool {
		return f.Claim == claim && f.Status == verify.Unproved
	})
}
