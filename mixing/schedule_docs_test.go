package mixing_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/batopo/batopo/mixing"
)

// TestDocumentedBaseLengths holds every row of the table in docs/research/schedules.md.
func TestDocumentedBaseLengths(t *testing.T) {
	page, err := os.ReadFile("../docs/research/schedules.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| (\d+) \|(.*)\|$`).FindAllStringSubmatch(string(page), -1)
	if len(rows) < 15 {
		t.Fatalf("%d rows found in the table of docs/research/schedules.md; did its form change?", len(rows))
	}
	for _, row := range rows {
		n, _ := strconv.Atoi(row[1])
		for k, cell := range strings.Split(row[2], "|") {
			cell = strings.TrimSpace(cell)
			if cell == "–" {
				continue
			}
			s, err := mixing.Base(n, k+1)
			if err != nil {
				t.Fatal(err)
			}
			if got := strconv.Itoa(len(s.Rounds)); got != cell {
				t.Errorf("docs/research/schedules.md says %s rounds for n = %d, k = %d; Base has %s", cell, n, k+1, got)
			}
		}
	}
}

// TestDocumentedSchedules checks that the page names every schedule.
func TestDocumentedSchedules(t *testing.T) {
	page, err := os.ReadFile("../docs/research/schedules.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range mixing.Schedules {
		if !strings.Contains(string(page), "\n| `"+f.Name+"`") {
			t.Errorf("docs/research/schedules.md has no row for %s", f.Name)
		}
	}
}
