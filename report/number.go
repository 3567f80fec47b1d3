package report

import (
	"math"
	"strconv"
)

// Number spells v for people, with about three significant digits: 0.458, 12.3, 1730, 2.1e-05.
func Number(v float64) string {
	switch a := math.Abs(v); {
	case math.IsNaN(v):
		return "–"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "−∞"
	case v == math.Trunc(v) && a < 1e15:
		return plain(v, 0)
	case a >= 1e15:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case a >= 100:
		return plain(v, 0)
	case a >= 10:
		return plain(v, 1)
	case a >= 1:
		return plain(v, 2)
	case a >= 0.001:
		return plain(v, 3)
	}
	return strconv.FormatFloat(v, 'e', 1, 64)
}

// Duration spells a time given in milliseconds.
func Duration(ms float64) string {
	switch {
	case math.IsNaN(ms) || math.IsInf(ms, 0):
		return Number(ms)
	case ms >= 120_000:
		return Number(ms/60_000) + " min"
	case ms >= 10_000:
		return Number(ms/1000) + " s"
	}
	return Number(ms) + " ms"
}
