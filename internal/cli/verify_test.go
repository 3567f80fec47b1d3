package cli_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/present"
)

// What is not proved is no failure, and stands where people and scripts look: in the last line, and beside ok.
func TestNotProvedIsCounted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ring.json")
	must(t, "topology", "ring", "--nodes", "6", "-o", file)
	plan, err := design.ReadPlanFile(file)
	if err != nil {
		t.Fatal(err)
	}
	plan.Rounds[0].Part = 0.5
	plan.Hash = plan.ComputeHash()
	var b bytes.Buffer
	if err := plan.Write(&b); err != nil {
		t.Fatal(err)
	}
	part := write(t, "part.json", b.String())
	for _, name := range []string{file, part} {
		var read []present.FindingsJSON
		if err := json.Unmarshal([]byte(must(t, "verify", name, "--json")), &read); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(must(t, "verify", name)), "\n")
		unproved := strings.Count(strings.Join(lines, "\n"), "\n  unproved ")
		if got := read[0]; !got.OK || got.NotProved == 0 || got.NotProved != unproved {
			t.Errorf("%s: ok %v and %d not proved; %d are listed", name, got.OK, got.NotProved, unproved)
		}
		if last := lines[len(lines)-1]; !strings.Contains(last, "0 are false, ") || !strings.HasSuffix(last, "not proved") {
			t.Errorf("the last line is %q", last)
		}
	}
}
