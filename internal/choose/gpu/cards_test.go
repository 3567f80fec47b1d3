package gpu

import "testing"

func TestCardsAreKnownByTheirNames(t *testing.T) {
	for name, want := range map[string]float64{
		"NVIDIA H100 80GB HBM3": 80, "H100": 80, "NVIDIA H100 NVL": 94, "NVIDIA A100-SXM4-80GB": 80,
		"NVIDIA A100-SXM4-40GB": 40, "NVIDIA A100 80GB PCIe": 80, "Tesla V100-SXM2-16GB": 16, "Tesla V100-SXM2-32GB": 32,
		"NVIDIA GeForce RTX 4090": 24, "NVIDIA L40S": 48, "NVIDIA L4": 24, "Tesla P40": 24, "NVIDIA H200": 141,
		"NVIDIA GH200 480GB": 96, "AMD Instinct MI300X": 192, "Tesla K80": 12, "NVIDIA A10G": 24, "NVIDIA RTX A6000": 48,
		"toaster": 0, "": 0,
	} {
		if got := CardGB(name); got != want {
			t.Errorf("%q has %v GB; want %v", name, got, want)
		}
	}
}
