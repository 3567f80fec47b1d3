package batopo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/batopo/batopo"

// layers lists the packages from the bottom up. A package may import packages of lower
// layers only, so the nouns never depend on an algorithm and no algorithm on a surface.
var layers = [][]string{
	{"internal/ground/workers"},
	{"internal/ground/limits", "internal/ground/outfile", "internal/ground/grace", "internal/ground/minmax",
		"internal/ground/matching", "internal/ground/plainyaml", "internal/ground/steps", "examples"},
	{"topology", "internal/ground/sparse"},
	{"internal/ground/spectral", "mixing/internal/numpyrand"},
	{"mixing"},
	{"cluster"},
	{"internal/collective"},
	{"internal/cost"},
	{"design"},
	{"verify/internal/question", "format/trial"},
	{"verify", "internal/consensus", "internal/train", "format/exporter", "format/importer"},
	{"internal/solve/feasible"},
	{"internal/solve/weights/internal/matrix"},
	{"internal/solve/bound", "internal/solve/weights", "internal/solve/placement", "internal/solve/scenario"},
	{"internal/solve/admm", "internal/solve/schedules"},
	{"internal/solve/search"},
	{"internal/choose/sweep", "internal/choose/subset", "internal/choose/adamw", "internal/choose/correct",
		"internal/choose/gpu"},
	{"internal/choose/advise"},
	{"internal/choose/replan"},
	{"internal/show/report"},
	{"internal/show/launch"},
	{"internal/show/present"},
	{"."}, // the root package: the way to ask all of the above
	{"internal/face/server/jobs"},
	{"internal/face/server/work"},
	{"internal/face/server"},
	{"internal/face/cli"},
	{"cmd/batopo"},
}

// unseen lists what a package must not import although it lies below: the checker sees no solver.
var unseen = map[string][]string{"verify": {"internal/collective", "internal/cost"}}

// unsaid lists what a package must not call although it imports where it stands: how a search counts candidates, sets
// limits, adds up loads and prices rounds is rechecked by other code, or a mistake there would hide here.
var unsaid = map[string][]string{"verify": {"Most", "Over", "ResourceLimits", "DegreeLimits", "Load", "NewLoad",
	"Passage", "Shares", "Spectrum", "Exact", "Iterations"}}

// listed is what the rules say about a package or about one that it is a part of.
func listed(rules map[string][]string, pkg string) (names []string) {
	for owner, list := range rules {
		if pkg == owner || strings.HasPrefix(pkg, owner+"/") {
			names = append(names, list...)
		}
	}
	return names
}

func layerOf(pkg string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, pkg) })
}

// eachFile calls look with every Go file outside tests.
func eachFile(look func(path string) error) error {
	return filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		return look(path)
	})
}

func TestPackagesImportOnlyLowerLayers(t *testing.T) {
	err := eachFile(func(path string) error {
		pkg := filepath.ToSlash(filepath.Dir(path))
		if strings.HasPrefix(pkg, "experiments/") {
			return nil
		}
		here := layerOf(pkg)
		if here < 0 {
			t.Errorf("%s: package %s has no layer; give it one in layers_test.go", path, pkg)
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			imported, ours := strings.CutPrefix(name, module+"/")
			if name == module {
				imported, ours = ".", true
			}
			if ours && (layerOf(imported) >= here || slices.Contains(listed(unseen, pkg), imported)) {
				t.Errorf("%s imports %s, which is not below %s", path, imported, pkg)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Goroutines are started where a panic in them is caught or ends a command of its own: one that nobody catches would end
// a server with all its jobs.
func TestGoroutinesAreStartedWherePanicsAreCaught(t *testing.T) {
	caught := []string{"internal/ground/workers/workers.go", "internal/ground/grace/await.go", "internal/train/crew.go",
		"internal/face/server/server.go", "internal/face/server/jobs/queue.go", "internal/face/cli/interrupt.go"}
	err := eachFile(func(path string) error {
		if slices.Contains(caught, filepath.ToSlash(path)) || strings.HasPrefix(filepath.ToSlash(path), "experiments/") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, isCall := n.(*ast.CallExpr)
			_, starts := n.(*ast.GoStmt)
			if isCall {
				method, ok := call.Fun.(*ast.SelectorExpr)
				starts = ok && method.Sel.Name == "Go"
			}
			if starts {
				t.Errorf("%s starts a goroutine; let internal/ground/workers do it, which catches panics", files.Position(n.Pos()))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheCheckerCountsForItself(t *testing.T) {
	err := eachFile(func(path string) error {
		names := listed(unsaid, filepath.ToSlash(filepath.Dir(path)))
		if names == nil {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if what, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains(names, what.Sel.Name) {
				t.Errorf("%s calls %s, which the search relies on too", set.Position(n.Pos()), what.Sel.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The picture in ARCHITECTURE.md, from the top down, has every package and puts none above one that imports it. Parts
// of a package stand below it, after "…".
func TestTheArchitectureHasTheSameOrder(t *testing.T) {
	page, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	const names = 30 // columns, before what each is for
	_, picture, _ := strings.Cut(string(page), "## Layers\n\n```\n")
	picture, _, _ = strings.Cut(picture, "```")
	drawn := map[string]bool{}
	above, upper, whole := len(layers), "", ""
	for line := range strings.Lines(picture) {
		folder := ""
		for name := range strings.FieldsFuncSeq(line[:names], func(r rune) bool { return r == ' ' || r == ',' }) {
			switch {
			case name == "(the" || name == "root)":
				continue
			case name == "batopo":
				name = "."
			case strings.HasPrefix(name, "…"):
				name = whole + strings.TrimPrefix(name, "…")
			case strings.HasPrefix(name, "internal/"):
				folder, whole = "internal/", name
			default:
				name = folder + name
				whole = name
			}
			layer := layerOf(name)
			if layer < 0 || layer > above {
				t.Errorf("%s stands below %s; layers_test.go has it elsewhere", name, upper)
			}
			drawn[name], above, upper = true, max(layer, 0), name
		}
	}
	for _, layer := range layers {
		for _, name := range layer {
			if !drawn[name] {
				t.Errorf("%s is missing in the picture", name)
			}
		}
	}
}
