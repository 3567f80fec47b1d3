package verdict

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/experiments/internal/paper"
)

// blank is evidence without results.
func blank(t *testing.T) *Evidence {
	t.Helper()
	e, err := read(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// put adds a row, or other numbers for one that is there.
func put(t *testing.T, e *Evidence, experiment, key string, value any) {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var row ledger.Fields
	if err := json.Unmarshal(encoded, &row); err != nil {
		t.Fatal(err)
	}
	e.add(experiment, key, row)
}

// curve makes a topology that takes that many rounds of a ms, a decade of error in each quarter of them.
func curve(edges, rounds int, a float64) measure.Measurement {
	m := measure.Measurement{Edges: edges, Iterations: rounds, RoundMS: a, TimeMS: float64(rounds) * a}
	for k := 0; k <= rounds; k++ {
		m.Errors = append(m.Errors, math.Pow(10, -4*float64(k)/float64(rounds)))
	}
	return m
}

// decided leaves the rows as they are, for others to be put beside them.
func decided(t *testing.T, e *Evidence) *Evidence {
	t.Helper()
	copied := *e
	copied.Facts = maps.Clone(e.Facts)
	if err := copied.decide(); err != nil {
		t.Fatal(err)
	}
	return &copied
}

func decide(t *testing.T, e *Evidence, id string, who Subject) Finding {
	t.Helper()
	for _, f := range decided(t, e).Findings {
		if f.Sentence.ID == id && (who.ID == "" || f.Subject.ID == who.ID) {
			return f
		}
	}
	t.Fatalf("sentence %s is not asked of %s", id, who.Name)
	return Finding{}
}

func TestEveryRuleIsUsed(t *testing.T) {
	used := map[string]bool{}
	for _, s := range blank(t).Paper.Sentences {
		used[s.Reading.Rule] = true
	}
	for name := range rules {
		if !used[name] {
			t.Errorf("no sentence of paper.json has the rule %q", name)
		}
	}
}

// A sentence whose rule or subject does not exist is an error, not silence.
func TestUnknownRulesAreErrors(t *testing.T) {
	for _, s := range []paper.Sentence{
		{ID: "x", Of: []string{"ours"}, Reading: paper.Reading{Rule: "nonsense"}},
		{ID: "x", Of: []string{"nobody"}, Reading: paper.Reading{Rule: "faster"}},
	} {
		e := blank(t)
		e.Paper.Sentences = []paper.Sentence{s}
		if err := e.decide(); err == nil {
			t.Errorf("%+v, and no error", s)
		}
	}
}

func TestWithoutResultsSentencesStayOpen(t *testing.T) {
	for _, f := range decided(t, blank(t)).Findings {
		if f.Subject.ID != Printed.ID && f.Result != Open {
			t.Errorf("%s of %s is %v without any result", f.Sentence.ID, f.Subject.Name, f.Result)
		}
		if f.Result == Open && !strings.Contains(f.Note, "no row") && f.Sentence.Reading.Rule != "argument" {
			t.Errorf("%s is open and does not say which row is missing: %q", f.Sentence.ID, f.Note)
		}
	}
}

// scenario fills one kind of hardware: others take 1000 ms, plans what the test says.
func scenario(t *testing.T, e *Evidence, name string, planMS map[int]float64) {
	edges := map[string]int{"ring": 16, "grid": 24, "torus": 32, "exponential": 32,
		"u-equistatic-m2": 32, "u-equistatic-m3": 48}
	for other, r := range edges {
		put(t, e, "figures", name+"/"+other, curve(r, 20, 50))
	}
	put(t, e, "figures", name+"/torus-doubled", curve(12, 20, 60))
	for r, ms := range planMS {
		put(t, e, "figures", fmt.Sprintf("%s/paper-r%d", name, r), curve(r, 20, ms/20))
		put(t, e, "figures", fmt.Sprintf("%s/auto-r%d", name, r), curve(r, 20, ms/20))
	}
}

// Each predicate is shown one world in which it is true and one in which it is not.
func TestPredicatesOfTheFigures(t *testing.T) {
	for _, tc := range []struct {
		sentence, scenario string
		holds, fails       map[int]float64
	}{
		{"homogeneous-same-edges", "homogeneous",
			map[int]float64{16: 900, 24: 900, 32: 900, 54: 2000},
			map[int]float64{16: 900, 24: 1000, 32: 900, 54: 900}},
		{"homogeneous-fastest", "homogeneous",
			map[int]float64{16: 900, 24: 800, 32: 700, 54: 800}, map[int]float64{16: 900, 24: 800, 32: 700, 54: 700}},
		{"node-outperforms", "node-level",
			map[int]float64{16: 2000, 32: 900, 48: 950}, map[int]float64{16: 900, 32: 900, 48: 1001}},
		{"node-16-behind-exponential", "node-level",
			map[int]float64{16: 1200, 32: 1, 48: 1}, map[int]float64{16: 1300, 32: 1, 48: 1}},
		{"node-16-ahead-of-others", "node-level",
			map[int]float64{16: 999, 32: 1, 48: 1}, map[int]float64{16: 1000, 32: 1, 48: 1}},
		{"node-16-behind-equistatic", "node-level",
			map[int]float64{16: 1001, 32: 1, 48: 1}, map[int]float64{16: 1000, 32: 1, 48: 1}},
		{"intra-smaller-error", "intra-server",
			map[int]float64{8: 900, 12: 900, 16: 900}, map[int]float64{8: 900, 12: 900, 16: 1100}},
		{"inter-smaller-error", "bcube-1to2",
			map[int]float64{24: 900, 48: 900}, map[int]float64{24: 900, 48: 1000}},
	} {
		for _, who := range []Subject{Method, Ours} {
			for want, world := range map[Result]map[int]float64{Holds: tc.holds, Fails: tc.fails} {
				e := blank(t)
				scenario(t, e, tc.scenario, world)
				if got := decide(t, e, tc.sentence, who); got.Result != want {
					t.Errorf("%s of %s in world %v: %v (%s), want %v", tc.sentence, who.Name, world, got.Result,
						got.Shown, want)
				}
			}
		}
	}
}

// A curve that starts faster and ends slower has the smaller error at first only.
func TestSmallerErrorIsAskedAtEveryLevel(t *testing.T) {
	e := blank(t)
	scenario(t, e, "bcube-1to2", map[int]float64{24: 900, 48: 900})
	late := curve(24, 20, 45)
	for k := range late.Errors[:len(late.Errors)-1] {
		late.Errors[k] = 1
	}
	put(t, e, "figures", "bcube-1to2/auto-r24", late)
	if got := decide(t, e, "inter-smaller-error", Ours); got.Result != Fails {
		t.Errorf("first at 10⁻⁴ only: %v, want fails", got.Result)
	}
}

func TestPredicatesOfTableOne(t *testing.T) {
	e := blank(t)
	for _, n := range e.Paper.Table1.Nodes {
		shifts := decided(t, e).Facts[fmt.Sprintf("Table I/n=%d/U-EquiStatic/shifts", n)]
		put(t, e, "table1", fmt.Sprintf("n=%d/exponential", n),
			measure.Measurement{Edges: 2 * n, RAsym: 0.6, Iterations: 1, TimeMS: 100})
		put(t, e, "table1", fmt.Sprintf("n=%d/u-equistatic-m%d-best", n, shifts),
			measure.Measurement{RAsym: 0.5, Iterations: 1, TimeMS: 90})
		for _, row := range []string{"admm", "auto", "auto-even"} {
			put(t, e, "table1", fmt.Sprintf("n=%d/%s", n, row),
				measure.Measurement{Edges: 2 * n, RAsym: 0.4, Iterations: 1, TimeMS: 80})
		}
	}
	for _, id := range []string{"table1-half-degree-sum", "table1-factor-smaller", "table1-time-smaller"} {
		for _, who := range []Subject{Method, Ours} {
			if got := decide(t, e, id, who); got.Result != Holds {
				t.Errorf("%s of %s: %v (%s), want holds", id, who.Name, got.Result, got.Shown)
			}
		}
	}
	for _, n := range e.Paper.Table1.Nodes[:6] {
		put(t, e, "table1", fmt.Sprintf("n=%d/admm", n),
			measure.Measurement{Edges: 2*n - 1, RAsym: 0.55, Iterations: 1, TimeMS: 95})
	}
	for _, id := range []string{"table1-half-degree-sum", "table1-factor-smaller", "table1-time-smaller"} {
		if got := decide(t, e, id, Method); got.Result != Fails {
			t.Errorf("%s, worse at 6 of 11 sizes: %v (%s), want fails", id, got.Result, got.Shown)
		}
	}
	facts := decided(t, e).Facts
	if got := facts["Table I/n=16/our best/r_asym verdict"]; got != "better" {
		t.Errorf("n = 16: 0.52 printed, ours 0.4 is %v; want better", got)
	}
}

func TestComparisonVerdicts(t *testing.T) {
	for _, tc := range []struct {
		ours float64
		run  bool
		want string
	}{{0.5249, true, "same"}, {0.49, true, "better"}, {0.53, true, "worse"}, {0, false, "not run"}} {
		if got := judge("0.52", tc.ours, tc.run); got != tc.want {
			t.Errorf("0.52 printed, %v found: %q, want %q", tc.ours, got, tc.want)
		}
	}
}

func TestSpeedupVerdicts(t *testing.T) {
	for quotient, want := range map[float64]string{1.2225: "holds", 1.2163: "rounded up", 1.2: "fails"} {
		if got := (paper.Speedup{AtLeast: "1.22"}).Verdict(quotient); got != want {
			t.Errorf("at least 1.22, quotient %v: %s, want %s", quotient, got, want)
		}
	}
}

// A ring of 16 with m = 2 takes 0.98 + 1.49 s per epoch; 229.7 s are 93 of them.
func TestCellsAreWholeEpochs(t *testing.T) {
	e := blank(t)
	put(t, e, "table2", "homogeneous/ring", measure.Epoch{Slowdown: 2, Iterations: 98, Seconds: 2.47})
	put(t, e, "table2", "homogeneous/torus", measure.Epoch{Slowdown: 5, Iterations: 98, Seconds: 3.94})
	facts := decided(t, e).Facts
	epochs, _ := facts.Number("Table II/homogeneous/ring/CIFAR-10/epochs")
	if math.Abs(epochs-93) > 0.01 || facts["Table II/homogeneous/ring/m"] != "2 (93, 95)" {
		t.Errorf("ring: %v epochs, m %v; want 93 and 2 (93, 95)", epochs, facts["Table II/homogeneous/ring/m"])
	}
	for name, want := range map[string]any{
		"Table II/homogeneous/ring/whole":          "both",
		"Table II/homogeneous/torus/whole":         "neither", // with a wrong m
		"Table II/node-level/ring/whole":           "neither", // without a row
		"Table II/node-level/ring/CIFAR-10/epochs": nil,
	} {
		if facts[name] != want {
			t.Errorf("%s is %v, want %v", name, facts[name], want)
		}
	}
}

// Arithmetic on the printed tables needs no results of ours.
func TestPrintedNumbers(t *testing.T) {
	e := blank(t)
	for id, want := range map[string]Result{
		"table2-abstract":            Fails, // 141.5/127.6 = 1.1089 is not more than 1.11
		"table2-homogeneous-fastest": Holds,
		"table2-node-all-faster":     Holds,
		"table2-node-all-better":     Holds,
		"table2-intra-all-better":    Fails, // 407.6 s against the torus's 407.1 s
		"table2-inter-all-better":    Holds,
		"table1-factor-smaller":      Holds,
		"table1-time-smaller":        Holds,
	} {
		if got := decide(t, e, id, Printed); got.Result != want {
			t.Errorf("%s: %v (%s), want %v", id, got.Result, got.Shown, want)
		}
	}
	for slowest, want := range map[float64]Result{0.976: Holds, 1.22: Fails} {
		put(t, e, "figures", "intra-server/exponential", measure.Measurement{MinEdgeGBs: slowest})
		if got := decide(t, e, "intra-exponential-on-sys", Method); got.Result != want {
			t.Errorf("exponential on SYS, slowest edge %v GB/s: %v (%s), want %v", slowest, got.Result, got.Shown, want)
		}
	}
}
