package batopo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/batopo/batopo"
)

const (
	mostLines = 60  // of a function: it fits on a screen
	mostWidth = 120 // characters of a line
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

// The budget holds the totals, so that growth does not move next door: what is added pays with what it replaces.
// Lower a number with every deletion.
var budget = []struct {
	what   string
	most   int
	folder string
	counts func(path string) bool
	size   func(text string) int
}{
	{"lines of Go outside tests and experiments", 69_650, ".", productGo, linesOf},
	{"lines of the Python package", 7_620, "python/batopo", endsIn(".py"), linesOf},
	{"lines of the page", 3_000, "internal/face/server/page", ownPage, linesOf},
	{"words of documentation", 65_000, "docs", written, func(text string) int { return len(strings.Fields(text)) }},
}

func linesOf(text string) int { return strings.Count(text, "\n") }

func endsIn(ending string) func(string) bool {
	return func(path string) bool { return strings.HasSuffix(path, ending) }
}

func productGo(path string) bool {
	return endsIn(".go")(path) && !endsIn("_test.go")(path) && !strings.HasPrefix(path, "experiments/") &&
		!strings.Contains(path, "/testdata/")
}

// ownPage leaves out the library that draws curves.
func ownPage(path string) bool {
	return !strings.Contains(path, "/uplot/") && slices.Contains([]string{".js", ".css", ".html"}, filepath.Ext(path))
}

// written leaves out pages that are made from the program.
func written(path string) bool {
	return endsIn(".md")(path) && path != "docs/commands.md" && path != "docs/fields.md"
}

// A newcomer reads all of Options before the first question, so what belongs together is one field.
func TestOptionsStayReadable(t *testing.T) {
	const most = 32
	if n := reflect.TypeFor[batopo.Options]().NumField(); n > most {
		t.Errorf("Options has %d fields; the most is %d: group them, as Paper does", n, most)
	}
}

func TestTheBudgetIsKept(t *testing.T) {
	for _, b := range budget {
		total := 0
		err := filepath.WalkDir(b.folder, func(path string, d fs.DirEntry, err error) error {
			path = filepath.ToSlash(path)
			switch {
			case err != nil:
				return err
			case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != ".":
				return filepath.SkipDir
			case d.IsDir() || !b.counts(path):
				return nil
			}
			text, err := os.ReadFile(path)
			total += b.size(string(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if total > b.most || total < b.most/2 {
			t.Errorf("%s: %d; the budget is %d: what is added must replace something", b.what, total, b.most)
		}
		t.Logf("%s: %d of %d", b.what, total, b.most)
	}
}
