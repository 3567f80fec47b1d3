// Command batopo designs averaging topologies for decentralised training: which
// peers each machine averages its model with, and with what weights.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/batopo/batopo/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// After the first Ctrl-C asked for an orderly end, a second one kills as usual.
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Run(ctx, cli.Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}, os.Args[1:]))
}
