// Command batopo designs averaging topologies for decentralised training: which
// peers each machine averages its model with, and with what weights.
package main

import (
	"context"
	"os"

	"github.com/batopo/batopo/internal/face/cli"
)

func main() {
	env := cli.Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}
	os.Exit(cli.Run(cli.Interruptible(context.Background()), env, os.Args[1:]))
}
