package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/solve/admm"

	"github.com/spf13/pflag"
)

// countRanges says what the flags that count something may be, where they are given. Most have a
// default when they are left out.
var countRanges = []struct {
	flag        string
	least, most int
	defaults    bool
	commands    []string
}{
	{"nodes", 2, limits.Nodes, false, []string{"plan", "optimize", "schedule", "topology", "compare", "train"}},
	{"edges", 1, limits.Edges, false, []string{"plan", "optimize", "cluster show"}},
	{"max-degree", 1, limits.Nodes, true, []string{"plan", "optimize"}},
	{"degree", 1, limits.Nodes, true, []string{"topology"}},
	{"shifts", 1, limits.Nodes, true, []string{"topology"}},
	{"evaluations", 1, math.MaxInt, true, []string{"replan", "plan", "optimize", "schedule", "train"}},
	{"starts", 1, limits.Starts, true, []string{"plan", "optimize"}},
	{"steps", 1, admm.MostIterations, true, []string{"optimize"}},
	{"workers", 1, math.MaxInt, true, []string{"plan", "optimize", "simulate", "train"}},
	{"trials", 1, limits.Trials, true, []string{"simulate"}},
	{"rounds", 1, limits.Rounds, true, []string{"simulate"}},
	{"every", 1, limits.Every, true, []string{"train"}},
	{"jobs", 1, math.MaxInt, true, []string{"serve"}},
	{"waiting", 1, math.MaxInt, true, []string{"serve"}},
	{"kept", 1, math.MaxInt, true, []string{"serve"}},
	{"max-nodes", 2, math.MaxInt, true, []string{"serve"}},
	{"servers", 1, limits.Nodes, false, []string{"import"}},
}

// aboveZero are flags of commands whose 0 the libraries take for "not said": given on the command line it would
// silently mean the default.
var aboveZero = map[string][]string{
	"plan":     {"seed", "rho"},
	"optimize": {"seed", "rho", "growth", "share", "alpha", "epsilon"},
	"replan":   {"changes", "gain"},
	"compare":  {"seed"},
}

// checkRange complains about a number that a flag of a command cannot have.
func checkRange(command string, f *pflag.Flag) error {
	switch f.Value.Type() {
	case "int":
		return checkCount(command, f)
	case "uint64":
		if f.Value.String() == "0" && slices.Contains(aboveZero[command], f.Name) {
			return fmt.Errorf("--%s is 0; it must be at least 1%s", f.Name, leaveOut(true))
		}
	case "float64":
		v, err := strconv.ParseFloat(f.Value.String(), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("--%s is %s; it must be a finite number", f.Name, f.Value)
		}
		if v <= 0 && slices.Contains(aboveZero[command], f.Name) {
			return fmt.Errorf("--%s is %s; it must be positive%s", f.Name, f.Value, leaveOut(v == 0))
		}
	case "duration":
		free := command == "replan" && f.Name == "switch" // a change may cost nothing
		d, err := time.ParseDuration(f.Value.String())
		if err != nil || d < 0 || d == 0 && !free {
			return fmt.Errorf("--%s is %s; it must be a positive time with its unit, such as 10s", f.Name, f.Value)
		}
	}
	return nil
}

func checkCount(command string, f *pflag.Flag) error {
	value, err := strconv.Atoi(f.Value.String())
	for _, r := range countRanges {
		if r.flag != f.Name || !slices.Contains(r.commands, command) ||
			err == nil && r.least <= value && value <= r.most {
			continue
		}
		most := fmt.Sprintf("from %d to %d", r.least, r.most)
		if r.most == math.MaxInt {
			most = fmt.Sprintf("at least %d", r.least)
		}
		return fmt.Errorf("--%s is %s; it must be %s%s", f.Name, f.Value, most, leaveOut(value == 0 && r.defaults))
	}
	return nil
}

// leaveOut says, to somebody who gave 0, how to get the default.
func leaveOut(zero bool) string {
	if !zero {
		return ""
	}
	return "; leave the flag out for its default"
}
