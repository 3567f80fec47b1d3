package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// results copies the committed result files, since the report is written beside them.
func results(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"table1", "figures", "table2", "ablations", "solver", "training"} {
		data, err := os.ReadFile(filepath.Join("../results", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name+".json"), data, 0o644); err != nil {
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
	if err := write(folder); err != nil {
		t.Fatal(err)
	}
	page := read(t, filepath.Join(folder, "report.md"))
	files := []string{"report.md", "report.html"}
	for _, p := range regexp.MustCompile(`\(<(images/[^>]+)>\)`).FindAllStringSubmatch(page, -1) {
		files = append(files, p[1])
	}
	if pictures := len(files) - 2; pictures != 2*7+3 {
		t.Errorf("%d pictures; two for each of seven kinds of hardware and three more were expected", pictures)
	}
	for _, name := range files {
		if read(t, filepath.Join(folder, name)) != read(t, filepath.Join("../results", name)) {
			t.Errorf("%s differs from the committed one; run make reproduce", name)
		}
	}
	html := read(t, filepath.Join(folder, "report.html"))
	if strings.Contains(html, "src=") || strings.Contains(html, "<link") {
		t.Error("the page needs other files")
	}
}

func TestReportOfNothing(t *testing.T) {
	folder := t.TempDir()
	if err := write(folder); err != nil {
		t.Fatal(err)
	}
	if page := []byte(read(t, filepath.Join(folder, "report.md"))); !bytes.Contains(page, []byte("open")) {
		t.Error("without results sentences should be open")
	}
}
