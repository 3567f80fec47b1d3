package batopo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	mostLines = 60   // of a function: it fits on a screen
	mostWidth = 120  // characters of a line
	mostCode  = 4000 // lines of a package outside tests: more know more than one thing
)

// Tables and what commands print may be wider.
func TestDocsFitOnAScreen(t *testing.T) {
	for _, path := range glob(t, "docs/*.md", "docs/*/*.md", "*.md") {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		block := false
		for k, line := range strings.Split(string(page), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				block = !block
			}
			if n := utf8.RuneCountInString(line); n > mostWidth && !block && !strings.HasPrefix(line, "|") {
				t.Errorf("%s:%d has %d characters; the most is %d", path, k+1, n, mostWidth)
			}
		}
	}
}

func TestCodeFitsOnAScreen(t *testing.T) {
	seen := 0
	err := eachFile(func(path string) error {
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		seen++
		for k, line := range strings.Split(string(source), "\n") {
			if n := utf8.RuneCountInString(line); n > mostWidth {
				t.Errorf("%s:%d has %d characters; the most is %d", path, k+1, n, mostWidth)
			}
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			first, last := files.Position(f.Pos()).Line, files.Position(f.End()).Line
			if n := last - first + 1; n > mostLines {
				t.Errorf("%s:%d: %s has %d lines; the most is %d", path, first, f.Name.Name, n, mostLines)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 200 {
		t.Errorf("only %d files were read", seen)
	}
}

func TestPackagesAreSmall(t *testing.T) {
	lines := map[string]int{}
	err := eachFile(func(path string) error {
		source, err := os.ReadFile(path)
		lines[filepath.ToSlash(filepath.Dir(path))] += strings.Count(string(source), "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg, n := range lines {
		if n > mostCode {
			t.Errorf("package %s has %d lines outside tests; the most is %d: cut it along what it knows", pkg, n, mostCode)
		}
	}
	if len(lines) < 30 {
		t.Errorf("only %d packages were read", len(lines))
	}
}
