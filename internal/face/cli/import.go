package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/format/importer"

	"github.com/spf13/cobra"
)

// importFlags say what is read and what is made of it.
type importFlags struct {
	structure, links, rates, network string
	servers                          int
	file                             string
}

func newImport(env Env) *cobra.Command {
	var how importFlags
	var formats strings.Builder
	for _, f := range importer.Formats {
		fmt.Fprintf(&formats, "\n  %-12s %s", f.Name, f.About)
	}
	c := &cobra.Command{
		Use:   "import FORMAT FILE… | import --structure FORMAT:FILE --rates FORMAT:FILE",
		Short: "Make a cluster description of what other programs say about a machine or a network",
		Long: `import reads what other programs print and writes a cluster description. Some files say which devices
share which links (structure), some what was measured between pairs (rates); --structure and --rates join them.
Rates that no file has are those of their class; the description lists them under assumptions. Standard error says how
many nodes and links were read, and what may have been misread.
--links adds the NVLinks that one file about a machine has to another that says nothing about them.
--servers puts that number of equal machines on one switch, --network puts one in the place of every host.
The file - is standard input.

Formats:` + formats.String(),
		Example: `  nvidia-smi topo -m | batopo import nvidia-smi - -o cluster.yaml
  batopo import --structure nvidia-smi:topo.txt --rates p2p:bandwidth.txt -o cluster.yaml
  batopo import nccl topo.xml --servers 4 -o cluster.yaml
  batopo import nccl ndv5-topo.xml --links nvidia-smi:topo.txt -o cluster.yaml
  batopo import nccl topo.xml --network slurm:topology.conf -o cluster.yaml
  batopo import iperf3 berlin--paris.json paris--oslo.json -o cluster.yaml`,
		Args: arguments(0, anyNumber),
		RunE: func(c *cobra.Command, args []string) error { return how.run(c.Context(), env, args) },
	}
	f := c.Flags()
	f.StringVar(&how.structure, "structure", "", "FORMAT:FILE that says which devices share links")
	f.StringVar(&how.links, "links", "", "FORMAT:FILE that says which GPUs have NVLinks")
	f.StringVar(&how.rates, "rates", "", "FORMAT:FILE that says what was measured between pairs")
	f.StringVar(&how.network, "network", "", "FORMAT:FILE of a network whose hosts are such machines")
	f.IntVar(&how.servers, "servers", 0, "how many equal machines to put on one switch")
	f.StringVarP(&how.file, "output", "o", "", "the description to write (default: standard output)")
	return c
}

func (f *importFlags) run(ctx context.Context, env Env, args []string) error {
	if f.file != "" && !toStdout(f.file) {
		if err := canWrite(f.file); err != nil {
			return err
		}
	}
	d, err := await(ctx, func() (*importer.Description, error) { return f.description(env, args) }) // - may never end
	if err != nil {
		return err
	}
	spec, err := d.Spec()
	if err != nil {
		return err
	}
	c, err := cluster.New(spec)
	if err != nil {
		return fmt.Errorf("what was read makes no cluster: %w", err)
	}
	var b bytes.Buffer
	read := fmt.Sprintf("read: %d nodes, %d links, %d pairs that can exchange", c.Nodes(), len(c.Resources()),
		c.CandidateCount())
	fmt.Fprintf(&b, "# %s\n", read)
	for _, line := range d.Notes {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	for _, line := range d.Warnings {
		fmt.Fprintf(&b, "# warning: %s\n", line)
		fmt.Fprintf(env.Stderr, "warning: %s\n", line)
	}
	fmt.Fprintln(env.Stderr, read) // many formats have no end, and look whole without their second half
	if err := c.Write(&b); err != nil {
		return err
	}
	if f.file == "" {
		f.file = "-"
	}
	return writeFile(ctx, env, f.file, func(w io.Writer) error {
		_, err := b.WriteTo(w)
		return err
	})
}

// description reads and joins what was given.
func (f *importFlags) description(env Env, args []string) (d *importer.Description, err error) {
	switch {
	case len(args) == 0 && f.structure == "" && f.rates == "":
		return nil, errors.New("import what? Give FORMAT FILE, or --structure and --rates")
	case len(args) > 0 && f.structure+f.rates != "":
		return nil, errors.New("give FORMAT FILE, or --structure and --rates, not both")
	case len(args) == 1:
		if _, err := importer.Find(args[0]); err != nil { // a file without its format
			return nil, err
		}
		return nil, fmt.Errorf("import %s needs a file; - is standard input", args[0])
	case f.network != "" && f.servers > 0:
		return nil, errors.New("give --servers or --network, not both")
	case len(args) > 0:
		d, err = readForeign(env, args[0], args[1:])
	case f.structure == "":
		d, err = readSource(env, f.rates)
	default:
		d, err = readSource(env, f.structure)
	}
	add := func(source string, join func(d, more *importer.Description) (*importer.Description, error)) {
		var more *importer.Description
		if err == nil && source != "" {
			more, err = readSource(env, source)
		}
		if err == nil && source != "" {
			d, err = join(d, more)
		}
	}
	add(f.links, importer.Linked)
	if f.structure != "" {
		add(f.rates, importer.Join)
	}
	add(f.network, func(d, network *importer.Description) (*importer.Description, error) {
		return importer.Merge(network, d)
	})
	if err == nil && f.servers > 0 {
		return importer.Repeat(d, f.servers)
	}
	return d, err
}

// readSource reads FORMAT:FILE.
func readSource(env Env, source string) (*importer.Description, error) {
	format, file, ok := strings.Cut(source, ":")
	if !ok {
		return nil, fmt.Errorf("%q must be FORMAT:FILE, such as nvidia-smi:topo.txt", source)
	}
	return readForeign(env, format, []string{file})
}

// readForeign reads files of one format. Several are pairs of one network.
func readForeign(env Env, name string, files []string) (*importer.Description, error) {
	format, err := importer.Find(name)
	if err != nil {
		return nil, err
	}
	var all []*importer.Description
	for _, file := range files {
		d, err := readOne(env, format, file)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	if format.PerPair {
		return importer.Pairs(all)
	}
	if len(all) > 1 {
		return nil, fmt.Errorf("%s describes a whole machine or network in one file; %d were given", name, len(all))
	}
	return all[0], nil
}

func readOne(env Env, format importer.Format, file string) (*importer.Description, error) {
	from, name := env.Stdin, stdinName
	if file != stdin {
		r, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		from, name = r, file
	}
	d, err := format.Read(from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	// A measurement says little about who measured: the file may be called ONE--OTHER.json.
	base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if one, other, named := strings.Cut(base, "--"); format.PerPair && named {
		d.Names = []string{one, other}
	}
	return d, nil
}
