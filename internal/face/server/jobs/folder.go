package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/batopo/batopo/internal/ground/outfile"
)

// A folder keeps every job in a folder of its own, named by its ID: its description, its results, and what it reported.
type folder struct{ path string }

const (
	description = "job.json"
	history     = "events.json"
)

var idPattern = regexp.MustCompile(`^[0-9a-f]{24}$`)

func (f folder) of(id string) string { return filepath.Join(f.path, id) }

// claim makes the folder and locks it against other processes, until the file that it returns is closed or the process
// ends in any way.
func (f folder) claim() (*os.File, error) {
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(f.path, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(file); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s: %w", file.Name(), err)
	}
	return file, nil
}

// write puts the description of a job onto the disk, all of it or nothing.
func (f folder) write(j *Job) error {
	return f.writeJSON(j.ID, description, j)
}

func (f folder) writeJSON(id, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return f.writeFile(id, outfile.File{Name: name, Write: func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	}})
}

func (f folder) writeFile(id string, file outfile.File) error {
	if err := f.own(id, file.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return outfile.Write(context.Background(), filepath.Join(f.of(id), file.Name), file.Write)
}

// own complains about what is no regular file in the folder of a job itself: a description or a link that somebody put
// there may name any file of the machine.
func (f folder) own(id, name string) error {
	at, err := os.Lstat(f.of(id))
	if err == nil && at.IsDir() && filepath.IsLocal(name) && filepath.Base(name) == name {
		if at, err = os.Lstat(filepath.Join(f.of(id), name)); err == nil && at.Mode().IsRegular() {
			return nil
		}
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("%q of job %s is no file in its folder; move the folder away", name, id)
}

// open opens a file of a job, within its folder.
func (f folder) open(id, name string) (*os.File, error) {
	if err := f.own(id, name); err != nil {
		return nil, err
	}
	return os.OpenInRoot(f.of(id), name)
}

func (f folder) text(id, name string) ([]byte, error) {
	file, err := f.open(id, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// add makes the folder of a new job.
func (f folder) add(j *Job) error {
	if err := os.MkdirAll(f.of(j.ID), 0o700); err != nil {
		return err
	}
	return f.write(j)
}

// finish writes results and what was reported on the way, and then that they are there.
func (f folder) finish(j *Job, files []outfile.File, events []Event) error {
	for _, file := range files {
		if err := f.writeFile(j.ID, file); err != nil {
			return fmt.Errorf("cannot write %s: %w", file.Name, err)
		}
		j.Files = append(j.Files, file.Name)
	}
	if err := f.writeJSON(j.ID, history, events); err != nil {
		return fmt.Errorf("cannot write %s: %w", history, err)
	}
	return f.write(j)
}

// events returns what a job reported that has ended; nothing for one that never began.
func (f folder) events(id string) (events []Event, err error) {
	text, err := f.text(id, history)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &events)
	}
	return events, err
}

// job reads the description of a job.
func (f folder) job(id string) (*Job, error) {
	text, err := f.text(id, description)
	if err != nil {
		return nil, err
	}
	j := new(Job)
	if err := json.Unmarshal(text, j); err != nil {
		return nil, err
	}
	if j.ID != id {
		return nil, fmt.Errorf("it describes job %q", j.ID)
	}
	return j, nil
}

func (f folder) remove(id string) error {
	// Without a description it is no job any more, whatever happens to the rest.
	if err := os.Remove(filepath.Join(f.of(id), description)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(f.of(id))
}

// read returns all jobs, oldest first. Folders without a description are what a kill left of a job that was never
// accepted, or was removed.
func (f folder) read() ([]*Job, error) {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return nil, err
	}
	var all []*Job
	for _, e := range entries {
		if !e.IsDir() || !idPattern.MatchString(e.Name()) {
			continue
		}
		j, err := f.job(e.Name())
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w; move the folder away to go on without it", f.of(e.Name()), err)
		}
		j.Request = nil // the disk has it
		all = append(all, j)
	}
	slices.SortStableFunc(all, func(a, b *Job) int { return a.Created.Compare(b.Created) })
	return all, nil
}
