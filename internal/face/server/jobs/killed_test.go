package jobs_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/ground/outfile"
)

// The children of this test are the test program itself.
const childFolder = "BATOPO_TEST_JOBS"

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		writeForever(folder)
	}
	os.Exit(m.Run())
}

// bulky writes results of some size in several files.
func bulky(_ context.Context, _ string, request json.RawMessage, _ *jobs.Feed) ([]outfile.File, error) {
	var files []outfile.File
	for k := range 3 {
		files = append(files, outfile.File{Name: fmt.Sprintf("part%d", k), Write: func(w io.Writer) error {
			_, err := io.WriteString(w, strings.Repeat(string(request)+"\n", 5000))
			return err
		}})
	}
	return files, nil
}

// writeForever runs one job after the other, and names each once it is called done.
func writeForever(folder string) {
	q, err := jobs.Open(folder, roomy, bulky)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	for k := 0; ; k++ {
		j, err := q.Add("bulky", "", json.RawMessage(fmt.Sprintf(`{"k":%d}`, k)))
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		feed, _ := q.Feed(j.ID)
		for over := false; !over; {
			var more <-chan struct{}
			if _, more, over = feed.Since(1 << 30); !over {
				<-more
			}
		}
		fmt.Printf("done %s %d\n", j.ID, k)
	}
}

// However often the program is killed while it writes, every job that it called done is whole afterwards.
func TestKilledWhileWritingLosesNothing(t *testing.T) {
	folder := t.TempDir()
	done := map[string]string{}
	for kill := range 4 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childFolder+"="+folder)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for k := 0; k < 3+kill && lines.Scan(); k++ {
			var id, number string
			if _, err := fmt.Sscanf(lines.Text(), "done %s %s", &id, &number); err != nil {
				t.Fatalf("the child says %q", lines.Text())
			}
			done[id] = number
		}
		_ = child.Process.Kill() // SIGKILL, in the midst of the next job
		_ = child.Wait()
	}
	q, err := jobs.Open(folder, roomy, bulky)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for id, number := range done {
		j, err := q.Get(id)
		if err != nil || j.State != jobs.Done {
			t.Errorf("job %s, which was done: %+v, %v", id, j, err)
		}
		for k := range 3 {
			f, err := q.Open(id, fmt.Sprintf("part%d", k))
			if err != nil {
				t.Error(err)
				continue
			}
			text, _ := io.ReadAll(f)
			f.Close()
			if want := strings.Repeat(`{"k":`+number+"}\n", 5000); string(text) != want {
				t.Errorf("job %s: a result of %d bytes, want %d", id, len(text), len(want))
			}
		}
	}
	for _, j := range q.List() { // what was under way when the program was killed begins again
		if got := ended(t, q, j.ID); got.State != jobs.Done {
			t.Errorf("after the kills: %+v", got)
		}
	}
	if len(done) != 3+4+5+6 {
		t.Errorf("%d jobs were done", len(done))
	}
}
