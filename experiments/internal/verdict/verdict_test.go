package verdict

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"batopo/experiments/internal/ledger"
	"batopo/experiments/internal/measure"
	"batopo/report"
)

const root = "../../.."

// blank is evidence without results.
func blank(t *testing.T) *Evidence {
	t.Helper()
	e, err := Load(root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func put[T any](f *ledger.File[T], key string, value T) {
	for k := range f.Rows {
		if f.Rows[k].Key == key {
			f.Rows[k].Value = value
			return
		}
	}
	f.Rows = append(f.Rows, ledger.Row[T]{Key: key, Value: value})
}

// curve makes a topology that takes so many rounds of a ms, a decade of error in each quarter of them.
func curve(edges, rounds int, a float64) measure.Measurement {
	m := measure.Measurement{Edges: edges, Iterations: rounds, RoundMS: a, TimeMS: float64(rounds) * a}
	for k := 0; k <= rounds; k++ {
		m.Errors = append(m.Errors, math.Pow(10, -4*float64(k)/float64(rounds)))
	}
	return m
}

func decide(t *testing.T, e *Evidence, id string, who Subject) Finding {
	t.Helper()
	all, err := e.Sentences()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if f.Sentence.ID == id && f.Subject == who {
			return f
		}
	}
	t.Fatalf("sentence %s is not asked of %s", id, who)
	return Finding{}
}

func TestEverySentenceHasARule(t *testing.T) {
	e := blank(t)
	said := map[string]bool{}
	for _, s := range e.Paper.Sentences() {
		said[s.ID] = true
		if _, ok := rules[s.ID]; !ok {
			t.Errorf("no rule for sentence %s", s.ID)
		}
	}
	for id := range rules {
		if !said[id] {
			t.Errorf("rule for %s, which no expected.json has", id)
		}
	}
}

func TestWithoutResultsSentencesStayOpen(t *testing.T) {
	all, err := blank(t).Sentences()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		needsNoRows := f.Sentence.ID == "intra-exponential-on-sys"
		if f.Subject != Printed && !needsNoRows && f.Result != report.Open {
			t.Errorf("%s of %s is %v without any result", f.Sentence.ID, f.Subject, f.Result)
		}
		if f.Result == report.Open && !strings.Contains(f.Note, "no row") {
			t.Errorf("%s is open and does not say which row is missing: %q", f.Sentence.ID, f.Note)
		}
	}
}

// scenario fills one kind of hardware: others take 1000 ms, plans what the test says.
func scenario(e *Evidence, name string, planMS map[int]float64) {
	edges := map[string]int{"ring": 16, "grid": 24, "torus": 32, "exponential": 32, "u-equistatic-m2": 32, "u-equistatic-m3": 48}
	for _, other := range baselines {
		if name != "intra-server" || other[0] != 'u' {
			put(e.Figures, name+"/"+other, curve(edges[other], 20, 50))
		}
	}
	put(e.Figures, name+"/torus-doubled", curve(12, 20, 60))
	for r, ms := range planMS {
		put(e.Figures, fmt.Sprintf("%s/paper-r%d", name, r), curve(r, 20, ms/20))
		put(e.Figures, fmt.Sprintf("%s/auto-r%d", name, r), curve(r, 20, ms/20))
	}
}

// Each predicate is shown one world in which it is true and one in which it is not.
func TestPredicatesOfTheFigures(t *testing.T) {
	for _, tc := range []struct {
		sentence, scenario string
		holds, fails       map[int]float64
	}{
		{"homogeneous-same-edges", "homogeneous", map[int]float64{16: 900, 24: 900, 32: 900, 54: 2000}, map[int]float64{16: 900, 24: 1000, 32: 900, 54: 900}},
		{"homogeneous-fastest", "homogeneous", map[int]float64{16: 900, 24: 800, 32: 700, 54: 800}, map[int]float64{16: 900, 24: 800, 32: 700, 54: 700}},
		{"node-outperforms", "node-level", map[int]float64{16: 2000, 32: 900, 48: 950}, map[int]float64{16: 900, 32: 900, 48: 1001}},
		{"node-16-behind-exponential", "node-level", map[int]float64{16: 1200, 32: 1, 48: 1}, map[int]float64{16: 1300, 32: 1, 48: 1}},
		{"node-16-ahead-of-others", "node-level", map[int]float64{16: 999, 32: 1, 48: 1}, map[int]float64{16: 1000, 32: 1, 48: 1}},
		{"node-16-behind-equistatic", "node-level", map[int]float64{16: 1001, 32: 1, 48: 1}, map[int]float64{16: 1000, 32: 1, 48: 1}},
		{"intra-smaller-error", "intra-server", map[int]float64{8: 900, 12: 900, 16: 900}, map[int]float64{8: 900, 12: 900, 16: 1100}},
		{"inter-smaller-error", "bcube-1to2", map[int]float64{24: 900, 48: 900}, map[int]float64{24: 900, 48: 1000}},
	} {
		for _, who := range both {
			for want, world := range map[report.Result]map[int]float64{report.Holds: tc.holds, report.Fails: tc.fails} {
				e := blank(t)
				scenario(e, tc.scenario, world)
				if got := decide(t, e, tc.sentence, who); got.Result != want {
					t.Errorf("%s of %s in world %v: %v (%s), want %v", tc.sentence, who, world, got.Result, got.Shown, want)
				}
			}
		}
	}
}

