package cluster

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// quantities lists, for the unit that a field has, what its number is multiplied by where people write another unit
// behind it. A small b is a bit, a large B a byte; k, M, G, T are powers of ten and Ki, Mi, Gi, Ti powers of 1024, as
// network and disk makers have it.
var quantities = map[string]map[string]float64{
	"GB/s":       rates(),
	"ms":         {"s": 1e3, "ms": 1, "us": 1e-3, "µs": 1e-3, "ns": 1e-6},
	"parameters": {"k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12},
	"MB": {"B": 1e-6, "kB": 1e-3, "MB": 1, "GB": 1e3, "TB": 1e6,
		"KiB": 1024e-6, "MiB": 1024 * 1024e-6, "GiB": 1024 * 1024 * 1024e-6},
}

var quantityExamples = map[string]string{
	"GB/s": "12.5, 12.5 GB/s or 100Gb/s", "ms": "0.02, 0.02 ms or 20us", "MB": "90, 90 MB or 90MiB",
	"parameters": "7B, 350M or 7000000000",
}

func rates() map[string]float64 {
	bytes := map[string]float64{"B": 1e-9, "kB": 1e-6, "MB": 1e-3, "GB": 1, "TB": 1e3,
		"KiB": 1024e-9, "MiB": 1024 * 1024e-9, "GiB": 1024 * 1024 * 1024e-9}
	bits := map[string]float64{"b": 1e-9 / 8, "kb": 1e-6 / 8, "Mb": 1e-3 / 8, "Gb": 1. / 8, "Tb": 1e3 / 8}
	all := map[string]float64{"GbE": 1. / 8}
	for name, factor := range bytes {
		all[name+"/s"], all[name+"ps"] = factor, factor
	}
	for name, factor := range bits {
		all[name+"/s"], all[name+"ps"], all[name+"it/s"] = factor, factor, factor
		all[name+"its/sec"] = factor // as iperf3 prints
	}
	return all
}

var withUnit = regexp.MustCompile(
	`^([-+]?(?:0|[1-9][0-9]*)?(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?) ?([A-Za-zµ]+(?:/s(?:ec)?)?)$`)

// ParseRate reads a bandwidth as people write it, such as 100Gb/s or 12.5 GB/s, in GB/s.
func ParseRate(text string) (gbs float64, ok bool) { return inUnit(text, "GB/s") }

// ParseQuantity reads a plain number of the given unit ("GB/s", "ms" or "MB"), or one with another unit behind it, such
// as 100Gb/s, 20us or 90MiB. The caller decides whether the number makes sense.
func ParseQuantity(text, unit string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err == nil {
		return v, nil
	}
	v, ok := inUnit(text, unit)
	if !ok {
		return 0, fmt.Errorf("%q is not %s", text, numberWords(unit))
	}
	return v, nil
}

// inUnit reads a number with another unit behind it.
func inUnit(text, unit string) (float64, bool) {
	parts := withUnit.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	factor, known := quantities[unit][parts[2]]
	v, err := strconv.ParseFloat(parts[1], 64)
	return tidy(v * factor), known && err == nil
}

// tidy drops the rounding of a factor: 940Mb/s are 0.1175 GB/s, and not 0.11750000000000001 in the files made of it.
func tidy(v float64) float64 {
	const digits = 15 // that every float64 holds
	tidied, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil { // of an infinite one
		return v
	}
	return tidied
}

// quantity reads a number of the given unit, or one with a unit of its own behind it; unit is empty where none belongs.
func quantity(n ast.Node, unit string) (float64, bool) {
	if v, ok := number(n); ok {
		return v, true
	}
	text, ok := plainScalar(n)
	if !ok {
		return 0, false
	}
	return inUnit(text, unit)
}

// numberWords says what a number of a unit looks like, for messages.
func numberWords(unit string) string {
	if unit == "" {
		return "a number"
	}
	return "a number, such as " + quantityExamples[unit]
}

// Count writes a number of parameters as people do, such as 7B.
func Count(parameters float64) string {
	for _, unit := range []struct {
		name string
		of   float64
	}{{"T", 1e12}, {"B", 1e9}, {"M", 1e6}, {"k", 1e3}} {
		if parameters >= unit.of {
			return strconv.FormatFloat(parameters/unit.of, 'g', 4, 64) + unit.name
		}
	}
	return strconv.FormatFloat(parameters, 'g', 4, 64)
}
