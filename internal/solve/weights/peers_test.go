package weights_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

// writeSDPA writes the weight problem in SDPA sparse format: minimise cᵀx subject to Σ xᵢFᵢ − F₀ ⪰ 0 with x = (g, s).
// It states the problem as in the papers, with J and without the solver's shift.
func writeSDPA(out io.Writer, g *topology.Graph, s weights.Settings) error {
	w := bufio.NewWriter(out)
	n, edges := g.Nodes(), g.Edges()
	vars, limits := len(edges)+1, 0
	if s.Sign != design.Free {
		limits = len(edges) + n
	}
	blocks := fmt.Sprintf("2\n%d %d\n", n, n)
	if limits > 0 {
		blocks = fmt.Sprintf("3\n%d %d -%d\n", n, n, limits)
	}
	fmt.Fprintf(w, "%d\n%s", vars, blocks)
	for range edges {
		fmt.Fprint(w, "0 ")
	}
	fmt.Fprintln(w, "1")
	// F₀: block 1 is I − J (sI − W + J ⪰ 0), block 2 is J − I (sI + W − J ⪰ 0) or (μ−1)I (W − μI ⪰ 0).
	for i := range n {
		for j := i; j < n; j++ {
			upper := -1 / float64(n)
			if i == j {
				upper++
			}
			lower := -upper
			if s.MinEigenvalue != nil {
				lower = 0
				if i == j {
					lower = *s.MinEigenvalue - 1
				}
			}
			entry(w, 0, 1, i, j, upper)
			entry(w, 0, 2, i, j, lower)
		}
	}
	for i := range limits - len(edges) {
		entry(w, 0, 3, len(edges)+i, len(edges)+i, -1)
	}
	for k, e := range edges {
		for half, sign := range []float64{1, -1} {
			entry(w, k+1, half+1, e.I, e.I, sign)
			entry(w, k+1, half+1, e.J, e.J, sign)
			entry(w, k+1, half+1, e.I, e.J, -sign)
		}
		if limits > 0 {
			entry(w, k+1, 3, k, k, 1)
			entry(w, k+1, 3, len(edges)+e.I, len(edges)+e.I, -1)
			entry(w, k+1, 3, len(edges)+e.J, len(edges)+e.J, -1)
		}
	}
	for i := range n {
		entry(w, vars, 1, i, i, 1)
		if s.MinEigenvalue == nil {
			entry(w, vars, 2, i, i, 1)
		}
	}
	return w.Flush()
}

func entry(w io.Writer, matrix, block, i, j int, v float64) {
	if v != 0 {
		fmt.Fprintf(w, "%d %d %d %d %.17g\n", matrix, block, i+1, j+1, v)
	}
}

// A peer is an established SDP solver run as a child process.
type peer struct {
	program, install string
	arguments        func(problem, solution string) []string
	objective        *regexp.Regexp
}

var peers = []peer{
	{"csdp", "apt-get install coinor-csdp", func(p, s string) []string { return []string{p, s} },
		regexp.MustCompile(`Dual objective value: *([-+.0-9eE]+)`)},
	{"sdpa", "apt-get install sdpa", func(p, s string) []string { return []string{p, s, "-numThreads", "1"} },
		regexp.MustCompile(`objValPrimal *= *([-+.0-9eE]+)`)},
}

// run solves a problem file on one core and returns the optimal value and the processor time taken.
func (p peer) run(t testing.TB, file string) (value float64, spent time.Duration) {
	t.Helper()
	path, err := exec.LookPath(p.program)
	if err != nil {
		t.Fatalf("the solver %s, which results are compared with, is not installed: %s", p.program, p.install)
	}
	cmd := exec.CommandContext(t.Context(), path, p.arguments(file, file+".out")...)
	cmd.Dir = filepath.Dir(file)
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err = cmd.Run()
	match := p.objective.FindSubmatch(output.Bytes())
	if match == nil {
		t.Fatalf("%s printed no objective (%v):\n%s", p.program, err, output.String())
	}
	if value, err = strconv.ParseFloat(string(match[1]), 64); err != nil {
		t.Fatalf("%s: %v", p.program, err)
	}
	return value, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// problemFile writes the problem to a temporary directory.
func problemFile(t testing.TB, g *topology.Graph, s weights.Settings) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "problem.dat-s")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeSDPA(f, g, s); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAgreesWithPeers(t *testing.T) {
	for seed := range uint64(50) {
		n := 4 + int(seed*7%23)
		m := min(topology.Pairs(n), n-1+int(seed*5%uint64(2*n)))
		g := randomGraph(t, n, m, seed)
		s := weights.Settings{Sign: []design.Sign{design.NonNegative, design.Free}[seed%2]}
		if seed%3 == 2 { // W ⪰ 0, as for training
			s.MinEigenvalue = pointer(0)
		}
		r := solve(t, g, s)
		file := problemFile(t, g, s)
		for _, p := range peers {
			if want, _ := p.run(t, file); math.Abs(r.Value(s)-want) > 1e-6 {
				t.Errorf("seed %d, %d nodes, %d edges, %s: ours is %.9g, %s finds %.9g",
					seed, n, m, s.Sign, r.Value(s), p.program, want)
			}
		}
	}
}
