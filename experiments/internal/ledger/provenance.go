package ledger

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/spectral"
)

// A Provenance says where numbers come from: which program on which machine.
type Provenance struct {
	Program string `json:"program"` // see design.Program
	Go      string `json:"go"`
	Machine string `json:"machine"`
	LAPACK  string `json:"lapack"`
	Started string `json:"started"` // RFC 3339
}

// Here returns the provenance of this process.
func Here() Provenance {
	return Provenance{
		Program: design.Program(),
		Go:      runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		Machine: fmt.Sprintf("%d cores of %s", runtime.NumCPU(), processor()),
		LAPACK:  spectral.LAPACK(),
		Started: time.Now().UTC().Format(time.RFC3339),
	}
}

// same reports whether two runs differ in nothing but their time.
func (p Provenance) same(q Provenance) bool {
	p.Started = q.Started
	return p == q
}

var modelName = regexp.MustCompile(`(?m)^model name\s*: (.+)$`)

func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo") // there is none outside Linux
	if name := modelName.FindSubmatch(info); name != nil {
		return string(name[1])
	}
	return runtime.GOARCH
}
