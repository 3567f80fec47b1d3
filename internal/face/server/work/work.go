package work

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/show/present"
)

// Limits say how large a job may be.
type Limits struct {
	Nodes       int // of a cluster
	Evaluations int // of a search
	Iterations  int // of a training
	// Drawing is how long curves and pictures may take after a search that was stopped.
	Drawing time.Duration
}

// tooLarge says that a cluster has more nodes than the server takes.
type tooLarge struct{ nodes, most int }

func (e tooLarge) Error() string {
	return fmt.Sprintf("the cluster has %d nodes; this server takes up to %d", e.nodes, e.most)
}

// fits complains about a description that is too large, before anything is built of it.
func (l Limits) fits(s cluster.Spec) error {
	if n := s.Size(); n > l.Nodes {
		return tooLarge{n, l.Nodes}
	}
	return nil
}

// build makes a cluster that is not too large.
func (l Limits) build(s cluster.Spec) (*cluster.Cluster, error) {
	if err := l.fits(s); err != nil {
		return nil, err
	}
	c, err := cluster.New(s)
	if err != nil {
		return nil, fmt.Errorf("the cluster: %w", err)
	}
	return c, nil
}

// ResultFile is the file of every job that holds its answer as JSON.
const ResultFile = "result.json"

// A task is a request that can be checked and run.
type task interface {
	check(Limits) (title string, err error)
	run(context.Context, Limits, *jobs.Feed) ([]outfile.File, error)
}

// A JobKind is a sort of job.
type JobKind struct {
	Name  string
	About string
	New   func() any // a request with its defaults

	Answer any // an empty value of what result.json holds
}

// Kinds lists what can be asked for.
var Kinds = []JobKind{
	{"plan", "choose everything: how many edges, which, and with what weights", func() any { return new(PlanRequest) },
		PlanAnswer{}},
	{"optimize", "the best graph within an edge budget", func() any { return new(OptimizeRequest) },
		PlanAnswer{}},
	{"compare", "price every known topology on a cluster", func() any { return new(CompareRequest) },
		CompareAnswer{}},
	{"simulate", "consensus error of plans over rounds and time", func() any { r := DefaultSimulation(); return &r },
		SimulateAnswer{}},
	{"train", "decentralised SGD on small digits, over predicted time", func() any { r := DefaultTraining(); return &r },
		TrainAnswer{}},
}

func read(kind string, source []byte) (task, error) {
	for _, k := range Kinds {
		if k.Name == kind {
			request := k.New()
			return request.(task), design.ReadStrict("request", source, request)
		}
	}
	return nil, fmt.Errorf("there are no jobs of kind %q", kind)
}

// Check complains about a request that cannot be run, and gives a good one a title for lists.
func Check(kind string, source []byte, l Limits) (title string, err error) {
	t, err := read(kind, source)
	if err != nil {
		return "", err
	}
	return t.check(l)
}

// Run does what a request asks for; see [jobs.Work].
func (l Limits) Run(
	ctx context.Context, kind string, source json.RawMessage, feed *jobs.Feed,
) ([]outfile.File, error) {
	t, err := read(kind, source)
	if err != nil {
		return nil, err
	}
	files, err := t.run(ctx, l, feed)
	switch {
	case err != nil:
		err = errors.New(present.Reason(err))
	case len(files) == 0:
		err = errors.New("it was stopped before there was an answer")
	}
	return files, err
}

// jsonFile is a file that holds v.
func jsonFile(name string, v any) outfile.File {
	return outfile.File{Name: name, Write: func(w io.Writer) error { return json.NewEncoder(w).Encode(v) }}
}

// written makes the bytes of files now, so that a drawing that fails is left out before anything is on the disk.
func written(files []outfile.File) ([]outfile.File, error) {
	for k, f := range files {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		files[k].Write = func(w io.Writer) error {
			_, err := w.Write(b.Bytes())
			return err
		}
	}
	return files, nil
}

func nodesTitle(c *cluster.Cluster) string { return present.Count(c.Nodes(), "node") }
