package cli_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/show/present"
)

// What is not proved is no failure, and stands where people and scripts look: in the last line, and beside ok.
func TestNotProvedIsCounted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ring.json")
	must(t, "topology", "ring", "--nodes", "6", "-o", file)
	exact := t.TempDir()
	must(t, "plan", "--nodes", "4", "--exact", "-o", exact)
	for _, name := range []string{file, filepath.Join(exact, "plan.json")} {
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

// A file that is no plan and one whose certificate proves nothing at all cost the others no report.
func TestOneBadFileLosesNoReport(t *testing.T) {
	ring, complete := filepath.Join(t.TempDir(), "ring.json"), filepath.Join(t.TempDir(), "complete.json")
	must(t, "topology", "ring", "--nodes", "6", "-o", ring)
	must(t, "topology", "complete", "--nodes", "4", "-o", complete)
	plan, err := design.ReadPlanFile(complete)
	if err != nil {
		t.Fatal(err)
	}
	plan.WeightsBound = &design.WeightBound{RAsym: 0.5, Certificate: &design.Certificate{Sign: design.NonNegative,
		Orbits: 4, Size: 1, Upper: []design.Column{{Re: make([]float64, 4)}}, Prices: make([]float64, 4)}}
	var b bytes.Buffer
	if err := plan.Write(&b); err != nil {
		t.Fatal(err)
	}
	forged := write(t, "forged.json", b.String())
	bad := write(t, "bad.json", "{")
	for _, tc := range []struct {
		files []string
		exit  int
	}{{[]string{ring, forged, ring}, 1}, {[]string{bad, ring, forged}, 2}, {[]string{ring, bad}, 2}} {
		exit, out, _ := run(t, append([]string{"verify", "--json"}, tc.files...)...)
		var read []present.FindingsJSON
		if err := json.Unmarshal([]byte(out), &read); err != nil {
			t.Fatalf("%v: %v in %q", tc.files, err, out)
		}
		if len(read) != len(tc.files) || exit != tc.exit {
			t.Errorf("%v: %d reports, exit status %d; want %d and %d", tc.files, len(read), exit, len(tc.files), tc.exit)
		}
		for k, r := range read {
			if good := tc.files[k] == ring; r.OK != good || (r.Error != "") != (tc.files[k] == bad) || good && len(r.Findings) == 0 {
				t.Errorf("%s: ok %v, %d findings, error %q", tc.files[k], r.OK, len(r.Findings), r.Error)
			}
		}
		_, text, _ := run(t, append([]string{"verify"}, tc.files...)...)
		if !strings.Contains(text, ring+": ") {
			t.Errorf("%v: nothing about %s in %q", tc.files, ring, text)
		}
	}
}
