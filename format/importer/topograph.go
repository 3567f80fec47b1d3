package importer

import (
	"fmt"
	"maps"
	"slices"
)

// readTopograph reads a model of NVIDIA's topograph: switches, and blocks of nodes under them.
func readTopograph(source []byte) (*Description, error) {
	var file struct {
		Switches map[string]struct {
			Switches []string `yaml:"switches"`
		} `yaml:"switches"`
		Blocks []struct {
			Switch string   `yaml:"switch"`
			Nodes  []string `yaml:"nodes"`
		} `yaml:"blocks"`
	}
	if err := plainYAML(source, &file); err != nil {
		return nil, err
	}
	byName := map[string]*slurmSwitch{}
	at := func(name string) *slurmSwitch {
		if byName[name] == nil {
			byName[name] = &slurmSwitch{name: name}
		}
		return byName[name]
	}
	for name, s := range file.Switches {
		at(name).switches = s.Switches
	}
	hosts := newHostLists()
	for k, b := range file.Blocks {
		if b.Switch == "" {
			return nil, fmt.Errorf("importer: block %d has no switch", k)
		}
		for _, list := range b.Nodes {
			nodes, err := hosts.expand(list)
			if err != nil {
				return nil, fmt.Errorf("importer: block %d: %w", k, err)
			}
			at(b.Switch).nodes = append(at(b.Switch).nodes, nodes...)
		}
	}
	var all []slurmSwitch
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, *byName[name])
	}
	return switched(all, source)
}
