package work

import (
	"context"
	"os"
	"testing"

	"github.com/batopo/batopo/design"
)

// A stopped job is not held up by its picture, and one that goes on has it.
func TestStoppedJobsLeaveThePictureOut(t *testing.T) {
	f, err := os.Open("../../../../design/testdata/static.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plan, err := design.ReadPlan("static.json", f)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if files := graphFile(ended, plan); len(files) != 0 {
		t.Errorf("%d files after the end", len(files))
	}
	if files := graphFile(t.Context(), plan); len(files) != 1 {
		t.Errorf("%d files, want the picture", len(files))
	}
}
