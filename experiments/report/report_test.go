package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"batopo/experiments/internal/ledger"
)

// results copies the committed result files, since the report is written beside them.
func results(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"table1", "figures", "table2", "ablations"} {
		data, err := os.ReadFile(filepath.Join("../results", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := ledger.WriteFile(filepath.Join(folder, name+".json"), data); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The committed report is what the committed results give: nobody edited it, nobody forgot it.
func TestCommittedReportIsUpToDate(t *testing.T) {
	folder := results(t)
	if err := write("../..", folder); err != nil {
		t.Fatal(err)
	}
	page := read(t, filepath.Join(folder, "report.md"))
	if page != read(t, "../results/report.md") {
		t.Error("report.md differs from the committed one; run make reproduce")
	}
	pictures := regexp.MustCompile(`\(<(images/[^>]+)>\)`).FindAllStringSubmatch(page, -1)
	if len(pictures) < 10 {
		t.Errorf("%d pictures; two per kind of hardware and three more were expected", len(pictures))
	}
	for _, p := range pictures {
		if read(t, filepath.Join(folder, p[1])) == "" || read(t, filepath.Join("../results", p[1])) == "" {
			t.Errorf("%s is empty", p[1])
		}
	}
	if html := read(t, filepath.Join(folder, "report.html")); strings.Contains(html, "src=") || strings.Contains(html, "<link") {
		t.Error("the page needs other files")
	}
}

func TestReportOfNothing(t *testing.T) {
	folder := t.TempDir()
	if err := write("../..", folder); err != nil {
		t.Fatal(err)
	}
	if page := []byte(read(t, filepath.Join(folder, "report.md"))); !bytes.Contains(page, []byte("open")) {
		t.Error("without results sentences should be open")
	}
}

func TestFraction(t *testing.T) {
	for _, tc := range []struct {
		b    float64
		want string
	}{{1, "1"}, {0.25, "1/4"}, {2. / 3, "2/3"}, {1.5, "3/2"}, {0.976 / 4.88, "1/5"}, {1.625 / 3.25, "1/2"}} {
		if got := fraction(tc.b); got != tc.want {
			t.Errorf("%v is spelled %s, want %s", tc.b, got, tc.want)
		}
	}
}
