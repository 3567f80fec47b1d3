package importer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/batopo/batopo/internal/ground/limits"
)

// readCSV reads a matrix of rates in GB/s, one row per sender; commas, semicolons, tabs or spaces separate, # begins a
// comment. A first row and a first column may hold names.
func readCSV(source []byte) (*Description, error) {
	var rows [][]float64
	var plain []float64 // rates without a unit
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
			var err error
			if row[j], err = cell(text, k+1, len(rows), j); err != nil {
				return nil, err
			}
			if _, err := strconv.ParseFloat(text, 64); err == nil && row[j] > 0 && j != len(rows) {
				plain = append(plain, row[j])
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
	if err := sameOrder(names, header); err != nil {
		return nil, err
	}
	d, err := measured(rows, names, 1)
	if err != nil {
		return nil, err
	}
	if len(plain) > 0 {
		d.assume("numbers without a unit are GB/s; a unit may follow, as in 940Mb/s")
		d.doubt(plain)
	}
	d.sayRegions()
	return d, nil
}

// sameOrder refuses columns that name the nodes in another order than rows: whose rates they are would be a guess.
func sameOrder(rows, columns []string) error {
	if len(rows) != len(columns) {
		return nil // not both name the nodes
	}
	for k := range rows {
		if rows[k] != columns[k] {
			return fmt.Errorf("importer: row %d is %q and column %d %q; both must name the nodes in the same order",
				k, shorten(rows[k]), k, shorten(columns[k]))
		}
	}
	return nil
}

// doubt warns of rates without a unit that are more than links have. They are taken as GB/s all the same.
func (d *Description) doubt(plain []float64) {
	const most = 500 // GB/s: only NVLink between the newest GPUs has more, and a warning costs little
	slices.Sort(plain)
	if plain[len(plain)/2] <= most {
		return
	}
	d.warn("rates without a unit were read as GB/s, and half of them are %v or more; are they Mbit/s, as iperf3 prints? "+
		"Write the unit into the cells, as in 9400Mb/s or 1.2GB/s", plain[len(plain)/2])
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
