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
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// Options say which rows to compute, and where they go.
type Options struct {
	Root    string // folder of the repository
	Results string // folder of the result files
	Fresh   string // rows whose key contains it are computed again; "all" for every row, "" for none
	Toy     bool   // only the rows that take seconds
	Log     io.Writer
}

// A Task computes one row.
type Task[T any] struct {
	Key      string
	Settings any    // all that decides the value; compared as JSON
	Artifact string // a file that Compute writes besides its value; "" for none
	Compute  func(ctx context.Context) (T, error)
}

const everyRow = "all"

// Run computes the tasks whose rows are missing and writes the file with one row per
// task, in the order of the tasks; rows of no task are dropped. After a cancellation the rows
// that exist are in the file, and the error is ctx's.
func Run[T any](ctx context.Context, name string, o Options, tasks func(Options) ([]Task[T], error)) error {
	list, err := tasks(o)
	if err != nil {
		return err
	}
	rows := &File[T]{Format: Format, Experiment: name}
	if o.Fresh != everyRow {
		if rows, err = Read[T](o.Results, name); err != nil {
			return err
		}
	}
	for k, task := range list {
		fmt.Fprintf(o.Log, "%s %d/%d  %s  ", name, k+1, len(list), task.Key)
		settings, err := json.Marshal(task.Settings)
		if err != nil {
			return fmt.Errorf("%s %s: settings: %w", name, task.Key, err)
		}
		again := o.Fresh != "" && strings.Contains(task.Key, o.Fresh)
		if row, ok := rows.Row(task.Key); ok && !again && task.done(row.Settings, settings) {
			fmt.Fprintln(o.Log, "kept")
			continue
		}
		row, err := task.row(ctx, settings)
		if err != nil {
			return fmt.Errorf("%s %s: %w", name, task.Key, err)
		}
		fmt.Fprintf(o.Log, "%.1f s\n", float64(row.ElapsedMS)/1000)
		rows.Rows = slices.DeleteFunc(rows.Rows, func(r Row[T]) bool { return r.Key == row.Key })
		rows.add(row, Here())
		if err := rows.of(list).write(o.Results); err != nil {
			return err
		}
	}
	return rows.of(list).write(o.Results)
}

// done reports whether a row has the settings of its task and nothing that it needs is missing.
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
