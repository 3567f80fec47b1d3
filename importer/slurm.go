package importer

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/limits"

	"github.com/goccy/go-yaml"
)

// A slurmSwitch is what both of Slurm's formats say about a switch.
type slurmSwitch struct {
	name            string
	switches, nodes []string
}

// SlurmConf reads Slurm's topology.conf, plugin tree, and what scontrol show topology prints of it, where a switch
// above others has a Level and lists all nodes below. Rates are not in either.
func SlurmConf(r io.Reader) (*Description, error) {
	source, err := limits.ReadText(r, limits.ImportBytes, "a topology.conf")
	if err != nil {
		return nil, err
	}
	var all []slurmSwitch
	text := strings.ReplaceAll(string(source), "\\\n", " ")
	for k, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		var s slurmSwitch
		printed := false // by scontrol
		for _, field := range strings.Fields(line) {
			key, value, ok := strings.Cut(field, "=")
			if !ok {
				return nil, fmt.Errorf("importer: line %d: %q is no key=value", k+1, shorten(field))
			}
			switch strings.ToLower(key) {
			case "switchname":
				s.name = value
			case "switches":
				s.switches, err = hosts(value)
			case "nodes":
				s.nodes, err = hosts(value)
			case "level":
				printed = true
			case "linkspeed": // Slurm itself says that it means nothing
			default:
				err = fmt.Errorf("unknown key %q; keys are SwitchName, Switches, Nodes, LinkSpeed and Level", shorten(key))
			}
			if err != nil {
				return nil, fmt.Errorf("importer: line %d: %w", k+1, err)
			}
		}
		if s.name == "" && (s.switches != nil || s.nodes != nil) {
			return nil, fmt.Errorf("importer: line %d: no SwitchName", k+1)
		}
		if printed && s.switches != nil {
			s.nodes = nil
		}
		if s.name != "" {
			all = append(all, s)
		}
	}
	return switched(all)
}

// SlurmYAML reads Slurm's topology.yaml: the topology that is the default, else the first, which must be a tree.
func SlurmYAML(r io.Reader) (*Description, error) {
	source, err := limits.ReadText(r, limits.ClusterBytes, "a topology.yaml")
	if err != nil {
		return nil, err
	}
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
	for _, s := range chosen.Tree.Switches {
		one := slurmSwitch{name: s.Switch}
		if one.switches, err = hosts(s.Children); err == nil {
			one.nodes, err = hosts(s.Nodes)
		}
		if err != nil {
			return nil, fmt.Errorf("importer: switch %s: %w", shorten(s.Switch), err)
		}
		all = append(all, one)
	}
	return switched(all)
}

// plainYAML decodes YAML without anchors and aliases, whose meaning can be endless.
func plainYAML(source []byte, into any) error {
	for k, line := range strings.Split(string(source), "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			if word = strings.TrimLeft(word, "[{,"); len(word) > 1 && (word[0] == '&' || word[0] == '*') {
				return fmt.Errorf("importer: line %d: anchors and aliases are not supported", k+1)
			}
		}
		depth := strings.Count(line, "[") + strings.Count(line, "{")
		if depth > limits.ImportDepth && !strings.Contains(line, "]") {
			return fmt.Errorf("importer: line %d: nested more than %d levels deep", k+1, limits.ImportDepth)
		}
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

// switched makes a tree of switches. Nodes that two switches claim belong to the first; switches under none hang
// together on one above.
func switched(all []slurmSwitch) (*Description, error) {
	d := &Description{}
	byName, below := map[string]int{}, map[string]bool{}
	for k, s := range all {
		if _, twice := byName[s.name]; twice {
			return nil, fmt.Errorf("importer: the switch %s is described twice", shorten(s.name))
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
			b.d.note("node %s is under two switches; the first counts", node)
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
		if count(&below) > 0 {
			g.Groups = append(g.Groups, below)
		}
	}
	if n := count(&g); n > 0 {
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
