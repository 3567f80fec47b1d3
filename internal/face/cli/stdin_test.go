package cli_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/face/cli"
)

// Commands can be joined by pipes: a description goes into plan, optimize, schedule and cluster show, a plan into
// verify and export.
func TestStandardInputIsRead(t *testing.T) {
	piped := func(in string, args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := cli.Run(context.Background(), cli.Env{Stdin: strings.NewReader(in), Stdout: &out, Stderr: &errs,
			Getenv: func(string) string { return "" }}, args)
		return code, out.String(), errs.String()
	}
	description := "format: batopo.cluster/v1\nnodes: 4\nbandwidth: 10\n"
	_, plan, _ := piped(description, "optimize", "-", "--edges", "4", "--quiet", "--json")
	for _, tc := range []struct{ in, want, command string }{
		{description, "Run DDP", "plan - --quiet"},
		{description, "schedule on 4 nodes", "schedule - --quiet"},
		{description, "4 nodes, 4 links", "cluster show -"},
		{plan, "0 are false", "verify -"},
		{plan, "standard input: ", "verify -"},
		{plan, `"file": "standard input"`, "verify - --json"},
		{"0,1\n1,0\n", "nodes: 2", "import --rates csv:-"},
		{plan, "0.333", "export - --format csv"},
	} {
		code, out, errs := piped(tc.in, strings.Fields(tc.command)...)
		if code != 0 || !strings.Contains(out, tc.want) {
			t.Errorf("%s: exit %d, %s%s; want %q", tc.command, code, out, errs, tc.want)
		}
	}
	for _, tc := range []struct{ in, want, command string }{
		{"nodes: 4\n", "standard input: has no format", "plan -"},
		{"{", "standard input:1:2", "verify -"},
		{plan, "simulate does not read standard input (-); name a file", "simulate -"},
		{description, "topology does not read standard input (-); name a file", "topology -"},
		{description, "--cluster does not read standard input (-); name a file", "topology ring --cluster -"},
		{description, "--cluster does not read standard input (-); name a file", "weights x.edges --cluster -"},
		{description, "--cluster does not read standard input (-); name a file", "simulate x.json --cluster=-"},
		{description, "--cluster does not read standard input (-); name a file", "replan x.json --cluster -"},
		{"{}", "--cluster does not read standard input (-); name a file", "replan x.json --cluster -"},
		{plan, "--of does not read standard input (-); name a file", "topology matchings --of -"},
		{"1 2", "--start does not read standard input (-); name a file", "simulate x.json --start -"},
		{plan, "standard input (-) was given 2 times and can be read once; name files", "verify - -"},
		{"0,1\n1,0\n", "standard input (-) was given 2 times", "import --structure csv:- --rates csv:-"},
		{"0,1\n1,0\n", "standard input (-) was given 2 times", "import nccl - --links nvidia-smi:-"},
		{description, "both --nodes and standard input were given", "plan - --nodes 4"},
	} {
		if code, _, errs := piped(tc.in, strings.Fields(tc.command)...); code != 2 || !strings.Contains(errs, tc.want) {
			t.Errorf("%s: exit %d, %s; want %q", tc.command, code, errs, tc.want)
		}
	}
}
