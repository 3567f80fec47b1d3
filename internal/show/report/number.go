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
	case a >= 1e15:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case a >= 100 || v == math.Trunc(v):
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

// A unit serves from a value on; all values of a kind are given in the unit of size 1.
type unit struct {
	from, size float64
	name       string
}

var (
	times = []unit{{36e6, 3.6e6, "h"}, {600e3, 60e3, "min"}, {10e3, 1e3, "s"}, {0.1, 1, "ms"}, {tiny, 1e-3, "µs"},
		{0, 1, "ms"}}
	durations = []unit{{120e3, 60e3, "min"}, {10e3, 1e3, "s"}, {0, 1, "ms"}}
	rates     = []unit{{0.01, 1, "GB/s"}, {1e-5, 1e-3, "MB/s"}, {tiny, 1e-6, "kB/s"}, {0, 1, "GB/s"}}
)

const tiny = math.SmallestNonzeroFloat64

func inUnits(units []unit, v float64, spell func(float64) string) string {
	for _, u := range units {
		if math.Abs(v) >= u.from && !math.IsInf(v, 0) {
			return spell(v/u.size) + " " + u.name
		}
	}
	return Number(v)
}

// Time spells a time given in milliseconds with four digits, in the unit that needs no zeros: 2.022 µs, 15.28 ms,
// 1264 ms, 66.67 min.
func Time(ms float64) string { return inUnits(times, ms, fourDigits) }

// Rate spells a bandwidth given in GB/s with four digits, in the unit that needs no zeros.
func Rate(gbs float64) string { return inUnits(rates, gbs, fourDigits) }

// Duration spells a time given in milliseconds.
func Duration(ms float64) string { return inUnits(durations, ms, Number) }

// fourDigits has no exponent, but for what no machine does.
func fourDigits(v float64) string {
	if a := math.Abs(v); a >= 999.95 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
