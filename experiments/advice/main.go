// Command advice checks the recommendation of package advise against training runs, without letting it see them. The
// epochs of every process are predicted by a convergence model that was fitted without that process; a candidate is
// chosen by the rule of batopo plan; its measured epochs times its predicted time are compared with the best of all
// candidates.
//
//	go run ./experiments/advice
package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

func main() {
	err := report(context.Background(), os.Stdout, "experiments")
	if err == nil {
		_, err = reportAdamW(context.Background(), os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "advice:", err)
		os.Exit(1)
	}
}

// scenarios are the paper's four, and servers, where hierarchical averaging can be run.
var scenarios = []string{"homogeneous-16", "node-level-16", "intra-server-8", "bcube-16-1to2", "servers-4x4"}

func report(ctx context.Context, w io.Writer, folder string) error {
	runs, err := readRuns(folder)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "| cluster | skew | norm, rate, stem, momentum | seed | candidates | recommended | best, measured | "+
		"regret | always exact |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|")
	all := map[string]*tally{}
	for _, scenario := range scenarios {
		on, err := readGround(ctx, folder, scenario)
		if err != nil {
			return err
		}
		here := races(on.fitting(runs))
		for _, skewed := range []bool{false, true} {
			found := false
			for _, race := range here {
				if race.skewed() != skewed {
					continue
				}
				row, err := race.judge(ctx, on)
				if err != nil {
					return err
				}
				found = true
				fmt.Fprintln(w, row)
				key := row.setting()
				if all[key] == nil {
					all[key] = new(tally)
				}
				all[key].add(row)
			}
			if !found {
				skew := map[bool]string{true: "0.1", false: "none"}[skewed]
				fmt.Fprintf(w, "| %s | %s | not measured | | | | | | |\n", scenario, skew)
			}
		}
	}
	writeTallies(w, all)
	return nil
}
