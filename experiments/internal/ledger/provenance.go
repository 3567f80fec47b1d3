package ledger

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/batopo/batopo/internal/spectral"
)

// A Provenance says where numbers come from: which program on which machine.
type Provenance struct {
	Program string `json:"program"` // commit, with "+" when the tree had changes
	Go      string `json:"go"`
	Machine string `json:"machine"`
	LAPACK  string `json:"lapack"`
	Started string `json:"started"` // RFC 3339
}

// Here returns the provenance of this process.
func Here() Provenance {
	return Provenance{
		Program: program(),
		Go:      runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		Machine: machine(),
		LAPACK:  spectral.LAPACK(),
		Started: time.Now().UTC().Format(time.RFC3339),
	}
}

// same tells whether two runs differ in nothing but their time.
func (p Provenance) same(q Provenance) bool {
	p.Started = q.Started
	return p == q
}

// program names the commit that the running binary was built from; go run and go test
// leave no trace of it.
func program() string {
	commit, changed := "unstamped", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value[:min(12, len(s.Value))]
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = "+"
			}
		}
	}
	return "batopo " + commit + changed
}

// machine names the processor and how many cores of it there are.
func machine() string {
	name := runtime.GOARCH
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	}
	cores := "cores"
	if runtime.NumCPU() == 1 {
		cores = "core"
	}
	return fmt.Sprintf("%d %s of %s", runtime.NumCPU(), cores, name)
}
