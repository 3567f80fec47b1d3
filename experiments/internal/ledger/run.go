package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
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

// An Experiment says where rows are kept and who is told about progress.
type Experiment struct {
	Name  string
	File  string
	Fresh string    // rows whose key contains it are computed again; "all" for every row, "" for none
	Log   io.Writer // one line per row
}

const everyRow = "all"

// Run computes the tasks whose rows are missing and returns the file with one row per
// task, in the order of the tasks; rows of no task are dropped. After a cancellation the rows
// that exist are in the file, and the error is ctx's.
func Run[T any](ctx context.Context, e Experiment, tasks []Task[T]) (*File[T], error) {
	old := &File[T]{Format: Format, Experiment: e.Name}
	if e.Fresh != everyRow {
		var err error
		if old, err = open[T](e.File, e.Name); err != nil {
			return nil, err
		}
	}
	now := &File[T]{Format: Format, Experiment: e.Name}
	for k, task := range tasks {
		settings, err := json.Marshal(task.Settings)
		if err != nil {
			return nil, fmt.Errorf("ledger: settings of %s: %w", task.Key, err)
		}
		place := fmt.Sprintf("%s %d/%d  %s", e.Name, k+1, len(tasks), task.Key)
		again := e.Fresh != "" && strings.Contains(task.Key, e.Fresh)
		if row, ok := old.kept(task, settings); ok && !again {
			row.Run = now.run(old.Runs[row.Run])
			now.Rows = append(now.Rows, row)
			fmt.Fprintf(e.Log, "%s  kept\n", place)
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fmt.Fprintf(e.Log, "%s  … ", place)
		started := time.Now()
		value, err := task.Compute(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", e.Name, task.Key, err)
		}
		if err := ctx.Err(); err != nil {
			return nil, err // what was cancelled half-way is no result
		}
		elapsed := time.Since(started)
		now.Rows = append(now.Rows, Row[T]{Key: task.Key, Settings: settings, Run: now.run(Here()), ElapsedMS: elapsed.Milliseconds(), Value: value})
		fmt.Fprintf(e.Log, "%.1f s\n", elapsed.Seconds())
		if err := now.with(old, tasks[k+1:]).write(e.File); err != nil {
			return nil, err
		}
	}
	return now, now.write(e.File)
}

// kept returns the row of a task if its settings are the same and nothing it needs is missing.
func (f *File[T]) kept(task Task[T], settings []byte) (Row[T], bool) {
	for _, r := range f.Rows {
		var compact bytes.Buffer
		if r.Key != task.Key || json.Compact(&compact, r.Settings) != nil || !bytes.Equal(compact.Bytes(), settings) {
			continue
		}
		if task.Artifact != "" {
			if _, err := os.Stat(task.Artifact); err != nil {
				return Row[T]{}, false
			}
		}
		return r, true
	}
	return Row[T]{}, false
}

// with adds the old rows of the tasks that are still to come, so that nothing is lost when
// the experiment stops here.
func (f *File[T]) with(old *File[T], rest []Task[T]) *File[T] {
	all := &File[T]{Format: f.Format, Experiment: f.Experiment, Runs: append([]Provenance(nil), f.Runs...), Rows: append([]Row[T](nil), f.Rows...)}
	for _, task := range rest {
		for _, r := range old.Rows {
			if r.Key == task.Key {
				r.Run = all.run(old.Runs[r.Run])
				all.Rows = append(all.Rows, r)
			}
		}
	}
	return all
}

// run returns the position of a run in the list, adding it if it is new.
func (f *File[T]) run(p Provenance) int {
	for k, known := range f.Runs {
		if known.same(p) {
			return k
		}
	}
	f.Runs = append(f.Runs, p)
	return len(f.Runs) - 1
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
