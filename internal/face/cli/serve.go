package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/batopo/batopo/internal/face/server"
	"github.com/batopo/batopo/internal/ground/limits"

	"github.com/spf13/cobra"
)

type serveFlags struct {
	options   server.Options
	listen    string
	tokenFile string
	quiet     bool
}

func newServe(env Env) *cobra.Command {
	f := serveFlags{options: server.DefaultOptions()}
	o := &f.options
	c := &cobra.Command{
		Use:   "serve",
		Short: "The same in the browser: a page, and an API over HTTP",
		Long: `serve shows a page on which a cluster is described by clicking, by uploading what a program printed
about it, or by choosing an example; it finds plans, shows the search at work, and keeps all results in --data.
The same can be done over HTTP; /api/openapi.json describes how.

It listens on this machine only. Beyond that every request needs a token: the one in --token-file or in the
environment variable BATOPO_TOKEN, else one that is drawn and printed. Ctrl-C ends it; jobs that run then keep
the best plan so far, and those that wait begin at the next start.`,
		Example: `  batopo serve
  batopo serve --listen 127.0.0.1:9000 --data results
  batopo serve --listen 0.0.0.0:8080 --token-file token.txt --host planner.example.org`,
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), env) },
	}
	flags := c.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8080", "address and port; port 0 takes a free one")
	flags.StringVar(&o.Data, "data", "batopo-data", "keep jobs and their results in this folder")
	flags.StringVar(&f.tokenFile, "token-file", "", "a file whose first line is the token that requests must bring")
	flags.StringSliceVar(&o.Hosts, "host", nil, "names by which the server may be called, besides its own addresses")
	flags.IntVar(&o.Jobs.Running, "jobs", o.Jobs.Running, "jobs that run at the same time; each uses all cores")
	flags.IntVar(&o.Jobs.Waiting, "waiting", o.Jobs.Waiting, "jobs that may wait")
	flags.IntVar(&o.Jobs.Kept, "kept", o.Jobs.Kept, "jobs that are kept in all")
	flags.DurationVar(&o.Jobs.Time, "job-time", o.Jobs.Time, "a job ends after this long, with the best so far")
	flags.IntVar(&o.Work.Nodes, "max-nodes", o.Work.Nodes, "nodes that a cluster may have")
	flags.BoolVar(&f.quiet, "quiet", false, "no line on stderr for every request")
	return c
}

func (f *serveFlags) run(ctx context.Context, env Env) error {
	o := &f.options
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", f.listen, err)
	}
	defer l.Close()
	at := l.Addr().(*net.TCPAddr)
	drawn, err := f.findToken(env, at.IP.IsLoopback())
	if err != nil {
		return err
	}
	o.Hosts = append(o.Hosts, addresses(at.IP)...)
	if o.Log = env.Stderr; f.quiet {
		o.Log = io.Discard
	}
	s, err := server.New(*o)
	if err != nil {
		return fmt.Errorf("--data: %w", err)
	}
	query, hint := "", ""
	switch {
	case drawn:
		query = "?token=" + url.QueryEscape(o.Token)
	case o.Token != "":
		query, hint = "?token=TOKEN", "\nput your token in place of TOKEN"
	}
	fmt.Fprintf(env.Stdout, "batopo is at http://%s/%s%s\nresults are kept in %s; Ctrl-C ends it\n",
		net.JoinHostPort(openAs(at.IP), fmt.Sprint(at.Port)), query, hint, o.Data)
	return s.Serve(ctx, l)
}

// findToken reads the token or, where one is needed and none is given, draws it.
func (f *serveFlags) findToken(env Env, loopback bool) (drawn bool, err error) {
	f.options.Token = strings.TrimSpace(env.Getenv("BATOPO_TOKEN"))
	if f.tokenFile != "" {
		text, err := os.ReadFile(f.tokenFile)
		if err == nil {
			text, err = limits.Text(text)
		}
		if err != nil {
			return false, fmt.Errorf("--token-file: %w", err)
		}
		line, _, _ := strings.Cut(string(text), "\n")
		f.options.Token = strings.TrimSpace(line)
	}
	const shortest = 16
	switch n := len(f.options.Token); {
	case n == 0 && f.tokenFile != "":
		return false, fmt.Errorf("%s: the first line is empty; it must be the token", f.tokenFile)
	case n > 0 && n < shortest:
		return false, fmt.Errorf("the token has %d characters; %d are needed, so that it cannot be guessed", n, shortest)
	case n == 0 && !loopback:
		f.options.Token = rand.Text()
		return true, nil
	}
	return false, server.CheckToken(f.options.Token)
}

// addresses are the names under which a server is called that listens on ip.
func addresses(ip net.IP) []string {
	if !ip.IsUnspecified() {
		return []string{ip.String()}
	}
	var out []string
	if name, err := os.Hostname(); err == nil {
		out = append(out, name)
	}
	all, _ := net.InterfaceAddrs() // without them, --host says it
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok {
			out = append(out, n.IP.String())
		}
	}
	return out
}

// openAs is an address that a browser on this machine can open.
func openAs(ip net.IP) string {
	if ip.IsUnspecified() {
		return "127.0.0.1"
	}
	return ip.String()
}
