package cli_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/face/cli"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what commands print into the pages, and rewrite the reference pages")

// pages show what commands print in blocks called console: lines with $ are commands, the rest is what they print. A
// block of yaml whose first line is a comment with the name of a file is that file.
var pages = []string{"README.md", "docs/tutorial.md", "docs/recipes.md", "docs/paper.md",
	"docs/understanding/method.md", "docs/understanding/collectives.md", "docs/understanding/advice.md", "docs/trial.md"}

// pageWidth is where pages break lines of words; lines of tables stay whole.
const pageWidth = 115

var (
	fenced    = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")
	picture   = regexp.MustCompile(`]\((?:docs/|\.\./)?images/([\w-]+\.svg)\)`)
	namedFile = regexp.MustCompile(`^# (\w+\.yaml)\n`)
)

// What the pages show is what the program prints. Commands of a page run in one folder, in order.
func TestPagesShowRealOutput(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Dir(binary(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	shown := pages
	if testing.Short() {
		shown = pages[:1] // the README; make deep runs all
	}
	for _, page := range shown {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(root, page))
			if err != nil {
				t.Fatal(err)
			}
			folder := t.TempDir()
			for _, name := range []string{"examples", "format"} {
				if err := os.Symlink(filepath.Join(root, name), filepath.Join(folder, name)); err != nil {
					t.Fatal(err)
				}
			}
			ran := 0
			real := fenced.ReplaceAllStringFunc(string(text), func(block string) string {
				parts := fenced.FindStringSubmatch(block)
				if name := namedFile.FindStringSubmatch(parts[2]); name != nil && parts[1] == "yaml" {
					if err := os.WriteFile(filepath.Join(folder, name[1]), []byte(parts[2]), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if parts[1] != "console" {
					return block
				}
				ran++
				return "```console\n" + replay(t, folder, path, parts[2]) + "```"
			})
			if ran == 0 {
				t.Error("the page shows no output")
			}
			for _, found := range picture.FindAllStringSubmatch(string(text), -1) {
				compareFiles(t, filepath.Join(root, "docs/images", found[1]), filepath.Join(folder, found[1]))
			}
			if *update {
				if err := os.WriteFile(filepath.Join(root, page), []byte(real), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(real, string(text)); diff != "" {
				t.Errorf("%s differs from the program; go test ./internal/face/cli -run Pages -update rewrites it "+
					"(-printed +shown):\n%s", page, diff)
			}
		})
	}
}

// compareFiles holds a committed picture against the one that a command of the page has just made, if one did.
func compareFiles(t *testing.T, committed, made string) {
	t.Helper()
	now, err := os.ReadFile(made)
	if os.IsNotExist(err) {
		return // made by another page, or shown only
	} else if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(committed, now, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if then, err := os.ReadFile(committed); err != nil || !bytes.Equal(then, now) {
		t.Errorf("%s is not what the page's command draws (%v); go test ./internal/face/cli -run Pages -update", committed, err)
	}
}

// replay runs the commands of a block and returns the block with what they print now.
func replay(t *testing.T, folder, path, block string) string {
	t.Helper()
	var real strings.Builder
	for _, part := range strings.Split("\n"+strings.TrimSuffix(block, "\n"), "\n$ ")[1:] {
		command, shown, _ := strings.Cut(part, "\n")
		c := exec.Command("sh", "-c", command)
		c.Dir, c.Env = folder, append(os.Environ(), "PATH="+path)
		var out, errs bytes.Buffer
		c.Stdout, c.Stderr = &out, &errs
		if err := c.Run(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, errs.String())
		}
		real.WriteString("$ " + command + "\n" + elided(cli.Folded(out.String(), pageWidth), shown))
	}
	return real.String()
}

// elided leaves out of what was printed what is left out of what is shown: the lines in the place of “…”.
func elided(printed, shown string) string {
	before, after, cut := strings.Cut("\n"+shown+"\n", "\n…\n")
	if !cut {
		return printed
	}
	lines := strings.SplitAfter(strings.TrimSuffix(printed, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	first, last := strings.Count(before, "\n"), strings.Count(after, "\n")
	if first+last >= len(lines) {
		return printed
	}
	return strings.Join(lines[:first], "") + "…\n" + strings.Join(lines[len(lines)-last:], "")
}
