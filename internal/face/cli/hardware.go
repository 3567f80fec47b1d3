package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"

	"github.com/batopo/batopo/cluster"

	"github.com/spf13/cobra"
)

// clusterFlags describe hardware to every command without a file, and the model with one.
type clusterFlags struct {
	nodes              int
	bandwidth, latency quantityFlag
	message, compute   quantityFlag
	command            *cobra.Command // whose standard input may hold the description
}

func (f *clusterFlags) bind(c *cobra.Command) {
	f.command = c
	c.Flags().IntVarP(&f.nodes, "nodes", "n", 0, "that many equal machines, without a cluster description")
	f.bandwidth = quantityFlag{name: "bandwidth", field: "bandwidth", unit: "GB/s"}
	f.latency = quantityFlag{name: "latency", field: "latency_ms", unit: "ms"}
	f.message = quantityFlag{name: "message", field: "model.message_mb", unit: "MB"}
	f.compute = quantityFlag{name: "compute", field: "model.compute_ms", unit: "ms"}
	for q, usage := range map[*quantityFlag]string{
		&f.bandwidth: fmt.Sprintf("of each of --nodes, such as 100Gb/s (default %v GB/s)", cluster.PaperBandwidthGBs),
		&f.latency:   "of a message between --nodes, such as 50us (default 0)",
		&f.message: fmt.Sprintf("what a machine sends to each peer: the size of the model (default %v MB)",
			cluster.PaperMessageMB),
		&f.compute: fmt.Sprintf("time of a training step, such as 80ms (default %v ms)", cluster.PaperComputeMS),
	} {
		c.Flags().Var(q, q.name, usage)
	}
}

// resolve returns the cluster of a file or of --nodes; nil when neither was given.
func (f *clusterFlags) resolve(file string) (*cluster.Cluster, error) {
	c, err := f.build(file)
	if c != nil && err == nil {
		f.readBack()
	}
	return c, err
}

func (f *clusterFlags) build(file string) (*cluster.Cluster, error) {
	m := f.message
	switch {
	case m.bare && m.value > mostMessage && !math.IsInf(m.value, 1):
		return nil, fmt.Errorf("--message is %.0f, which means MB and is %v TB; write the unit, such as %.0fB", m.value,
			m.value/1e6, m.value)
	case file != "" && f.nodes != 0:
		return nil, fmt.Errorf("both --nodes and %s were given; the file says how many nodes there are",
			shownName(file))
	case f.nodes == 0 && (f.bandwidth.given || f.latency.given):
		return nil, errors.New("--bandwidth and --latency are those of --nodes; a cluster description has its own")
	case file != "":
		return f.ofFile(file)
	case f.nodes != 0:
		return f.equal()
	}
	return nil, nil
}

// mostMessage is beyond every model, in MB: a number that large was meant in bytes.
const mostMessage = 1e7

// readBack says what numbers without a unit were taken for.
func (f *clusterFlags) readBack() {
	if quiet := f.command.Flags().Lookup("quiet"); quiet != nil && quiet.Value.String() == "true" {
		return
	}
	for _, q := range []quantityFlag{f.bandwidth, f.latency, f.message, f.compute} {
		if q.bare && q.value != 0 {
			fmt.Fprintf(f.command.ErrOrStderr(), "--%s is taken for %v %s%s\n", q.name, q.value, q.unit, inBits(q))
		}
	}
}

// inBits is a bandwidth as makers of networks write it.
func inBits(q quantityFlag) string {
	if q.unit != "GB/s" {
		return ""
	}
	return fmt.Sprintf(", which is %v Gb/s", 8*q.value)
}

func (f *clusterFlags) equal() (*cluster.Cluster, error) {
	gbs := cluster.PaperBandwidthGBs
	if f.bandwidth.given {
		gbs = f.bandwidth.value
	}
	s := cluster.Homogeneous(f.nodes, gbs)
	s.LatencyMS = f.latency.value
	c, err := cluster.New(s.WithTraining(f.message.pointer(), f.compute.pointer()))
	return c, f.blamed("", err)
}

