package importer

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/batopo/batopo/internal/limits"
)

// CSV reads a matrix of rates in GB/s, one row per sender; commas, semicolons, tabs or spaces separate, # begins a
// comment. A first row and a first column may hold names.
func CSV(r io.Reader) (*Description, error) {
	source, err := limits.ReadAll(r, limits.ImportBytes, "a matrix")
	if err != nil {
		return nil, err
	}
	var rows [][]float64
	var header, names []string
	for k, line := range strings.Split(string(source), "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		cells := separated(line)
		if header == nil && rows == nil && anyName(cells) {
			header = cells
			continue
		}
		if isName(cells[0]) && !isMissing(cells[0]) {
			names = append(names, cells[0])
			cells = cells[1:]
		}
		if len(rows) == limits.MatrixNodes {
			return nil, fmt.Errorf("importer: more than %d rows, which is more than a matrix of pairs may have",
				limits.MatrixNodes)
		}
		row := make([]float64, len(cells))
		for j, text := range cells {
			if row[j], err = cell(text, k+1, len(rows), j); err != nil {
				return nil, err
			}
		}
		rows = append(rows, row)
	}
	if header != nil && len(header) == len(rows)+1 {
		header = header[1:]
	}
	if names == nil && len(header) == len(rows) {
		names = header
	}
	if names != nil && len(names) != len(rows) {
		return nil, fmt.Errorf("importer: %d of %d rows begin with a name; all must, or none", len(names), len(rows))
	}
	return measured(rows, names, 1)
}

// separated splits a line at the first of , ; tab that it has, else at spaces.
func separated(line string) []string {
	for _, by := range []string{",", ";", "\t"} {
		if strings.Contains(line, by) {
			cells := strings.Split(strings.TrimRight(line, "\r "), by)
			for k, c := range cells {
				cells[k] = strings.Trim(strings.TrimSpace(c), `"`)
			}
			return cells
		}
	}
	return strings.Fields(line)
}

func anyName(cells []string) bool {
	for _, c := range cells {
		if isName(c) && !isMissing(c) {
			return len(cells) < 2 || isName(cells[len(cells)-1]) && !isMissing(cells[len(cells)-1])
		}
	}
	return false
}

// isName reports whether a cell begins with a letter, as no number does.
func isName(c string) bool {
	first, _ := utf8.DecodeRuneInString(c)
	return unicode.IsLetter(first)
}

func isMissing(c string) bool {
	switch strings.ToLower(c) {
	case "n/a", "na", "nan", "x":
		return true
	}
	return false
}
