package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The page of commands is made from the commands themselves.
func TestReferenceOfCommands(t *testing.T) {
	var page bytes.Buffer
	page.WriteString("# Commands and flags\n\nFor people who look up a command or a flag. " +
		"Made from the program by\n`go generate ./internal/face/cli`; " +
		"`batopo COMMAND --help` prints the same.\n\nResults go to standard output, progress to standard error. " +
		"Exit status: 0 done; 1 it ran and the answer is\nno; 2 bad usage or bad input. " +
		"`batopo completion SHELL` writes completions of commands, flags and values.\n\n| command | what for |\n|---|---|\n")
	var each []*cobra.Command
	for _, c := range newRoot(Env{}).Commands() {
		if c.Name() == "completion" || c.Name() == "help" {
			continue
		}
		each = append(each, c)
		each = append(each, c.Commands()...)
	}
	for _, c := range each {
		name := strings.TrimPrefix(c.CommandPath(), "batopo ")
		fmt.Fprintf(&page, "| [%s](#%s) | %s |\n", name, strings.ReplaceAll(name, " ", "-"), c.Short)
	}
	for _, c := range each {
		describe(&page, c)
	}
	upToDate(t, "../../../docs/commands.md", page.String())
}

// describe writes the section of one command.
func describe(page *bytes.Buffer, c *cobra.Command) {
	fmt.Fprintf(page, "\n## %s\n\n%s.\n\n```\n%s\n```\n", strings.TrimPrefix(c.CommandPath(), "batopo "), c.Short, c.UseLine())
	if c.Long != "" {
		fmt.Fprintf(page, "\n```text\n%s\n```\n", strings.TrimSpace(c.Long))
	}
	if c.Example != "" {
		fmt.Fprintf(page, "\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimSpace(c.Example), "\n  ", "\n"))
	}
	fmt.Fprint(page, "\n| flag | value | default | meaning |\n|---|---|---|---|\n")
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		usage, given, _ := strings.Cut(usage, " (default")
		unset := strings.Trim(strings.TrimPrefix(given, ":"), " )")
		if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" && f.DefValue != "[]" && unset == "" {
			unset = f.DefValue
		}
		name := "`--" + f.Name + "`"
		if f.Shorthand != "" {
			name += ", `-" + f.Shorthand + "`"
		}
		cells := []string{name, value, strings.Trim(unset, "[]"), usage}
		for k := range cells {
			cells[k] = strings.ReplaceAll(cells[k], "|", "\\|")
		}
		fmt.Fprintf(page, "| %s |\n", strings.Join(cells, " | "))
	})
}

// upToDate compares a page with what it should be, or writes it.
func upToDate(t *testing.T, file, want string) {
	t.Helper()
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is out of date; go generate ./internal/face/cli writes it (-program +page):\n%s", file, diff)
	}
}
