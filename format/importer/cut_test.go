package importer_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/format/importer"
)

// Every fixture is cut at each tenth, and before and behind each end of a line. A reader refuses what is left, or reads
// all that the whole file says, or warns. A topology.conf without a switch above the others has neither an end nor a
// count: whole lines of it are a topology.conf too, and import prints how many nodes it read.
func TestFilesCutShort(t *testing.T) {
	refused, harmless, silent := 0, 0, map[string]int{}
	for _, kind := range fixtures {
		files, err := filepath.Glob(filepath.Join("testdata", kind.files))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s", kind.files)
		}
		f, err := importer.Find(kind.format)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := readFile(t, kind.format, file)
			for _, at := range cuts(source) {
				got, err := f.Read(bytes.NewReader(source[:at]))
				switch {
				case err != nil:
					refused++
				case reflect.DeepEqual(got, want), len(got.Warnings) > len(want.Warnings):
					harmless++
				case kind.format == "slurm" && source[at-1] == '\n':
					silent[kind.format]++
				default:
					t.Errorf("%s cut to %d of %d bytes, behind %q, was read as something else without a word",
						file, at, len(source), source[max(0, at-20):at])
				}
			}
		}
	}
	if refused == 0 || harmless == 0 {
		t.Errorf("%d files refused, %d as good as whole: nothing was cut", refused, harmless)
	}
	t.Logf("%d refused, %d as good as whole or warned of, of formats without an end: %v", refused, harmless, silent)
}

// cuts are places to cut a file at, the end not among them.
func cuts(source []byte) (at []int) {
	for tenth := 1; tenth < 10; tenth++ {
		at = append(at, tenth*len(source)/10)
	}
	for k, c := range source {
		if c == '\n' {
			at = append(at, k, k+1)
		}
	}
	slices.Sort(at)
	return slices.DeleteFunc(slices.Compact(at), func(k int) bool { return k < 1 || k >= len(source) })
}

// Lines that continue, saved on either system, and the number of the line that an error names.
func TestSlurmContinuations(t *testing.T) {
	const conf = "SwitchName=top \\\n  Switches=leaf[1-2]\nSwitchName=leaf1 Nodes=a[1-2],\\\nb1\nSwitchName=leaf2 Nodes=c1\n"
	unix, err := read("slurm", strings.NewReader(conf))
	if err != nil || !slices.Equal(unix.Names, []string{"a1", "a2", "b1", "c1"}) {
		t.Fatalf("%v: %+v, want a1, a2, b1 and c1", err, unix)
	}
	windows, err := read("slurm", strings.NewReader(strings.ReplaceAll(conf, "\n", "\r\n")))
	if err != nil || !reflect.DeepEqual(windows, unix) {
		t.Errorf("saved on Windows: %+v, %v; want %+v", windows, err, unix)
	}
	for text, want := range map[string]string{
		"SwitchName=a \\\nNodes=n[1-2]\nSwitchName=b Nodes=m[3-1]\n": "line 3: the range",
		"SwitchName=a \\\n\\\nNodes=n[3-1]\n":                        "line 1: the range",
		"SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=m[1-2] \\":    "line 2 has no line break at its end",
		"SwitchName=a Nodes=n[1-2]\nSwitchName=b\n":                  "the switch b has neither nodes nor switches",
		"SwitchName=a Nodes=node1,nod":                               "line 1 has no line break at its end; was the file cut?",
	} {
		if _, err := read("slurm", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %q", text, err, want)
		}
	}
}
