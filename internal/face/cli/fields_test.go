package cli

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// fieldsOf are the parts of a cluster description, in the order of the page.
var fieldsOf = []struct {
	heading string
	part    any
}{
	{"The file", cluster.Spec{}}, {"model", cluster.ModelSpec{}}, {"tree, and every entry of groups", cluster.Group{}},
	{"link, uplink, nvswitch, channel, between, through", cluster.Link{}}, {"nics", cluster.NICs{}},
	{"an entry of nvlinks", cluster.NVLink{}}, {"an entry of links", cluster.Wire{}}, {"matrix", cluster.Matrix{}},
	{"an entry of resources", cluster.ResourceSpec{}}, {"an entry of routes", cluster.RouteSpec{}},
	{"servers", cluster.Servers{}}, {"tree of servers", cluster.TreeSpec{}}, {"bcube", cluster.BCube{}},
	{"leafspine", cluster.LeafSpine{}},
}

// The page of YAML fields lists every field of the types that the reader fills, with type and unit from the code.
// What the code cannot say, meaning and default, stands in testdata/fields.txt; a field without a line there, and a
// line without a field, are errors. Every field is used in an example of the page that the reader accepts.
func TestReferenceOfFields(t *testing.T) {
	words, examples := fieldWords(t)
	var page strings.Builder
	page.WriteString("# Fields of cluster.yaml\n\nFor people who write a `cluster.yaml` and look up a field. " +
		"Types and units are made from the program by\n`go generate ./internal/face/cli`; its tests read the examples.\n" +
		"[clusters.md](clusters.md) says what to " +
		"write for which machine, [formats.md](formats.md) how edges are counted.\n\nA number may carry a unit: " +
		"`100Gb/s`, `12.5 GB/s`, `25GbE`, `20us`, `90MiB`. Without one it has the unit of the table.\n")
	for _, f := range fieldsOf {
		fmt.Fprintf(&page, "\n## %s\n\n| field | type | unit | default | meaning |\n|---|---|---|---|---|\n", f.heading)
		for _, field := range reflect.VisibleFields(reflect.TypeOf(f.part)) {
			name, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")
			if field.Anonymous {
				fmt.Fprint(&page, "| the fields of a link | | | | |\n")
				continue
			}
			if len(field.Index) > 1 {
				continue // of the link
			}
			key := f.heading + "/" + name
			said, known := words[key]
			if !known {
				t.Errorf("testdata/fields.txt has no line for %s", key)
			}
			delete(words, key)
			unset, meaning, _ := strings.Cut(said, "|")
			if !strings.Contains(options, "omitempty") && strings.TrimSpace(unset) == "" {
				unset = "required"
			}
			if !regexp.MustCompile(`\b` + name + `:`).MatchString(examples) {
				t.Errorf("no example uses %s", key)
			}
			fmt.Fprintf(&page, "| `%s` | %s | %s | %s | %s |\n", name, typeName(field.Type), field.Tag.Get("unit"),
				strings.TrimSpace(unset), strings.TrimSpace(meaning))
		}
	}
	for key := range words {
		t.Errorf("testdata/fields.txt speaks of %s, which is no field", key)
	}
	page.WriteString("\n## Examples\n\n" + examples)
	for k, example := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(examples, -1) {
		if _, err := cluster.Read(fmt.Sprintf("example %d", k+1), strings.NewReader(example[1])); err != nil {
			t.Error(err)
		}
	}
	upToDate(t, "../../../docs/fields.md", page.String())
}

// fieldWords reads what the code cannot say: lines “part/field: default | meaning”, then the examples.
func fieldWords(t *testing.T) (words map[string]string, examples string) {
	t.Helper()
	text, err := os.ReadFile("testdata/fields.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines, examples, _ := strings.Cut(string(text), "\nexamples\n")
	words = map[string]string{}
	for _, line := range strings.Split(lines, "\n") {
		if key, said, found := strings.Cut(line, ": "); found {
			words[key] = said
		}
	}
	return words, examples
}

// typeName says in words of YAML what a field holds.
func typeName(of reflect.Type) string {
	if of == reflect.TypeFor[cluster.Numbers]() {
		return "number, or list of numbers"
	}
	switch of.Kind() {
	case reflect.Pointer:
		if of.Elem().Kind() == reflect.Struct && of.Elem() == reflect.TypeFor[cluster.Link]() {
			return "bandwidth, or map"
		}
		return typeName(of.Elem())
	case reflect.Slice:
		return "list of " + strings.NewReplacer("numbers", "numbers", "number", "numbers", "text", "texts", "map", "maps",
			"list of", "lists of").Replace(typeName(of.Elem()))
	case reflect.Struct:
		return "map"
	case reflect.Float64:
		return "number"
	case reflect.Int:
		return "whole number"
	case reflect.Bool:
		return "true or false"
	}
	return "text"
}