// ofFile reads a description; what the flags say about the model goes before what it says.
func (f *clusterFlags) ofFile(file string) (*cluster.Cluster, error) {
	c, err := readCluster(f.command.Context(), f.command.InOrStdin(), file)
	if err != nil || !f.message.given && !f.compute.given {
		return c, err
	}
	c, err = cluster.New(c.Spec().WithTraining(f.message.pointer(), f.compute.pointer()))
	return c, f.blamed(shownName(file)+": ", err)
}

// blamed names the flags that set what is wrong; the rest is wrong in the description.
func (f *clusterFlags) blamed(file string, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	flags := map[string]string{}
	for _, q := range []quantityFlag{f.bandwidth, f.latency, f.message, f.compute} {
		if q.given {
			flags["$."+q.field] = q.name
		}
	}
	var errs []error
	for _, e := range joined.Unwrap() {
		var field *cluster.FieldError
		if errors.As(e, &field) && flags[field.Path] != "" {
			errs = append(errs, fmt.Errorf("--%s %s", flags[field.Path], field.Message))
		} else {
			errs = append(errs, fmt.Errorf("%s%w", file, e))
		}
	}
	return errors.Join(errs...)
}

// required is resolve for commands that cannot do without a cluster.
func (f *clusterFlags) required(args []string) (*cluster.Cluster, error) {
	file := ""
	if len(args) > 0 {
		file = args[0]
		if !isCluster(file) && file != stdin {
			return nil, notACluster(file)
		}
	}
	c, err := f.resolve(file)
	if c == nil && err == nil {
		return nil, errors.New("for which machines? Give --nodes N or a cluster description")
	}
	return c, err
}

// notACluster says what a word on the command line that should have been a cluster description may have been.
func notACluster(word string) error {
	if _, err := strconv.Atoi(word); err == nil {
		return fmt.Errorf("%q stands alone; for that number of equal machines write --nodes %s", word, word)
	}
	if info, err := os.Stat(word); err == nil && info.IsDir() {
		return fmt.Errorf("%s: is a folder; name the cluster description in it, a file that ends in .yaml", word)
	}
	for _, unit := range []string{"GB/s", "ms", "MB"} {
		if _, err := cluster.ParseQuantity("1"+word, unit); err == nil {
			return fmt.Errorf("%q stands alone; a number and its unit are written together, such as 14%s", word, word)
		}
	}
	return fmt.Errorf("%s: a cluster description ends in .yaml; batopo import makes one of what other programs print",
		word)
}

// A quantityFlag is a number that may be written with its unit. It sets a field of a description.
type quantityFlag struct {
	name  string
	field string
	unit  string
	value float64
	given bool
	bare  bool // it was written without a unit
}

func (q *quantityFlag) Set(text string) error {
	v, err := cluster.ParseQuantity(text, q.unit)
	_, plain := strconv.ParseFloat(text, 64)
	q.value, q.given, q.bare = v, true, plain == nil
	return err
}

// pointer is nil for a flag that was not given.
func (q *quantityFlag) pointer() *float64 {
	if !q.given {
		return nil
	}
	return &q.value
}

func (q *quantityFlag) String() string {
	if !q.given {
		return ""
	}
	return strconv.FormatFloat(q.value, 'g', -1, 64) + " " + q.unit
}

func (q *quantityFlag) Type() string { return q.unit }

// A countFlag is a number of parameters, such as 7B.
type countFlag float64

func (f *countFlag) Set(text string) error {
	v, err := cluster.ParseQuantity(text, "parameters")
	*f = countFlag(v)
	return err
}

func (f *countFlag) String() string {
	if *f == 0 {
		return ""
	}
	return cluster.Count(float64(*f))
}

func (f *countFlag) Type() string { return "count" }
