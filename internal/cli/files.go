package cli

import (
	"context"
	"io"

	"batopo/internal/outfile"
	"batopo/report"
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

// canDraw is canWrite for a picture, whose ending must say its format too. An empty name is no picture.
func canDraw(name string) error {
	if name == "" {
		return nil
	}
	if _, err := report.FormatOf(name); err != nil {
		return err
	}
	return outfile.Check(name)
}

// writeFigure draws into a file whose ending says the format.
func writeFigure(ctx context.Context, name string, figure *report.Figure) error {
	format, err := report.FormatOf(name)
	if err != nil {
		return err
	}
	return outfile.Write(ctx, name, func(w io.Writer) error { return figure.Write(w, format) })
}
