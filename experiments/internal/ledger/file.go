package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/batopo/batopo/internal/ground/outfile"
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
	Settings  json.RawMessage `json:"settings"` // compact once it is read
	Run       int             `json:"run"`      // position in Runs
	ElapsedMS int64           `json:"elapsed_ms"`
	Value     T               `json:"value"`
}

// Read reads the results of an experiment; without a file there are no rows.
func Read[T any](results, experiment string) (*File[T], error) {
	f := &File[T]{Format: Format, Experiment: experiment}
	name := filepath.Join(results, experiment+".json")
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(f); err != nil {
		return nil, fmt.Errorf("%s: %w; rows of an older form can be computed again with -fresh all", name, err)
	}
	if f.Format != Format || f.Experiment != experiment {
		return nil, fmt.Errorf("%s holds %q in format %q; %q in format %q was expected",
			name, f.Experiment, f.Format, experiment, Format)
	}
	for k, r := range f.Rows {
		if r.Run < 0 || r.Run >= len(f.Runs) {
			return nil, fmt.Errorf("%s: row %s names run %d of %d", name, r.Key, r.Run, len(f.Runs))
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, r.Settings); err != nil {
			return nil, fmt.Errorf("%s: settings of row %s: %w", name, r.Key, err)
		}
		f.Rows[k].Settings = compact.Bytes()
	}
	return f, nil
}

// Row returns the row with that key.
func (f *File[T]) Row(key string) (row Row[T], ok bool) {
	k := slices.IndexFunc(f.Rows, func(r Row[T]) bool { return r.Key == key })
	if k < 0 {
		return row, false
	}
	return f.Rows[k], true
}

// of returns the rows that tasks have, in their order.
func (f *File[T]) of(tasks []Task[T]) *File[T] {
	some := &File[T]{Format: f.Format, Experiment: f.Experiment}
	for _, task := range tasks {
		if row, ok := f.Row(task.Key); ok {
			some.add(row, f.Runs[row.Run])
		}
	}
	return some
}

// add appends a row that was computed in a run, which is listed once.
func (f *File[T]) add(row Row[T], run Provenance) {
	row.Run = slices.IndexFunc(f.Runs, run.same)
	if row.Run < 0 {
		row.Run = len(f.Runs)
		f.Runs = append(f.Runs, run)
	}
	f.Rows = append(f.Rows, row)
}

// Fields are a value of any experiment as its file has it.
type Fields map[string]any

// Numbers returns a field as a list: of one where it is a number, of none where it is text or missing.
func (f Fields) Numbers(name string) (list []float64) {
	all, many := f[name].([]any)
	if !many {
		all = []any{f[name]}
	}
	for _, value := range all {
		if number, ok := value.(float64); ok {
			list = append(list, number)
		}
	}
	return list
}

// write writes the whole file or leaves the old one.
func (f *File[T]) write(results string) error {
	return Write(filepath.Join(results, f.Experiment+".json"), func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", " ")
		return encoder.Encode(f)
	})
}

// Write writes a file whole or not at all, and makes the folder it lies in.
func Write(name string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return outfile.Write(context.Background(), name, write)
}
