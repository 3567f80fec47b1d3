// Package ledger keeps the results of experiments in files: rows with the settings that
// produced them and the run they come from.
//
// A row that is already there with the same settings is kept, so an interrupted
// experiment goes on where it stopped, and a finished one costs nothing to run again. The
// file is written whole after every row.
package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// A Task computes one row.
type Task[T any] struct {
	Key      string
	Settings any    // all that decides the value; compared as JSON
	Artifact string // a file that Compute writes besides its value; "" for none
	Compute  func(ctx context.Context) (T, error)
}

const everyRow = "all"

// Run computes the tasks whose rows are missing and returns the file with one row per
// task, in the order of the tasks; rows of no task are dropped. After a cancellation the rows
// that exist are in the file, and the error is ctx's.
func Run[T any](ctx context.Context, name string, o Options, tasks func(Options) ([]Task[T], error)) (*File[T], error) {
	list, err := tasks(o)
	if err != nil {
		return nil, err
	}
	old := &File[T]{Format: Format, Experiment: name}
	if o.Fresh != everyRow {
		old, err = Read[T](o.Results, name)
		if errors.Is(err, fs.ErrNotExist) {
			old, err = &File[T]{}, nil
		}
		if err != nil {
			return nil, err
		}
	}
	now := &File[T]{Format: Format, Experiment: name}
	for k, task := range list {
		fmt.Fprintf(o.Log, "%s %d/%d  %s  ", name, k+1, len(list), task.Key)
		settings, err := json.Marshal(task.Settings)
		if err != nil {
			return nil, fmt.Errorf("%s %s: settings: %w", name, task.Key, err)
		}
		again := o.Fresh != "" && strings.Contains(task.Key, o.Fresh)
		if row, ok := old.Row(task.Key); ok && !again && task.done(row.Settings, settings) {
			now.add(row, old.Runs[row.Run])
			fmt.Fprintln(o.Log, "kept")
			continue
		}
		row, err := task.row(ctx, settings)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", name, task.Key, err)
		}
		fmt.Fprintf(o.Log, "%.1f s\n", float64(row.ElapsedMS)/1000)
		now.add(row, Here())
		if err := now.with(old, list[k+1:]).write(o.Results); err != nil {
			return nil, err
		}
	}
	return now, now.write(o.Results)
}

// done tells whether a row has the settings of its task and nothing that it needs is missing.
func (t Task[T]) done(had, settings []byte) bool {
	if t.Artifact != "" {
		if _, err := os.Stat(t.Artifact); err != nil {
			return false
		}
	}
	return bytes.Equal(had, settings)
}

// row computes a row; what is cancelled half-way is no result.
func (t Task[T]) row(ctx context.Context, settings []byte) (Row[T], error) {
	if err := ctx.Err(); err != nil {
		return Row[T]{}, err
	}
	started := time.Now()
	value, err := t.Compute(ctx)
	if err == nil {
		err = ctx.Err()
	}
	return Row[T]{Key: t.Key, Settings: settings, ElapsedMS: time.Since(started).Milliseconds(), Value: value}, err
}

// with adds the old rows of the tasks that are still to come, so that nothing is lost when
// the experiment stops here.
func (f *File[T]) with(old *File[T], rest []Task[T]) *File[T] {
	all := &File[T]{Format: f.Format, Experiment: f.Experiment, Runs: slices.Clone(f.Runs), Rows: slices.Clone(f.Rows)}
	for _, task := range rest {
		if row, ok := old.Row(task.Key); ok {
			all.add(row, old.Runs[row.Run])
		}
	}
	return all
}
