package work

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/examples"
	"github.com/batopo/batopo/format/importer"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/show/present"
)

// A ClusterRequest asks whether a description makes sense.
type ClusterRequest struct {
	Cluster cluster.Spec `json:"cluster"`
}

// A ClusterAnswer is a description that does, with everything filled in, and what is shown of it.
type ClusterAnswer struct {
	Cluster   cluster.Spec `json:"cluster"`
	YAML      string       `json:"yaml"`
	Nodes     int          `json:"nodes"`
	Names     []string     `json:"names"`
	Summary   string       `json:"summary"` // resources, those alike in one line
	Drawing   string       `json:"drawing,omitempty"`
	NoDrawing string       `json:"no_drawing,omitempty"` // why there is none
	MessageMB float64      `json:"message_mb"`
	ComputeMS float64      `json:"compute_ms"`  // of the slowest node
	Own       bool         `json:"own_compute"` // every node has a time of its own; the model's counts for none
	LatencyMS float64      `json:"latency_ms"`
	Target    float64      `json:"target_error"`
	Format    string       `json:"format,omitempty"` // of a file that was imported
	Notes     []string     `json:"notes,omitempty"`
	Assumed   []string     `json:"assumed,omitempty"`
}

// Describe checks a description and draws it.
func Describe(r ClusterRequest, l Limits) (ClusterAnswer, error) {
	c, err := l.build(r.Cluster)
	if err != nil {
		return ClusterAnswer{}, err
	}
	return describe(c)
}

func describe(c *cluster.Cluster) (ClusterAnswer, error) {
	m := c.Model()
	a := ClusterAnswer{Cluster: c.Spec(), Nodes: c.Nodes(), MessageMB: m.MessageMB, ComputeMS: m.ComputeMS,
		Own: c.OwnCompute(), LatencyMS: c.LatencyMS(), Target: m.TargetError}
	for i := range c.Nodes() {
		a.Names = append(a.Names, c.NodeName(i))
	}
	var yaml, summary, drawing bytes.Buffer
	if err := errors.Join(c.Write(&yaml), present.WriteCluster(&summary, c, nil, nil)); err != nil {
		return a, err
	}
	a.YAML, a.Summary = yaml.String(), summary.String()
	if c.PerNode() {
		a.NoDrawing = "machines that only have a bandwidth each" // the page has boxes for them
		return a, nil
	}
	figure, err := present.DrawCluster(c)
	if err == nil {
		err = figure.Write(&drawing)
	}
	if err != nil {
		a.NoDrawing = present.Reason(err)
	} else {
		a.Drawing = drawing.String()
	}
	return a, nil
}

// What Import calls our own descriptions, and what asks it to find out.
const (
	OwnFormat  = "batopo"
	AutoFormat = "auto"
)

// Import makes a cluster of a file that some program wrote. With servers above 1 there are that many equal machines.
func Import(format string, source []byte, servers int, l Limits) (ClusterAnswer, error) {
	if servers < 0 || servers > l.Nodes {
		return ClusterAnswer{}, fmt.Errorf("servers is %d; it may be 1 to %d", servers, l.Nodes)
	}
	switch format {
	case OwnFormat:
		if servers > 1 {
			return ClusterAnswer{}, fmt.Errorf("servers is %d, but a description of this program is not repeated: "+
				"it says itself how many machines there are; leave servers out", servers)
		}
		c, err := cluster.ReadIf("upload", bytes.NewReader(source), l.fits)
		if err != nil {
			return ClusterAnswer{}, err
		}
		a, err := describe(c)
		a.Format = OwnFormat
		return a, err
	case AutoFormat:
		return detect(source, servers, l)
	}
	f, err := importer.Find(format)
	if err != nil {
		return ClusterAnswer{}, err
	}
	return foreign(f, source, servers, l)
}

func foreign(f importer.Format, source []byte, servers int, l Limits) (ClusterAnswer, error) {
	d, err := f.Read(bytes.NewReader(source))
	if err == nil && servers > 1 {
		d, err = importer.Repeat(d, servers)
	}
	if err != nil {
		return ClusterAnswer{}, err
	}
	spec, err := d.Spec()
	if err != nil {
		return ClusterAnswer{}, err
	}
	if err := l.fits(spec); err != nil {
		return ClusterAnswer{}, err
	}
	c, err := cluster.New(spec)
	if err != nil {
		return ClusterAnswer{}, fmt.Errorf("what was read makes no cluster: %w", err)
	}
	a, err := describe(c)
	a.Format, a.Notes, a.Assumed = f.Name, slices.Concat(d.Warnings, d.Notes), d.Assumed
	return a, err
}

// detect takes the first format that the file makes sense in, be it as a cluster that is too large.
func detect(source []byte, servers int, l Limits) (ClusterAnswer, error) {
	if bytes.Contains(source, []byte(cluster.Format[:strings.IndexByte(cluster.Format, '/')])) {
		return Import(OwnFormat, source, servers, l)
	}
	for _, f := range importer.Formats {
		a, err := foreign(f, source, servers, l)
		if err == nil || errors.As(err, new(tooLarge)) {
			return a, err
		}
	}
	return ClusterAnswer{}, errors.New("the file is in none of the formats that are read; " +
		"name its format to see what is wrong with it")
}

// An Example is a description to begin with.
type Example struct {
	Name  string `json:"name"`
	About string `json:"about"` // its first comment
	YAML  string `json:"yaml"`
}

// Examples lists the descriptions that the program brings along.
func Examples() ([]Example, error) {
	names, err := fs.Glob(examples.Files, "*.yaml")
	if err != nil {
		return nil, err
	}
	var out []Example
	for _, name := range names {
		source, err := examples.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		out = append(out, Example{strings.TrimSuffix(name, ".yaml"), firstComment(string(source)), string(source)})
	}
	return out, nil
}

// firstComment is the first sentence of the comment that a file begins with.
func firstComment(source string) string {
	var words []string
	for line := range strings.Lines(source) {
		text, comment := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !comment {
			break
		}
		words = append(words, strings.TrimSpace(text))
	}
	first, _, _ := strings.Cut(strings.Join(words, " "), ". ")
	return strings.TrimSuffix(first, ".")
}

// An ImportFormat is a kind of file that is read.
type ImportFormat struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// ImportFormats lists them.
func ImportFormats() []ImportFormat {
	out := []ImportFormat{{AutoFormat, "find out"}, {OwnFormat, "a cluster description of this program, as YAML"}}
	for _, f := range importer.Formats {
		out = append(out, ImportFormat{f.Name, f.About})
	}
	return out
}

// ImportBytes is how large an upload may be.
const ImportBytes = limits.ImportBytes
