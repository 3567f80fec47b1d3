package importer

import (
	"errors"
	"fmt"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/ground/plainyaml"

	"github.com/goccy/go-yaml"
)

// A slurmSwitch is what both of Slurm's formats say about a switch.
type slurmSwitch struct {
	name            string
	switches, nodes []string
}

// readSlurmConf reads Slurm's topology.conf, plugin tree, and what scontrol show topology prints of it, where a switch
// above others has a Level and lists all nodes below. Rates are not in either.
func readSlurmConf(source []byte) (*Description, error) {
	var all []slurmSwitch
	hosts := newHostLists()
	first, joined := 1, "" // a line and those that continue it
	for k, line := range strings.Split(string(source), "\n") {
		more, continued := strings.CutSuffix(strings.TrimRight(line, " \t\r"), "\\")
		if joined += more; continued {
			continue
		}
		text, _, _ := strings.Cut(joined, "#")
		s, err := slurmLine(text, hosts)
		if err != nil {
			return nil, fmt.Errorf("importer: line %d: %w", first, err)
		}
		if s.name != "" {
			all = append(all, s)
		}
		first, joined = k+2, ""
	}
	return switched(all, source)
}

// slurmLine reads the switch of one line; without a name where the line is empty.
func slurmLine(line string, hosts *hostLists) (s slurmSwitch, err error) {
	seen := map[string]bool{}
	for _, field := range strings.Fields(line) {
		written, value, ok := strings.Cut(field, "=")
		if !ok {
			return s, fmt.Errorf("%q is no key=value", shorten(field))
		}
		key := strings.ToLower(written)
		switch key {
		case "switchname":
			s.name = value
		case "switches":
			s.switches, err = hosts.expand(value)
		case "nodes":
			s.nodes, err = hosts.expand(value)
		case "level", "linkspeed": // the speed, Slurm itself says, means nothing
		default:
			err = fmt.Errorf("unknown key %q; keys are SwitchName, Switches, Nodes, LinkSpeed and Level", shorten(written))
		}
		if seen[key] && err == nil {
			err = fmt.Errorf("the key %q is given twice; write one list, or one line per switch", written)
		}
		if seen[key] = true; err != nil {
			return s, err
		}
	}
	if s.name == "" && (s.switches != nil || s.nodes != nil) {
		return s, errors.New("no SwitchName")
	}
	if seen["level"] && s.switches != nil { // printed by scontrol
		s.nodes = nil
	}
	return s, nil
}

// readSlurmYAML reads Slurm's topology.yaml: the topology that is the default, else the first, which must be a tree.
func readSlurmYAML(source []byte) (*Description, error) {
	var file []struct {
		Topology string `yaml:"topology"`
		Default  bool   `yaml:"cluster_default"`
		Tree     *struct {
			Switches []struct {
				Switch   string `yaml:"switch"`
				Children string `yaml:"children"`
				Nodes    string `yaml:"nodes"`
			} `yaml:"switches"`
		} `yaml:"tree"`
	}
	if err := plainYAML(source, &file); err != nil {
		return nil, err
	}
	if len(file) == 0 {
		return nil, errors.New("importer: no topology; a topology.yaml is a list of them")
	}
	chosen := file[0]
	for _, t := range file {
		if t.Default {
			chosen = t
			break
		}
	}
	if chosen.Tree == nil {
		return nil, fmt.Errorf("importer: the topology %q is no tree; block and flat topologies do not say who shares links",
			shorten(chosen.Topology))
	}
	var all []slurmSwitch
	hosts := newHostLists()
	for _, s := range chosen.Tree.Switches {
		one, err := slurmSwitch{name: s.Switch}, error(nil)
		if one.switches, err = hosts.expand(s.Children); err == nil {
			one.nodes, err = hosts.expand(s.Nodes)
		}
		if err != nil {
			return nil, fmt.Errorf("importer: switch %s: %w", shorten(s.Switch), err)
		}
		all = append(all, one)
	}
	return switched(all, source)
}

