package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Format is the version tag of result files.
const Format = "batopo.experiment/v1"

// A File holds the rows of one experiment.
type File[T any] struct {
	Format     string       `json:"format"`
	Experiment string       `json:"experiment"`
	Runs       []Provenance `json:"runs"`
	Rows       []Row[T]     `json:"rows"`
}

// A Row is one result. Everything but Run and ElapsedMS is the same for the same settings.
type Row[T any] struct {
	Key       string          `json:"key"`
	Settings  json.RawMessage `json:"settings"`
	Run       int             `json:"run"` // position in Runs
	ElapsedMS int64           `json:"elapsed_ms"`
	Value     T               `json:"value"`
}

// Read reads the results of an experiment. A file that does not exist is an error that
// wraps fs.ErrNotExist.
func Read[T any](name string) (*File[T], error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var f File[T]
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return nil, fmt.Errorf("%s: %w; rows of an older form can be computed again with -fresh all", name, err)
	}
	if f.Format != Format {
		return nil, fmt.Errorf("%s: format is %q; this program reads %q", name, f.Format, Format)
	}
	for _, r := range f.Rows {
		if r.Run < 0 || r.Run >= len(f.Runs) {
			return nil, fmt.Errorf("%s: row %s names run %d of %d", name, r.Key, r.Run, len(f.Runs))
		}
	}
	return &f, nil
}

// Find returns the value of the row with that key.
func (f *File[T]) Find(key string) (value T, ok bool) {
	for _, r := range f.Rows {
		if r.Key == key {
			return r.Value, true
		}
	}
	return value, false
}

// open reads the file, or starts an empty one where there is none.
func open[T any](name, experiment string) (*File[T], error) {
	f, err := Read[T](name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &File[T]{Format: Format, Experiment: experiment}, nil
	case err != nil:
		return nil, err
	case f.Experiment != experiment:
		return nil, fmt.Errorf("%s holds experiment %q, not %q", name, f.Experiment, experiment)
	}
	return f, nil
}

// write writes the whole file or leaves the old one.
func (f *File[T]) write(name string) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return WriteFile(name, out.Bytes())
}

// WriteFile writes a file whole or not at all, and makes the folder it lies in.
func WriteFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	beside := name + ".part"
	if err := os.WriteFile(beside, data, 0o644); err != nil {
		return err
	}
	return os.Rename(beside, name)
}
