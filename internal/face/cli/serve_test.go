package cli_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/face/cli"
)

// A server says where it is, answers there, and ends with its context.
func TestServeUntilInterrupted(t *testing.T) {
	for name, tc := range map[string]struct {
		listen, given, says string
		status              int // without the token
	}{
		"this machine":  {"127.0.0.1:0", "", "", 200},
		"every address": {"0.0.0.0:0", "", `/\?token=[A-Z0-9]{26}\n`, 401},
		"given token":   {"127.0.0.1:0", " 0123456789+/abc= \n", `/\?token=TOKEN\nput your token in place of TOKEN\n`, 401},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			out, in := io.Pipe()
			ended := make(chan int, 1)
			var errs bytes.Buffer
			go func() {
				ended <- cli.Run(ctx, cli.Env{Stdin: strings.NewReader(""), Stdout: in, Stderr: &errs,
					Getenv: tokenOnly(tc.given)}, []string{"serve", "--listen", tc.listen, "--data", t.TempDir()})
			}()
			said := make([]byte, 1000)
			n, err := out.Read(said)
			if err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = io.Copy(io.Discard, out) }()
			text := string(said[:n])
			at := regexp.MustCompile(`http://[0-9.:]+/`).FindString(text)
			if at == "" || !regexp.MustCompile(tc.says).MatchString(text) {
				t.Fatalf("it says %q", text)
			}
			answer, err := http.Get(at + "api/info")
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if answer.StatusCode != tc.status {
				t.Errorf("status %d, want %d", answer.StatusCode, tc.status)
			}
			if answer, err = http.Get(at + "?token=" + strings.TrimSpace(tc.given)); err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if tc.given != "" && (answer.StatusCode != 200 || len(answer.Cookies()) != 1) {
				t.Errorf("with the token: status %d, cookies %v", answer.StatusCode, answer.Cookies())
			}
			cancel()
			select {
			case code := <-ended:
				if code != 0 || !strings.Contains(errs.String(), `GET "/api/info"`) {
					t.Errorf("exit %d, log %q", code, errs.String())
				}
			case <-time.After(20 * time.Minute):
				t.Error("it does not end")
			}
		})
	}
}

// tokenOnly is an environment with a token.
func tokenOnly(token string) func(string) string {
	return func(name string) string {
		if name == "BATOPO_TOKEN" {
			return token
		}
		return ""
	}
}

// Bad flags are refused. The context has ended before, so a server that takes them ends at once, with exit 0.
func TestServeRefusesBadFlags(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	short, odd := write(t, "token", "abc\n"), write(t, "token", "0123456789; \"päßword\"\n")
	for _, tc := range []struct {
		args []string
		says string
	}{
		{[]string{"--listen", "nowhere"}, "--listen nowhere"},
		{[]string{"--listen", "127.0.0.1:0", "--token-file", short}, "the token has 3 characters"},
		{[]string{"--listen", "127.0.0.1:0", "--token-file", short + "x"}, "--token-file"},
		{[]string{"--listen", "127.0.0.1:0", "--token-file", odd}, "the token has characters that"},
		{[]string{"--listen", "127.0.0.1:0", "--max-nodes", "1"}, "--max-nodes is 1; it must be at least 2"},
		{[]string{"--listen", "127.0.0.1:0", "--jobs", "0"}, "--jobs is 0"},
		{[]string{"--listen", "127.0.0.1:0", "--job-time", "0s"}, "--job-time is 0s"},
		{[]string{"--listen", "127.0.0.1:0", "--data", short}, "--data"},
	} {
		var errs bytes.Buffer
		code := cli.Run(ended, cli.Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &errs,
			Getenv: tokenOnly("")}, append([]string{"serve", "--data", t.TempDir()}, tc.args...))
		if code != 2 || !strings.Contains(errs.String(), tc.says) {
			t.Errorf("%v: exit %d, %q", tc.args, code, errs.String())
		}
	}
}
