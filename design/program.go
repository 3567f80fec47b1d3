package design

import (
	"runtime/debug"
	"strings"
	"time"

	"github.com/batopo/batopo/internal/ground/spectral"
)

// Version counts for the program and its Python package; a test compares all places that state it.
const Version = "0.1.0"

// Program names this program and its version, and for a development build also its commit and whether there were
// changes; go run leaves no trace of these. It belongs into [Run] and into whatever else says where numbers come from.
func Program() string {
	const name = "batopo " + Version
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return name
	}
	build := info.Main.Version
	if build == "" || build == "(devel)" || strings.TrimPrefix(build, "v") == Version {
		return name
	}
	return name + " (" + build + ")"
}

// NewRun describes the run of this program that began at a moment and ends now.
func NewRun(started time.Time) Run {
	return Run{
		Program: Program(), LAPACK: spectral.LAPACK(),
		ElapsedMS: time.Since(started).Milliseconds(), Started: started.UTC().Format(time.RFC3339),
	}
}
