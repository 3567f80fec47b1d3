package batopo_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/batopo/batopo/design"
)

// The program, the Python package, the changelog and the citation speak of one version.
func TestOneVersionEverywhere(t *testing.T) {
	for file, pattern := range map[string]string{
		"python/batopo/__init__.py": `(?m)^__version__ = "(.+)"$`,
		"CITATION.cff":              `(?m)^version: (.+)$`,
		"CHANGELOG.md":              `(?m)^## (\S+)`,
	} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(pattern).FindSubmatch(b)
		if found == nil || string(found[1]) != design.Version {
			t.Errorf("%s states %q first; the program is version %s", file, found, design.Version)
		}
	}
}
