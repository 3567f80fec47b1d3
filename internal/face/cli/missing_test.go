package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/format/importer"
)

// A file that is not there is named once, whatever it was to be. All of them would be in one folder.
func TestAMissingFileIsNamedOnce(t *testing.T) {
	folder := t.TempDir()
	missing := filepath.Join(folder, "nowhere")
	ring, gpus := filepath.Join(folder, "ring.json"), "../../../format/importer/testdata/01-8gpu-pix-node-sys-dual-socket.txt"
	must(t, "topology", "ring", "--nodes", "4", "-o", ring)
	plan, described := missing+".json", missing+".yaml"
	commands := [][]string{
		{"plan", described}, {"optimize", described, "--edges", "4"}, {"schedule", described}, {"compare", described},
		{"cluster", "show", described}, {"draw", described, "-o", filepath.Join(folder, "x.svg")},
		{"topology", "ring", "--cluster", described}, {"replan", ring, "--cluster", described},
		{"verify", plan}, {"compare", plan}, {"simulate", plan}, {"train", plan}, {"export", plan, "--format", "npy"},
		{"draw", plan, "-o", filepath.Join(folder, "x.svg")}, {"replan", plan, "--cluster", described},
		{"replan", ring, "--cluster", missing}, {"simulate", ring, "--start", missing}, {"train", ring, "--data", missing},
		{"serve", "--token-file", missing}, {"serve", "--listen", "127.0.0.1:0", "--data", ring},
		{"plan", "--nodes", "4", "-o", filepath.Join(ring, "nowhere")},
		{"import", "--structure", "nvidia-smi:" + missing},
		{"import", "--structure", "nvidia-smi:" + gpus, "--rates", "p2p:" + missing},
		{"import", "--structure", "nvidia-smi:" + gpus, "--links", "nvidia-smi:" + missing},
		{"import", "--structure", "nvidia-smi:" + gpus, "--network", "slurm:" + missing},
	}
	for _, ending := range []string{"", ".json", ".npy", ".csv", ".g6", ".graphml", ".txt"} {
		commands = append(commands, []string{"weights", missing + ending})
	}
	for _, format := range importer.Formats {
		commands = append(commands, []string{"import", format.Name, missing})
	}
	for _, args := range commands {
		code, _, errs := run(t, args...)
		if code != 2 || strings.Count(errs, folder) != 1 {
			t.Errorf("%s: exit %d, want 2 and the file's name once\n%s", strings.Join(args, " "), code, errs)
		}
	}
}