// A curve that starts faster and ends slower has the smaller error at first only.
func TestSmallerErrorIsAskedAtEveryLevel(t *testing.T) {
	e := blank(t)
	scenario(e, "bcube-1to2", map[int]float64{24: 900, 48: 900})
	late := curve(24, 20, 45)
	for k := range late.Errors[:len(late.Errors)-1] {
		late.Errors[k] = 1
	}
	put(e.Figures, "bcube-1to2/auto-r24", late)
	if got := decide(t, e, "inter-smaller-error", Ours); got.Result != report.Fails {
		t.Errorf("first at 10⁻⁴ only: %v, want fails", got.Result)
	}
}

func TestPredicatesOfTableOne(t *testing.T) {
	e := blank(t)
	for k, n := range e.Paper.Table1.Nodes {
		put(e.Table1, fmt.Sprintf("n=%d/exponential", n), measure.Measurement{Edges: 2 * n, RAsym: 0.6, Iterations: 1, TimeMS: 100})
		put(e.Table1, fmt.Sprintf("n=%d/%s", n, e.EquiStaticRow(k)), measure.Measurement{RAsym: 0.5, Iterations: 1, TimeMS: 90})
		for _, row := range []string{"admm", "auto", "auto-even"} {
			put(e.Table1, fmt.Sprintf("n=%d/%s", n, row), measure.Measurement{Edges: 2 * n, RAsym: 0.4, Iterations: 1, TimeMS: 80})
		}
	}
	for _, id := range []string{"table1-half-degree-sum", "table1-factor-smaller", "table1-time-smaller"} {
		for _, who := range both {
			if got := decide(t, e, id, who); got.Result != report.Holds {
				t.Errorf("%s of %s: %v (%s), want holds", id, who, got.Result, got.Shown)
			}
		}
	}
	for _, n := range e.Paper.Table1.Nodes[:6] {
		put(e.Table1, fmt.Sprintf("n=%d/admm", n), measure.Measurement{Edges: 2*n - 1, RAsym: 0.55, Iterations: 1, TimeMS: 95})
	}
	for _, id := range []string{"table1-half-degree-sum", "table1-factor-smaller", "table1-time-smaller"} {
		if got := decide(t, e, id, Method); got.Result != report.Fails {
			t.Errorf("%s, worse at 6 of 11 sizes: %v (%s), want fails", id, got.Result, got.Shown)
		}
	}
	for _, c := range e.Comparisons() {
		if strings.HasPrefix(c.Item, "n = 16, BA-Topo, our best, r_asym") && c.Verdict() != "better" {
			t.Errorf("%s: theirs %v, ours %v is %s; want better", c.Item, c.Theirs, c.Ours, c.Verdict())
		}
	}
}

func TestComparisonVerdicts(t *testing.T) {
	for _, tc := range []struct {
		c    Comparison
		want string
	}{
		{Comparison{Theirs: 0.52, Ours: 0.5249, Half: 0.005}, "same"},
		{Comparison{Theirs: 0.52, Ours: 0.49, Half: 0.005}, "better"},
		{Comparison{Theirs: 0.52, Ours: 0.53, Half: 0.005}, "worse"},
		{Comparison{Theirs: 0.52, Missing: "row"}, "not run"},
	} {
		if got := tc.c.Verdict(); got != tc.want {
			t.Errorf("%+v is %q, want %q", tc.c, got, tc.want)
		}
	}
}

// A ring of 16 with m = 2 takes 0.98 + 1.49 s per epoch; 229.7 s are 93 of them.
func TestCellsAreWholeEpochs(t *testing.T) {
	e := blank(t)
	put(e.Table2, "homogeneous/ring", measure.Epoch{Slowdown: 2, Iterations: 98, Seconds: 2.47})
	put(e.Table2, "homogeneous/torus", measure.Epoch{Slowdown: 5, Iterations: 98, Seconds: 3.94})
	for _, c := range e.Cells() {
		switch key := c.Dataset + " " + c.Scenario + " " + c.Topology; key {
		case "CIFAR-10 homogeneous ring":
			if !c.Whole || math.Abs(c.Epochs-93) > 0.01 || len(c.Fits) == 0 {
				t.Errorf("%s: %+v, want 93 whole epochs", key, c)
			}
		case "CIFAR-10 homogeneous torus":
			if c.Whole {
				t.Errorf("%s with a wrong m: %+v, want no whole number of epochs", key, c)
			}
		case "CIFAR-10 node-level ring":
			if !math.IsNaN(c.Slowdown) || c.Whole {
				t.Errorf("%s without a row: %+v", key, c)
			}
		}
	}
}

