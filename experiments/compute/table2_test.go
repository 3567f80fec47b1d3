package main

import (
	"fmt"
	"io"
	"testing"

	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
)

func TestNeedsTheFigures(t *testing.T) {
	o := ledger.Options{Results: t.TempDir(), Log: io.Discard}
	if err := ledger.Run(t.Context(), "table2", o, table2); err == nil {
		t.Error("no figures.json, no error")
	}
}

// 98 iterations of 5.01 and 15.21 ms are 0.49 and 1.49 s after rounding to 10 ms; at 8 nodes 196 of
// them 0.98 and 2.98 s.
func TestEpochIsRoundedAsThePapersTimesShow(t *testing.T) {
	for _, tc := range []struct {
		nodes      int
		minEdgeGBs float64
		slowdown   float64
		seconds    float64
	}{
		{16, 4.88, 2, 2*0.49 + 1.49},
		{16, 3.25, 3, 3*0.49 + 1.49}, // 9.76/3.25 is 3.003; the ratio counts
		{8, 0.976, 10, 10*0.98 + 2.98},
	} {
		got := epoch(tc.nodes, measure.Measurement{MinEdgeGBs: tc.minEdgeGBs})
		if got.Slowdown != tc.slowdown || fmt.Sprintf("%.9f", got.Seconds) != fmt.Sprintf("%.9f", tc.seconds) {
			t.Errorf("%d nodes, %v GB/s: m = %v, %v s; want %v, %v s",
				tc.nodes, tc.minEdgeGBs, got.Slowdown, got.Seconds, tc.slowdown, tc.seconds)
		}
	}
}
