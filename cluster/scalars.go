package cluster

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Decimal numbers as everybody reads them; in YAML 012 is 10 to some and 12 to others.
var (
	wholeNumber   = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	decimalNumber = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][-+]?[0-9]+)?$`)
)

// whole reads a whole number.
func whole(n ast.Node) (int64, bool) {
	text, ok := plainScalar(n)
	if !ok || !wholeNumber.MatchString(text) {
		return 0, false
	}
	v, err := strconv.ParseInt(text, 10, 64)
	return v, err == nil
}

// number reads a number. What is too large for one becomes infinite, so that the span of the field is what is
// complained about.
func number(n ast.Node) (float64, bool) {
	text, ok := plainScalar(n)
	switch {
	case !ok:
		return 0, false
	case n.Type() == ast.NanType:
		return math.NaN(), true
	case n.Type() == ast.InfinityType:
		if strings.HasPrefix(text, "-") {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	case !decimalNumber.MatchString(text) || !strings.ContainsAny(text, "0123456789"):
		return 0, false
	}
	v, _ := strconv.ParseFloat(text, 64)
	return v, true
}
