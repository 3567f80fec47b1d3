package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"batopo/report"
)

// writeFile writes a whole file or none: content goes to a temporary file beside
// it, which then takes its name.
func writeFile(name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// canWrite complains now about a file that could not be written after a long search.
func canWrite(name string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("cannot write %s: it is a folder; give the name of a file", name)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// writeFigure draws into a file whose ending says the format.
func writeFigure(name string, figure *report.Figure) error {
	format, err := report.FormatOf(name)
	if err != nil {
		return err
	}
	return writeFile(name, func(w io.Writer) error { return figure.Write(w, format) })
}
