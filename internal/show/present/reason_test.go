package present

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every package whose errors begin with its name is known, and no other word is taken for one.
func TestErrorPackagesAreKnown(t *testing.T) {
	found := map[string]bool{}
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "experiments" || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				value, err := strconv.Unquote(text.Value)
				found[file.Name.Name] = found[file.Name.Name] || err == nil && strings.HasPrefix(value, file.Name.Name+": ")
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, prefixed := range found {
		if known := slices.Contains(errorPackages, name); known != prefixed {
			t.Errorf("errors of package %s begin with its name: %v; among errorPackages: %v", name, prefixed, known)
		}
	}
	for _, name := range errorPackages {
		if !found[name] {
			t.Errorf("there is no package %s whose errors begin with its name", name)
		}
	}
}
