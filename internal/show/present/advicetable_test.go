package present_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/show/report"
)

// choices are candidates with names and numbers as long as real clusters give them.
func choices() *advise.Advice {
	row := func(name string, kind advise.Kind, every int, overlap bool, ms, epochs, pessimistic float64) advise.Candidate {
		return advise.Candidate{Name: name, Kind: kind, Every: every, Overlap: overlap, Order: design.AdaptThenCombine,
			CommunicationMS: ms, IterationMS: ms, Epochs: epochs, PredictedMS: ms * epochs, PessimisticMS: pessimistic}
	}
	unsure := row("one-peer schedule over 102 links, lazy (2)", advise.Scheduled, 16, false, 1518, 1.6, 2700)
	unsure.Outside = []string{"4 nodes"}
	ddp := row("DistributedDataParallel", advise.DDP, 1, true, 43920.55, 1, 45000)
	ddp.BucketMB = 100
	all := []advise.Candidate{
		row("hierarchical, one-peer-exponential between 16 groups of 16", advise.TwoLevel, 1, true, 2500, 0.9, 2600),
		unsure,
		row("parameter averaging, halving-doubling", advise.Collective, 1, false, 9999.99, 1, 11000),
		ddp,
	}
	all[0].Tied = true
	return &advise.Advice{Recommended: unsure, DDP: &ddp, All: all}
}

// TestAdviceTableFits: the table is no wider than 120 columns, shows the time that orders it, and tells what is run.
func TestAdviceTableFits(t *testing.T) {
	table := present.AdviceTable(choices(), 8)
	var b strings.Builder
	if err := table.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(b.String(), "\n") {
		if width := utf8.RuneCountInString(line); width > 120 {
			t.Errorf("%d columns: %s", width, line)
		}
	}
	pessimistic := slices.IndexFunc(table.Columns, func(c report.Column) bool { return c.Title == "pessimistic" })
	want := [][]string{ // row, name, when, epochs, and the time that ranks
		{"1", "hierarchy, one-peer-exponential between 16 × 16", "1 overlap", "0.90", "2600.0"},
		{"2", "one-peer, 102 links, lazy (2), H = 16", "16", "1.60?", "2700.0"},
		{"3", "averaging, halving-doubling", "1", "1.00", "11000.0"},
		{"4", "DDP", "backward", "1.00", "45000.0"},
	}
	for k, row := range table.Rows {
		if got := append(slices.Clone(row.Cells[:3]), row.Cells[5], row.Cells[pessimistic]); !slices.Equal(got, want[k]) {
			t.Errorf("row %d: %q, want %q", k, got, want[k])
		}
		if row.Strong != (k == 1) {
			t.Errorf("row %d stands out: %v", k, row.Strong)
		}
	}
}

// Short iterations have decimals enough to distinguish alternatives.
func TestShortTimesAreToldApart(t *testing.T) {
	a := choices()
	a.Recommended.PredictedMS, a.All[0].PredictedMS, a.Recommended.PessimisticMS = 1.23, 1.19, 1.48
	if rows := present.AdviceTable(a, 8).Rows; rows[0].Cells[6] != "1.19" || rows[1].Cells[7] != "1.48" {
		t.Errorf("rows %v", rows)
	}
}

// What stands above the recommended one is explained, and only then.
func TestWhyTheFirstIsNotRecommended(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	for k := range 2 {
		a := choices()
		a.Convergence, a.Recommended = advise.MeasuredConvergence(), a.All[k]
		var out strings.Builder
		if err := present.WriteAdvice(&out, c, a, present.Screen{Explain: true, Width: 1000}); err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(out.String(), "Rows before the recommended one"); said != (k == 1) {
			t.Errorf("row %d is recommended, and that another stands above it is explained: %v", k, said)
		}
	}
}
