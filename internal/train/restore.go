package train

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Restore continues where a checkpoint of the same contest was written. The contest may be longer than it was then.
// After an error the contest is as it was.
func (k *Contest) Restore(r io.Reader) error {
	sum, in := sha256.New(), bufio.NewReader(r)
	covered := io.TeeReader(in, sum)
	if err := k.checkDescription(covered); err != nil {
		return err
	}
	runs, points := make([]Run, len(k.runs)), make([][]Point, len(k.runs))
	for e := range runs {
		runs[e] = *k.runs[e]
		var err error
		if points[e], err = k.restoreRun(&runs[e], covered); err != nil {
			return fmt.Errorf("%s: %w", k.entries[e].Name, err)
		}
	}
	rest, err := io.ReadAll(io.LimitReader(in, sha256.Size+1))
	if err != nil {
		return err
	}
	if !bytes.Equal(rest, sum.Sum(nil)) {
		return errors.New("the checksum at the end is wrong; the file was damaged")
	}
	for e, r := range k.runs {
		r.iteration, r.x, r.momentum = runs[e].iteration, runs[e].x, runs[e].momentum
	}
	k.points = points
	return nil
}

// checkDescription makes sure that the checkpoint is of this contest, or says what differs.
func (k *Contest) checkDescription(r io.Reader) error {
	format := make([]byte, len(checkpointFormat))
	if _, err := io.ReadFull(r, format); err != nil || string(format) != checkpointFormat {
		return fmt.Errorf("no checkpoint: it must begin with %q", strings.TrimSpace(checkpointFormat))
	}
	length, err := count(r, longestDescription)
	if err != nil {
		return err
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return errCutOff
	}
	then, now := strings.Split(string(text), "\n"), strings.Split(k.describe(), "\n")
	for line := range max(len(then), len(now)) {
		a, b := "nothing", "nothing"
		if line < len(then) {
			a = then[line]
		}
		if line < len(now) {
			b = now[line]
		}
		if a != b {
			return fmt.Errorf("a checkpoint of other training: it has\n%s\nwhere now there is\n%s", a, b)
		}
	}
	return nil
}

// restoreRun gives the run what the checkpoint holds, in memory of its own, and returns its tests.
func (k *Contest) restoreRun(r *Run, in io.Reader) ([]Point, error) {
	var err error
	if r.iteration, err = count(in, k.length.Iterations); err != nil {
		return nil, fmt.Errorf("iterations done: %w", err)
	}
	tests, err := count(in, k.tests())
	if err != nil {
		return nil, fmt.Errorf("tests done: %w", err)
	}
	points := make([]Point, tests)
	for t := range points {
		p := &points[t]
		if p.Iteration, err = count(in, k.length.Iterations); err != nil {
			return nil, err
		}
		if at := k.testAt(t); p.Iteration != at {
			return nil, fmt.Errorf("test %d was after iteration %d; it should be after %d", t, p.Iteration, at)
		}
		for _, value := range []*float64{&p.TimeMS, &p.TrainLoss, &p.Accuracy, &p.Loss, &p.Distance} {
			if err := binary.Read(in, order, value); err != nil {
				return nil, errCutOff
			}
		}
	}
	if tests == 0 && r.iteration > 0 || tests > 0 && r.iteration < k.testAt(tests-1) ||
		r.iteration > k.testAt(tests) {
		return nil, fmt.Errorf("%d iterations and %d tests do not belong together", r.iteration, tests)
	}
	r.x, r.momentum = make([]float64, len(r.x)), make([]float64, len(r.momentum))
	for _, values := range [][]float64{r.x, r.momentum} {
		if err := binary.Read(in, order, values); err != nil {
			return nil, errCutOff
		}
	}
	return points, nil
}

var errCutOff = errors.New("the checkpoint is cut off")

// count reads a number that is at most most.
func count(r io.Reader, most int) (int, error) {
	var n uint64
	if err := binary.Read(r, order, &n); err != nil {
		return 0, errCutOff
	}
	if n > uint64(most) {
		return 0, fmt.Errorf("the checkpoint has %d; there may be %d", n, most)
	}
	return int(n), nil
}