// plainYAML decodes YAML without anchors, aliases and deep nesting.
func plainYAML(source []byte, into any) error {
	if _, err := plainyaml.Tokens(string(source), limits.ClusterDepth); err != nil {
		return fmt.Errorf("importer: %w", err)
	}
	if err := unmarshal(source, into); err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return fmt.Errorf("importer: not the YAML that was expected: %s", shorten(first))
	}
	return nil
}

// unmarshal is the library's, which panics on some files that are no YAML, such as a tag in the place of a list.
func unmarshal(source []byte, into any) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("a topology.yaml is a list of topologies")
		}
	}()
	return yaml.Unmarshal(source, into)
}

// switched makes a tree of the switches of a file, which must end with the end of a line: in the middle of a name there
// would be a node that does not exist. Nodes that two switches claim belong to the first; switches under none hang
// together on one above.
func switched(all []slurmSwitch, source []byte) (*Description, error) {
	if err := whole(source); err != nil {
		return nil, err
	}
	d := &Description{}
	byName, below := map[string]int{}, map[string]bool{}
	for k, s := range all {
		if _, twice := byName[s.name]; twice {
			return nil, fmt.Errorf("importer: the switch %s is described twice", shorten(s.name))
		}
		if len(s.switches)+len(s.nodes) == 0 {
			return nil, fmt.Errorf("importer: the switch %s has neither nodes nor switches; is the end of the file missing?",
				shorten(s.name))
		}
		byName[s.name] = k
		for _, inner := range s.switches {
			if below[inner] {
				return nil, fmt.Errorf("importer: the switch %s is under two others, so this is no tree", shorten(inner))
			}
			below[inner] = true
		}
	}
	b := slurmBuilder{d: d, all: all, byName: byName, seen: map[string]bool{}, passed: map[string]bool{}}
	root := cluster.Group{}
	for _, s := range all {
		if !below[s.name] {
			g, err := b.group(s.name, 0)
			if err != nil {
				return nil, err
			}
			root.Groups = append(root.Groups, g)
		}
	}
	if len(b.passed) < len(all) || len(d.Names) < 2 {
		return nil, fmt.Errorf("importer: %d switches hold %d nodes; at least two nodes are needed, "+
			"and no switch may be under itself", len(all), len(d.Names))
	}
	if len(root.Groups) == 1 {
		root = root.Groups[0]
		root.Uplink = nil
	}
	for k, node := range b.twice {
		if k == mostListed {
			d.note("so are %d more nodes", len(b.twice)-k)
			break
		}
		d.note("node %s is under two switches; the first counts", node)
	}
	d.assume(assumedNodes)
	d.assume(assumedUplinks)
	d.Tree = &root
	return d, nil
}

type slurmBuilder struct {
	d            *Description
	all          []slurmSwitch
	byName       map[string]int
	seen, passed map[string]bool // nodes, switches
	twice        []string        // nodes that a second switch claims
}

func (b *slurmBuilder) group(name string, depth int) (g cluster.Group, err error) {
	k, known := b.byName[name]
	if !known {
		return g, fmt.Errorf("importer: the switch %s is named, but not described", shorten(name))
	}
	if depth > mostLevels {
		return g, fmt.Errorf("importer: switches are nested more than %d levels deep, or in a circle", mostLevels)
	}
	b.passed[name] = true
	g.Name = name
	for _, node := range b.all[k].nodes {
		if b.seen[node] {
			b.twice = append(b.twice, node)
			continue
		}
		b.seen[node] = true
		g.Nodes, g.Link = g.Nodes+1, link(nicGBs)
		if b.d.Names = append(b.d.Names, node); len(b.d.Names) > limits.Nodes {
			return g, fmt.Errorf("importer: more than %d nodes", limits.Nodes)
		}
	}
	for _, inner := range b.all[k].switches {
		below, err := b.group(inner, depth+1)
		if err != nil {
			return g, err
		}
		if below.Size() > 0 {
			g.Groups = append(g.Groups, below)
		}
	}
	if n := g.Size(); n > 0 {
		g.Uplink = link(float64(n) * nicGBs)
	}
	return g, nil
}

const (
	assumedNodes   = "nodes: 12 GB/s (100 Gb/s) each"
	assumedUplinks = "uplinks of switches: as fast as all nodes below them together"
)

// mostLevels is how many levels of switches a description may have.
const mostLevels = 5
