package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/batopo/batopo/admm"
	"github.com/batopo/batopo/experiments/internal/ledger"
)

// A checkpoint keeps the state of a long run in a file, so that it can be broken off.
type checkpoint struct {
	file string
	log  io.Writer
}

// A stored state knows how long the run took so far.
type stored struct {
	State admm.State
	Took  time.Duration
}

// attach lets a run save its state, and go on from one that is there; before is what it took to come there.
func (c checkpoint) attach(s *admm.Settings) (before time.Duration, err error) {
	f, err := os.Open(c.file)
	switch {
	case err == nil:
		defer f.Close()
		var had stored
		if err := gob.NewDecoder(f).Decode(&had); err != nil {
			return 0, fmt.Errorf("%s: %w; remove it to begin again", c.file, err)
		}
		s.Resume, before = &had.State, had.Took
	case !errors.Is(err, fs.ErrNotExist):
		return 0, err
	}
	started := time.Now()
	s.Save = func(state admm.State) {
		fmt.Fprintf(c.log, "step %d … ", state.Step)
		took := before + time.Since(started)
		err := os.MkdirAll(filepath.Dir(c.file), 0o755)
		if err == nil {
			err = ledger.Write(c.file, func(w io.Writer) error { return gob.NewEncoder(w).Encode(stored{state, took}) })
		}
		if err != nil {
			fmt.Fprintf(c.log, "not saved: %v ", err)
		}
	}
	return before, nil
}

func (c checkpoint) remove() error {
	if err := os.Remove(c.file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
