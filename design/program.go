package design

import "runtime/debug"

// Program names this program and its version, which in a development build is its commit and whether there were
// changes; go run leaves no trace of these. It belongs into [Run] and into whatever else says where numbers come from.
func Program() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "batopo"
	}
	return "batopo " + info.Main.Version
}
