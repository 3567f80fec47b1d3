// Package limits states in one place how large an input may be. Readers and constructors ask it before they
// allocate anything, so that a typing slip or a hostile file is an error and never an exhausted machine.
package limits

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// What files and requests may ask for. Within these limits reading, checking and drawing take less than
// 2 GB and 15 s on two cores.
const (
	// Nodes of a cluster, a graph or a plan.
	Nodes = 1 << 17
	// Edges of a graph or of a plan, all rounds together.
	Edges = 1 << 20
	// CollectiveSteps is how many steps a collective may have that are listed one by one, Chunks how many chunks a
	// message may be cut into. Transfers count as Edges.
	CollectiveSteps = 1 << 12
	Chunks          = 1 << 10
	// Candidates is how many pairs a cluster may have whose pairs must be listed one by one: every cluster but
	// one where a pair loads just its two nodes.
	Candidates = 1 << 22
	// PlanBytes and GraphBytes limit files of plans, and of graphs and matrices.
	PlanBytes  = 64 << 20
	GraphBytes = 64 << 20
	// PlanDepth is how deeply a plan may nest, PlanMemory how much its lists may take once they are read: two bytes
	// of a file can stand for fifty of memory.
	PlanDepth  = 16
	PlanMemory = 320 << 20
	// ClusterBytes limits a cluster description, ClusterDepth how deeply it may nest.
	ClusterBytes = 1 << 20
	ClusterDepth = 16
	// ImportBytes limits what other programs wrote about a machine, ImportDepth how deeply that may nest,
	// ImportElements of how many elements an XML file may consist.
	ImportBytes    = 16 << 20
	ImportDepth    = 64
	ImportElements = 1 << 17
	// Trials of a simulation, Rounds of it that are kept, and TrialValues: the numbers that all trials hold together.
	Trials      = 1 << 20
	Rounds      = 1 << 21
	TrialValues = 1 << 26
	// Every is the most training steps from one round to the next.
	Every = 1 << 16
	// RankSteps is how many steps tables of what ranks do may have, all ranks and rounds together.
	RankSteps = 1 << 24
	// Starts is how many independent runs of one method may be asked for.
	Starts = 1 << 16
	// Hops is how many resources one edge may pass.
	Hops = 64
	// MatrixNodes is how many nodes a matrix of measured pairs may have, RouteSteps how many steps of routes through
	// a graph of links are kept: nodes times places.
	MatrixNodes = 1 << 10
	RouteSteps  = 1 << 24
	// Images of a data set's part, bytes of one image, and bytes of a file of images once it is unpacked.
	Images     = 1 << 20
	ImageBytes = 1 << 16
	DataBytes  = 512 << 20
	// TrainingValues is how many parameters all models of a training run may have together, and how many numbers
	// their layers may hold for a batch; Layers is how many layers a model may have, LayerWidth how wide they may be.
	TrainingValues = 1 << 26
	Layers         = 16
	LayerWidth     = 1 << 14
	// Workers is how many goroutines may train at the same time.
	Workers = 1 << 10
	// Complaints is how many things wrong with one input are reported before the rest is only counted.
	Complaints = 20
)

// TooLarge is the error of what is not computed at this size. It says nothing about whether it exists.
type TooLarge string

func (t TooLarge) Error() string { return string(t) }

// Refuse returns a TooLarge.
func Refuse(format string, args ...any) error { return TooLarge(fmt.Sprintf(format, args...)) }

// ReadAll reads at most limit bytes. What says what is being read, for the message: "a plan", "an edge list". Errors do
// not name the file: those who opened it do.
func ReadAll(r io.Reader, limit int, what string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		return nil, file.Err
	}
	if err != nil {
		return nil, err
	}
	if len(b) > limit {
		return nil, fmt.Errorf("larger than %d MiB, the most that %s may have", limit>>20, what)
	}
	return b, nil
}
