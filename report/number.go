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

// Time spells a time given in milliseconds with four digits, in the unit that needs no zeros: 2.022 µs, 15.28 ms,
// 1264 ms, 66.67 min.
func Time(ms float64) string {
	a := math.Abs(ms)
	switch {
	case math.IsNaN(ms) || math.IsInf(ms, 0):
		return Number(ms)
	case a > 0 && a < 0.1:
		return fourDigits(ms*1000) + " µs"
	case a >= 36_000_000:
		return fourDigits(ms/3_600_000) + " h"
	case a >= 600_000:
		return fourDigits(ms/60_000) + " min"
	case a >= 10_000:
		return fourDigits(ms/1000) + " s"
	}
	return fourDigits(ms) + " ms"
}

// Rate spells a bandwidth given in GB/s with four digits, in the unit that needs no zeros.
func Rate(gbs float64) string {
	a := math.Abs(gbs)
	switch {
	case a > 0 && a < 1e-5:
		return fourDigits(gbs*1e6) + " kB/s"
	case a > 0 && a < 0.01:
		return fourDigits(gbs*1000) + " MB/s"
	}
	return fourDigits(gbs) + " GB/s"
}

// fourDigits has no exponent, but for what no machine does.
func fourDigits(v float64) string {
	if a := math.Abs(v); a >= 999.95 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
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
