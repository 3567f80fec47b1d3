package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"batopo/design"
	"batopo/verify"

	"github.com/spf13/cobra"
)

func newVerify(env Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify PLAN…",
		Short: "Recheck every claim of a plan; exit 1 if one is false",
		Long: `verify recomputes every number of a plan from its edges and weights, with code that
cannot see a solver: the spectrum, the bounds from the argument they name, the loads and
times under the plan's own cluster, the limits it was asked to keep, the hash.
What can be neither repeated nor refuted is listed as not proved and counted: estimates,
how the plan was found, words for people, and what would take too long.`,
		Example: "  batopo verify plan.json",
		Args:    arguments(1, anyNumber),
		RunE: func(c *cobra.Command, args []string) error {
			type checked struct {
				File   string        `json:"file"`
				OK     bool          `json:"ok"`
				Report verify.Report `json:"findings"`
			}
			var all []checked
			var failed []error
			for _, name := range args {
				report, err := await(c.Context(), func() (verify.Report, error) { return checkFile(c.Context(), name) })
				if err != nil {
					return err
				}
				if err := report.Err(); err != nil {
					failed = append(failed, fmt.Errorf("%s: %w", name, err))
				}
				all = append(all, checked{name, report.Err() == nil, report})
				if !asJSON {
					printFindings(env, name, report)
				}
			}
			if asJSON {
				if err := writeJSON(env.Stdout, all); err != nil {
					return err
				}
			}
			if err := errors.Join(failed...); err != nil {
				return answerNo{err}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return c
}

// checkFile rechecks the plan in a file.
func checkFile(ctx context.Context, name string) (verify.Report, error) {
	plan, err := design.ReadPlanFile(name)
	if err != nil {
		return nil, err
	}
	report, err := verify.Check(ctx, plan)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return report, nil
}

func printFindings(env Env, name string, report verify.Report) {
	counts := map[verify.Status]int{}
	for _, f := range report {
		counts[f.Status]++
		mark := map[verify.Status]string{verify.OK: "ok      ", verify.False: "FALSE   ", verify.Unproved: "unproved"}[f.Status]
		line := fmt.Sprintf("  %s  %-30s", mark, f.Claim)
		switch {
		case f.Numeric() && f.Status == verify.Unproved && f.Recomputed == 0: // nothing was recomputed
			line += fmt.Sprintf(" %-20.12g", f.Claimed)
		case f.Numeric():
			line += fmt.Sprintf(" %-20.12g %.12g", f.Claimed, f.Recomputed)
		}
		if f.Detail != "" {
			line += "  " + f.Detail
		}
		fmt.Fprintln(env.Stdout, strings.TrimRight(line, " "))
	}
	fmt.Fprintf(env.Stdout, "%s: %s, %s, %s\n", name, inflected(counts[verify.OK], "claim holds", "claims hold"),
		inflected(counts[verify.False], "is false", "are false"), inflected(counts[verify.Unproved], "is not proved", "are not proved"))
}
