package cluster_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// Whatever form a description has, all of its resources get the rate, and nothing else changes.
func TestWithRatesScalesEveryResourceAndNothingElse(t *testing.T) {
	files, err := filepath.Glob("../examples/*.yaml")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d examples: %v", len(files), err)
	}
	sources := [][]byte{
		[]byte("format: batopo.cluster/v1\nleafspine: {leaves: 2, hosts: 2, host: 3.125, uplink: 6.25}\n"),
		[]byte("format: batopo.cluster/v2\nnames: [a, b]\ntransit: true\n" +
			"links: [{between: [a, hub], gb_s: 2}, {between: [hub, b], up_gb_s: 4, down_gb_s: 1}]\n"),
		[]byte("format: batopo.cluster/v2\n" +
			"matrix: {gb_s: [[0, 2, 4], [1, 0, 8], [5, 0, 0]], latency_ms: [[0, 1, 1], [1, 0, 1], [1, 1, 0]], port_gb_s: 3}\n"),
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, source)
	}
	for _, source := range sources {
		c, err := cluster.Read("cluster", bytes.NewReader(source))
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		onlyRates(t, c, 0.75)
	}
}

func onlyRates(t *testing.T, c *cluster.Cluster, times float64) {
	t.Helper()
	other, err := cluster.New(c.Spec().WithRates(times))
	if err != nil {
		t.Fatal(err)
	}
	for k, r := range c.Resources() {
		got, want := other.Resources()[k], r
		for _, rate := range []*float64{&want.GBs, &want.UpGBs, &want.DownGBs} {
			*rate *= times
		}
		if math.Abs(got.GBs-want.GBs) <= 1e-12*want.GBs {
			got.GBs = want.GBs
		}
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if other.Model() != c.Model() || other.Nodes() != c.Nodes() || other.LatencyMS() != c.LatencyMS() {
		t.Errorf("%v: model, nodes or latency changed", c.Spec())
	}
	if again, err := cluster.New(c.Spec()); err != nil || again.Resources()[0] != c.Resources()[0] {
		t.Errorf("the description itself changed: %v", err)
	}
}
