package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/show/report"
)

// toStdout reports whether the name of a file means standard output.
func toStdout(name string) bool { return name == "-" || name == "/dev/stdout" }

// writeFile writes a whole file or none, or standard output.
func writeFile(ctx context.Context, env Env, name string, write func(io.Writer) error) error {
	if toStdout(name) {
		return write(env.Stdout)
	}
	err := outfile.Write(ctx, name, write)
	if err != nil && ctx.Err() != nil {
		return answerNo{err}
	}
	return err
}

// canWrite complains now about a file that could not be written after a long search.
func canWrite(name string) error {
	if toStdout(name) {
		return nil
	}
	return outfile.Check(name)
}

// canDraw is canWrite for a picture, whose name must end in .svg too. An empty name is no picture.
func canDraw(name string) error {
	if name == "" {
		return nil
	}
	if !strings.EqualFold(filepath.Ext(name), ".svg") {
		return fmt.Errorf("picture %q: batopo draws SVG, into a file named .svg; convert it with rsvg-convert or inkscape",
			name)
	}
	return outfile.Check(name)
}

// canChart is canDraw for curves, which may also be written as numbers.
func canChart(name string) error {
	if isTable(name) {
		return outfile.Check(name)
	}
	return canDraw(name)
}

func isTable(name string) bool { return strings.EqualFold(filepath.Ext(name), ".csv") }

// writeChart draws curves, or writes their numbers where the name says so.
func writeChart(ctx context.Context, name string, chart interface {
	Draw() (*report.Figure, error)
	WriteCSV(io.Writer) error
}) error {
	if isTable(name) {
		return outfile.Write(ctx, name, chart.WriteCSV)
	}
	figure, err := chart.Draw()
	if err != nil {
		return err
	}
	return outfile.Write(ctx, name, figure.Write)
}
