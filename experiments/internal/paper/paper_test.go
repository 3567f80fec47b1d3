package paper

import (
	"maps"
	"math"
	"testing"
)

func read(t *testing.T) *Paper {
	t.Helper()
	p, err := Read()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSentencesHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range read(t).Sentences {
		if s.ID == "" || s.Where == "" || s.Text == "" || len(s.Of) == 0 || seen[s.ID] {
			t.Errorf("sentence %+v is incomplete or named twice", s)
		}
		seen[s.ID] = true
	}
	if len(seen) < 20 {
		t.Errorf("only %d sentences", len(seen))
	}
}

// The exponential graph has degree ⌈log₂ n⌉: one of the readings of each of its times must say so,
// or reading times means nothing.
func TestImpliedFindsTheDegreeOfTheExponentialGraph(t *testing.T) {
	p := read(t).Table1
	for k, n := range p.Nodes {
		want := int(math.Ceil(math.Log2(float64(n))))
		found := false
		for _, f := range p.Implied(Exponential, k) {
			found = found || f.MaxDegree == want
		}
		if !found {
			t.Errorf("n = %d: readings %v, none with degree %d", n, p.Implied(Exponential, k), want)
		}
	}
}

// The documents read degrees from the printed times, so no time may have two readings.
func TestTimesHaveOneReading(t *testing.T) {
	p := read(t).Table1
	for k, n := range p.Nodes {
		for _, row := range []string{Exponential, EquiStatic, BATopo} {
			ways := p.Implied(row, k)
			if len(ways) != 1 {
				t.Errorf("%s, n = %d: readings %v; want one", row, n, ways)
			} else if row == EquiStatic && ways[0].MaxDegree%2 != 0 {
				t.Errorf("%s, n = %d: reading %v; want two neighbours per shift", row, n, ways[0])
			}
		}
	}
}

func TestDecimal(t *testing.T) {
	for _, tc := range []struct {
		printed Decimal
		value   float64
		want    bool
	}{
		{"229.7", 229.71, true}, // rounded
		{"165.4", 165.49, true}, // cut off
		{"234.7", 234.65, true},
		{"110.1", 110.4, false},
		{"239.76", 239.76, true},
		{"239.76", 239.77, false},
		{"4", 4.9, true},
		{"4", 5, false},
	} {
		if got := tc.printed.Prints(tc.value); got != tc.want {
			t.Errorf("%v printed as %s: %v, want %v", tc.value, tc.printed, got, tc.want)
		}
	}
	if v := Decimal("x").Value(); !math.IsNaN(v) {
		t.Errorf("value of x is %v", v)
	}
}

func TestTableOneIsComplete(t *testing.T) {
	p := read(t).Table1
	for _, quantity := range []string{"r_asym", "time_ms"} {
		for _, row := range []string{Exponential, EquiStatic, BATopo} {
			if got := len(p.Printed(quantity)[row]); got != len(p.Nodes) {
				t.Errorf("row %s of Table I has %d times %s for %d sizes", row, got, quantity, len(p.Nodes))
			}
		}
	}
}

func TestTableTwoIsComplete(t *testing.T) {
	p := read(t)
	got := map[string]int{}
	for _, row := range p.Table2 {
		got[row.Scenario]++
	}
	want := map[string]int{"homogeneous": 10, "node-level": 9, "intra-server": 7, "bcube-1to2": 8}
	if !maps.Equal(got, want) {
		t.Errorf("topologies by scenario are %v, Table II prints %v", got, want)
	}
	for _, row := range p.Table2 {
		for _, dataset := range Datasets {
			if !(row.Seconds[dataset].Value() > 0) {
				t.Errorf("%s, %s, %s: %q is no time", dataset, row.Scenario, row.Topology, row.Seconds[dataset])
			}
		}
	}
	for _, s := range p.Speedups {
		if q := p.Quotient(s); !(q > 1 && q < 2) {
			t.Errorf("%+v: quotient %v", s, q)
		}
	}
}
