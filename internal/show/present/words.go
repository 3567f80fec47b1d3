package present

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// WriteJSON writes v as indented JSON.
func WriteJSON(w io.Writer, v any) error { return writeJSON(w, v, "  ") }

// writeJSON writes v in one piece, on one line without an indent.
func writeJSON(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", indent)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// said leaves out texts that say nothing.
func said(texts []string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// Count is a number of things in words: 1 edge, 2 edges.
func Count(n int, thing string) string { return inflected(n, thing, thing+"s") }

// inflected is a number with the words that go with one and with any other number.
func inflected(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// fixed prints v with this many decimals; what is printed as zero has no sign.
func fixed(v float64, decimals int) string {
	if math.Abs(v) >= 1e15 {
		return strconv.FormatFloat(v, 'g', 4, 64) // a long row of digits is hard to read
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// inColumn prints a time in a column of a table: fixed decimals, more digits where those would show nothing but zeros,
// and none where there are six digits before the point.
func inColumn(v float64, decimals int) string {
	switch a := math.Abs(v); {
	case a > 0 && a < 0.1:
		return short(v)
	case a >= 1e5:
		return fixed(v, 0)
	}
	return fixed(v, decimals)
}

// short spells v with four digits, or all digits before the point where there are more; no exponents for what machines
// do.
func short(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1000 && a < 1e15:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 1e-9 && a < 1e-4:
		digits := strconv.FormatFloat(v, 'f', 3-int(math.Floor(math.Log10(a))), 64)
		return strings.TrimRight(digits, "0")
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
