package present

import (
	"regexp"
	"strings"
)

// Reason is an error as people read it: without the names of packages that errors of libraries begin with, also where
// others wrap them. To somebody who wrote a file or a command these say nothing.
func Reason(err error) string { return packageName.ReplaceAllString(err.Error(), "$1") }

// errorPackages are the packages whose errors begin with their names.
var errorPackages = strings.Fields(`adamw admm advise batopo bound cluster collective consensus cost design exporter
	feasible grace importer matrix mixing numpyrand replan report schedules search
	sparse spectral sweep topology train trial weights`)

var packageName = regexp.MustCompile(`(^|\n|: )(?:(?:` + strings.Join(errorPackages, "|") + `): )+`)
