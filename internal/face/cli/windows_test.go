package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Editors and spreadsheets of Windows put a byte order mark before a file and end lines with a carriage return; some
// save UTF-16. Every file that a user hands over is read as if it had been saved elsewhere, or refused by name.
func TestFilesSavedOnWindows(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"c.yaml":  "format: batopo.cluster/v1\nnodes: 4\nbandwidth: 12.5\n",
		"g.edges": "4\n0 1\n1 2\n2 3\n",
		"g.csv":   "0,1,0,1\n1,0,1,0\n0,1,0,1\n1,0,1,0\n",
		"g.g6":    "Cl\n",
		"g.graphml": `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">` + "\n" +
			`<graph id="g" edgedefault="undirected"><node id="0"/><node id="1"/><node id="2"/>` + "\n" +
			`<edge source="0" target="1"/><edge source="1" target="2"/></graph></graphml>` + "\n",
		"rates.csv":  "0,2,4\n1,0,8\n5,10,0\n",
		"start.txt":  "1\n2\n3\n4\n",
		"nodes.conf": "SwitchName=s0 Nodes=a,b,c\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	must(t, "topology", "ring", "--nodes", "4", "-o", "p.json")
	for _, command := range []string{
		"cluster show c.yaml", "plan c.yaml --static --quiet", "weights g.edges", "weights g.csv", "weights g.g6",
		"weights g.graphml", "import csv rates.csv", "import slurm nodes.conf", "verify p.json",
		"simulate p.json --start start.txt --quiet",
	} {
		args := strings.Fields(command)
		want := must(t, args...)
		var file string
		for _, word := range args {
			if strings.Contains(word, ".") {
				file = word
			}
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for saved, text := range map[string]string{
			"UTF-8":  "\ufeff" + strings.ReplaceAll(string(source), "\n", "\r\n"),
			"UTF-16": "\xff\xfe" + strings.Join(strings.Split(string(source), ""), "\x00") + "\x00",
		} {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			code, out, errs := run(t, args...)
			if saved == "UTF-8" && (code != 0 || out != want) {
				t.Errorf("%s of a file with a byte order mark: exit %d\n%s%swant\n%s", command, code, out, errs, want)
			}
			if saved == "UTF-16" && (code != 2 || !strings.Contains(errs, file+": ") ||
				!strings.Contains(errs, "is UTF-16 text; save it as UTF-8")) {
				t.Errorf("%s of a file in UTF-16: exit %d\n%s%s", command, code, out, errs)
			}
		}
		if err := os.WriteFile(file, source, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