func TestClaims(t *testing.T) {
	e := blank(t)
	put(e.Table1, "n=16/auto", measure.Measurement{RAsym: 0.458})
	put(e.Ablations, "x", measure.Outcomes{RAsym: []float64{0.5, 0.4}})
	for _, tc := range []struct {
		claim Claim
		want  bool
	}{
		{Claim{Experiment: "table1", Key: "n=16/auto", Field: "r_asym", Op: "<=", Value: 0.459}, true},
		{Claim{Experiment: "table1", Key: "n=16/auto", Field: "r_asym", Op: ">=", Value: 0.459}, false},
		{Claim{Experiment: "table1", Key: "n=16/auto", Field: "r_asym", Op: "==", Value: 0.46, Tolerance: 0.005}, true},
		{Claim{Experiment: "table1", Key: "n=16/auto", Field: "nonsense", Op: "<=", Value: 1}, false},
		{Claim{Experiment: "table1", Key: "n=17/auto", Field: "r_asym", Op: "<=", Value: 1}, false},
		{Claim{Experiment: "nonsense", Key: "x", Field: "r_asym", Op: "<=", Value: 1}, false},
		{Claim{Experiment: "ablations", Key: "x", Field: "best", Op: "==", Value: 0.4}, true},
		{Claim{Sentence: "table2-homogeneous-fastest", Subject: Printed, Result: "holds"}, true},
		{Claim{Sentence: "table2-homogeneous-fastest", Subject: Printed, Result: "fails"}, false},
		{Claim{Comparisons: "n = 16, BA-Topo, reproduced", Verdicts: []string{"not run"}, Op: "==", Value: 2}, true},
		{Claim{Comparisons: "n = 16, BA-Topo, reproduced", Verdicts: []string{"same", "better"}, Op: ">=", Value: 1}, false},
		{Claim{Whole: true, Op: ">=", Value: 1}, false},
		{Claim{Sentence: "nonsense", Subject: Printed, Result: "holds"}, false},
	} {
		got, err := e.Check([]Claim{tc.claim})
		if err != nil {
			t.Fatal(err)
		}
		if got[0].OK != tc.want {
			t.Errorf("%+v: %v (%s), want %v", tc.claim, got[0].OK, got[0].Found, tc.want)
		}
	}
	if _, err := e.Check([]Claim{{Experiment: "table1", Key: "n=16/auto", Field: "r_asym", Op: "~"}}); err == nil {
		t.Error("a claim compares by ~ and nobody complains")
	}
}

// Claims are the words of a document: when it says something else, or nothing, the claim is broken.
func TestClaimsAreSaidInTheirDocument(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "experiments"), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("README.md", "Ours is\n**0.458**.")
	e := blank(t)
	put(e.Table1, "n=16/auto", measure.Measurement{RAsym: 0.458})
	for text, want := range map[string]bool{"Ours is **0.458**": true, "Ours is 0.457": false, "": false} {
		write("experiments/claims.json", fmt.Sprintf(`[{"id": "x", "document": "README.md", "text": %q, "experiment": "table1", "key": "n=16/auto", "field": "r_asym", "op": "<=", "value": 0.459}]`, text))
		claims, err := ReadClaims(root)
		if err != nil {
			t.Fatal(err)
		}
		checked, err := e.Check(claims)
		if err != nil {
			t.Fatal(err)
		}
		if checked[0].OK != want {
			t.Errorf("claim %q: %v (%s), want %v", text, checked[0].OK, checked[0].Found, want)
		}
	}
	write("experiments/claims.json", `[{"id": "x", "document": "nowhere.md", "text": "x"}]`)
	if _, err := ReadClaims(root); err == nil {
		t.Error("a claim of a document that does not exist, and no error")
	}
}

// Arithmetic on the printed tables needs no results of ours.
func TestPrintedNumbers(t *testing.T) {
	e := blank(t)
	for id, want := range map[string]report.Result{
		"table2-abstract":            report.Fails, // 141.5/127.6 = 1.1089 is not more than 1.11
		"table2-homogeneous-fastest": report.Holds,
		"table2-node-all-faster":     report.Holds,
		"table2-node-all-better":     report.Holds,
		"table2-intra-all-better":    report.Fails, // 407.6 s against the torus's 407.1 s
		"table2-inter-all-better":    report.Holds,
		"table1-factor-smaller":      report.Holds,
		"table1-time-smaller":        report.Holds,
	} {
		if got := decide(t, e, id, Printed); got.Result != want {
			t.Errorf("%s: %v (%s), want %v", id, got.Result, got.Shown, want)
		}
	}
	if got := decide(t, e, "intra-exponential-on-sys", Method); got.Result != report.Holds {
		t.Errorf("exponential on SYS: %v (%s)", got.Result, got.Shown)
	}
}
