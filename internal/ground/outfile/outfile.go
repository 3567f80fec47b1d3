// Package outfile writes files that hold all of their new content or all of their old one, also when the program is
// killed or the machine loses power in between.
//
// Links are followed. A regular file is replaced: its new content is written beside it, brought to the disk, and
// takes its name; permissions and owner stay. Where that cannot be done the file is overwritten in place, after all
// of its content has been made: when it has further hard links, which are to stay the same file, when its owner
// could not be kept, and when its folder takes no new files. A kill in the middle of that can leave half a file.
// Devices, pipes and sockets are written to as they are.
package outfile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Write writes a file. A context that ends does so only to the wait for the reader of a pipe.
func Write(ctx context.Context, name string, write func(io.Writer) error) error {
	p, err := prepare(ctx, name, write)
	if err == nil {
		defer p.abandon()
		err = p.commit()
	}
	return cannot(name, err)
}

// Check complains about a file that could not be written, before the work whose result it should hold.
func Check(name string) error {
	target, info, err := resolve(name)
	if err != nil || info != nil && !info.Mode().IsRegular() {
		return cannot(name, err)
	}
	if info != nil {
		return cannot(name, writable(target))
	}
	f, err := createBeside(target)
	if err == nil {
		err = discard(f)
	}
	return cannot(name, err)
}

// contentError is an error of what makes the content; the file is not to blame.
type contentError struct{ error }

func (e contentError) Unwrap() error { return e.error }

func cannot(name string, err error) error {
	if err == nil {
		return nil
	}
	var made contentError
	if errors.As(err, &made) {
		return fmt.Errorf("writing %s: %w", name, made.error)
	}
	var path *fs.PathError // its path may name a temporary file, which the user does not know
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("cannot write %s: %w", name, err)
}

// A pending file has its new content ready; commit gives it to the file.
type pending struct {
	target    string
	temporary string // holds the content, on the disk
	content   []byte // holds it where the file must be overwritten
	overwrite bool
}

// prepare does all that is likely to fail: it makes the content and brings it to the disk.
func prepare(ctx context.Context, name string, write func(io.Writer) error) (*pending, error) {
	target, info, err := resolve(name)
	if err != nil {
		return nil, err
	}
	if info != nil && !info.Mode().IsRegular() {
		return &pending{}, stream(ctx, name, write)
	}
	f, err := replacement(target, info)
	if err != nil {
		return nil, err
	}
	if f == nil {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return nil, contentError{err}
		}
		return &pending{target: target, content: b.Bytes(), overwrite: true}, nil
	}
	p := &pending{target: target, temporary: f.Name()}
	if err := fill(f, write, (*os.File).Sync); err != nil {
		p.abandon()
		return nil, err
	}
	return p, nil
}

// fill writes content into an open file, lets finish see it, and closes it.
func fill(f *os.File, write func(io.Writer) error, finish func(*os.File) error) error {
	buffered := bufio.NewWriterSize(f, 1<<16)
	err := write(buffered)
	if err != nil {
		err = contentError{err}
	} else if err = buffered.Flush(); err == nil {
		err = finish(f)
	}
	return errors.Join(err, f.Close())
}

// commit replaces the file's content by the new one.
func (p *pending) commit() error {
	if p.temporary != "" {
		if err := os.Rename(p.temporary, p.target); err != nil {
			return err
		}
		p.temporary = ""
		return syncFolder(filepath.Dir(p.target))
	}
	if !p.overwrite {
		return nil
	}
	f, err := os.OpenFile(p.target, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	return fill(f, func(w io.Writer) error { _, err := w.Write(p.content); return err }, (*os.File).Sync)
}

// abandon leaves the old file as it was; after commit it does nothing.
func (p *pending) abandon() {
	if p.temporary != "" {
		os.Remove(p.temporary)
	}
}

// stream writes straight into a device or a pipe, and gives up waiting for a pipe's reader when the context ends.
func stream(ctx context.Context, name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	for errors.Is(err, syscall.ENXIO) { // nobody reads the pipe yet
		select {
		case <-ctx.Done():
			return errors.New("interrupted while nobody read from it")
		case <-time.After(20 * time.Millisecond):
		}
		f, err = os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	}
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = f.SetWriteDeadline(time.Now()) })() // what has no deadline does not block
	return fill(f, write, func(*os.File) error { return nil })
}
