//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hang is more than any command may take from Ctrl-C to its end, on a machine that is busy with other tests: the aim is
// a second, and three where work cannot be interrupted.
const hang = 10 * time.Second

// Every command that computes ends in time with the largest inputs, whenever it is stopped: with an answer, or with
// the word that it was stopped, but never with the claim that there is none.
func TestEveryCommandEndsInTime(t *testing.T) {
	program, dir := binary(t), t.TempDir()
	path, ring := filepath.Join(dir, "path.json"), filepath.Join(dir, "ring.edges")
	tree, equal := filepath.Join(dir, "tree.yaml"), filepath.Join(dir, "equal.yaml")
	must(t, "topology", "path", "--nodes", "2000", "-o", path)
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(ring, "60000\n"+ringLines(60000))
	write(tree, "format: batopo.cluster/v2\n"+
		"tree: {groups: [{name: rack, count: 32, nodes: 32, link: 10, uplink: 40}]}\n")
	write(equal, "format: batopo.cluster/v2\nnodes: 2000\nbandwidth: 5\n")
	moments := []time.Duration{100 * time.Millisecond, time.Second, 3 * time.Second}
	if testing.Short() {
		moments = moments[1:2]
	}
	for _, command := range []string{
		"plan --nodes 4096", "plan --nodes 131072", "plan --nodes 256 --search", "plan " + tree, "plan " + tree + " --exact",
		"plan " + tree + " --balance", "plan " + tree + " --every 8",
		"plan " + tree + " --static", "optimize --nodes 131072 --edges 500000", "optimize " + tree + " --edges 3000",
		"optimize --nodes 128 --edges 300 --method admm", "optimize --nodes 128 --edges 300 --method paper",
		"weights " + ring, "compare --nodes 131072", "compare " + tree, "schedule --nodes 1024", "simulate " + path,
		"verify " + path, "replan " + path + " --cluster " + equal, "cluster show " + tree + " --edges 3000",
		"topology random-regular --nodes 131072", "draw " + path + " -o " + filepath.Join(dir, "path.svg"),
		"export " + path + " --format npy -o " + filepath.Join(dir, "path.npy"), "train --nodes 64 --batch 9892",
	} {
		for _, moment := range moments {
			got := started(t, program, moment, syscall.SIGINT, strings.Fields(command)...)
			said := got.stdout + got.errs
			if got.took > hang || got.code == 2 || strings.Contains(said, "goroutine ") ||
				strings.Contains(said, "no graph keeps") {
				t.Errorf("batopo %s, stopped after %v: exit %d %v later\n%s", command, moment, got.code, got.took, said)
			}
			t.Logf("%6.2f s  exit %d  after %v: %s", got.took.Seconds(), got.code, moment, filepath.Base(command))
		}
	}
}
