//go:build unix

package cli

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// stubborn is set in a process that finishes nothing, although it has found something and was asked to stop.
const stubborn = "BATOPO_TEST_STUBBORN"

// A second Ctrl-C ends the program at once, also where the first one waits for a search that does not end.
func TestASecondInterruptKills(t *testing.T) {
	if os.Getenv(stubborn) != "" {
		ctx := Interruptible(context.Background())
		os.Stdout.WriteString("ready\n")
		finish(ctx, func() bool { return true }, func() error {
			<-ctx.Done()
			os.Stdout.WriteString("stopped\n")
			for {
				time.Sleep(time.Hour)
			}
		})
		return
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		c := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
		c.Env = append(os.Environ(), stubborn+"=1")
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for _, want := range []string{"ready", "stopped"} {
			if !lines.Scan() || lines.Text() != want {
				t.Fatalf("printed %q, want %q", lines.Text(), want)
			}
			if want == "ready" {
				_ = c.Process.Signal(signal)
			}
		}
		// The usual way comes back a moment after the first signal, so the second is sent until it counts.
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		hangs := time.After(20 * time.Minute)
		for done := false; !done; {
			_ = c.Process.Signal(signal)
			select {
			case err := <-ended:
				done = true
				var exit *exec.ExitError
				if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != signal {
					t.Errorf("%v, want it killed by the second %v", err, signal)
				}
			case <-hangs:
				_ = c.Process.Kill()
				t.Fatalf("it goes on after a second %v", signal)
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
}
