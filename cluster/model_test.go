package cluster_test

import (
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
)

func described(model string) string {
	return "format: batopo.cluster/v2\nnodes: 4\nbandwidth: 10\n" + model
}

func TestMessageAndParametersFollowFromEachOther(t *testing.T) {
	for _, tc := range []struct {
		model                        string
		messageMB, parameters, bytes float64
		optimizer                    cluster.Optimizer
	}{
		{"", cluster.PaperMessageMB, cluster.PaperMessageMB * 1e6 / 4, 4, cluster.SGD},
		{"model: {message_mb: 48.8976}", 48.8976, 48.8976e6 / 4, 4, cluster.AdamW},
		{"model: {parameters: 7B}", 28_000, 7e9, 4, cluster.AdamW},
		{"model: {parameters: 7B, dtype: mixed}", 14_000, 7e9, 2, cluster.AdamW},
		{"model: {parameters: 7B, dtype: bf16, optimizer: sgd}", 14_000, 7e9, 2, cluster.SGD},
		{"model: {message_mb: 14000, dtype: mixed}", 14_000, 7e9, 2, cluster.AdamW},
		{"model: {parameters: 304M, message_mb: 608, dtype: mixed}", 608, 304e6, 2, cluster.AdamW},
		{"model: {parameters: 304M, message_mb: 1216, dtype: mixed}", 1216, 304e6, 4, cluster.AdamW},
	} {
		c, err := cluster.Read("x.yaml", strings.NewReader(described(tc.model)))
		if err != nil {
			t.Fatal(err)
		}
		m := c.Model()
		if math.Abs(m.MessageMB/tc.messageMB-1) > 1e-12 || math.Abs(m.Parameters/tc.parameters-1) > 1e-12 ||
			m.GradientBytes != tc.bytes || m.Optimizer != tc.optimizer {
			t.Errorf("%q is %+v", tc.model, m)
		}
	}
}

func TestModelsThatContradictThemselvesAreRefused(t *testing.T) {
	for model, want := range map[string]string{
		"model: {parameters: 7B, message_mb: 102}":                "7B parameters have gradients of 28000 MB in fp32",
		"model: {parameters: 7B, message_mb: 28000, dtype: bf16}": "14000 MB in bf16",
		"model: {parameters: 304}":                                "must be between 1000",
		"model: {parameters: 7Q}":                                 "7B, 350M or 7000000000",
		"model: {dtype: fp8}":                                     `"fp32", "mixed" or "bf16"`,
		"model: {optimizer: lion}":                                `"adamw" and "sgd"`,
		"backend: mpi":                                            `"nccl" or "gloo"`,
	} {
		if _, err := cluster.Read("x.yaml", strings.NewReader(described(model))); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", model, err, want)
		}
	}
}

func TestSayingMoreLeavesTheRest(t *testing.T) {
	c, err := cluster.Read("x.yaml", strings.NewReader(described("model: {compute_ms: 7}")))
	if err != nil {
		t.Fatal(err)
	}
	if c.Backend() != cluster.NCCL {
		t.Errorf("backend %q", c.Backend())
	}
	if c, err = c.WithModel(1.3e9, cluster.Mixed, cluster.Gloo); err != nil {
		t.Fatal(err)
	}
	if m := c.Model(); m.MessageMB != 2600 || m.ComputeMS != 7 || c.Backend() != cluster.Gloo {
		t.Errorf("%+v over %s", m, c.Backend())
	}
}
