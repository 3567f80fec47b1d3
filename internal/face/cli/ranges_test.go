package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// A command or a flag that is called something else would no longer be guarded.
func TestGuardedFlagsExist(t *testing.T) {
	root := newRoot(Env{})
	find := func(name string) *cobra.Command {
		c, _, err := root.Find(strings.Fields(name))
		if err != nil || commandName(c) != name {
			t.Fatalf("there is no command %q: %v", name, err)
		}
		return c
	}
	has := func(command, flag, kind string) {
		if f := find(command).Flags().Lookup(flag); f == nil || f.Value.Type() != kind {
			t.Errorf("%s has no %s --%s", command, kind, flag)
		}
	}
	for _, r := range countRanges {
		for _, command := range r.commands {
			has(command, r.flag, "int")
		}
	}
	for command, flags := range aboveZero {
		for _, flag := range flags {
			kind := "float64"
			if flag == "seed" {
				kind = "uint64"
			}
			has(command, flag, kind)
		}
	}
	has("replan", "switch", "duration")
	for _, command := range readsStdin {
		find(command)
	}
	for _, flag := range sourceFlags {
		has("import", flag, "string")
	}
}
