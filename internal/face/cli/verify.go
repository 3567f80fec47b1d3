package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/trial"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/verify"

	"github.com/spf13/cobra"
)

func newVerify(env Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify PLAN…",
		Short: "Recheck every claim of a plan, or of a trial; exit 1 if one is false",
		Long: `verify recomputes every number of a plan from its edges and weights, with code that
cannot see a solver: the spectrum, the bounds from the argument they name, the loads and
times under the plan's own cluster, the limits it was asked to keep, the hash.
What can be neither repeated nor refuted is listed as not proved and counted: estimates,
how the plan was found, text for people, and what would take too long. The exit status is
1 where a claim is false, and 0 also where some are not proved: the last line, and not_proved
of --json, say how many. It is 2 where a file is no plan; the others are checked all the same.
Of a trial.json it rechecks the medians, which way is the fastest, and the plans in it.
The plan - is standard input.`,
		Example: `  batopo verify plan.json
  batopo optimize --nodes 16 --edges 32 --json | batopo verify -`,
		Args: arguments(1, anyNumber),
		RunE: func(c *cobra.Command, args []string) error { return verifyFiles(c.Context(), env, args, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return c
}

// verifyFiles rechecks the plans in files. One that cannot be read costs no other its report.
func verifyFiles(ctx context.Context, env Env, names []string, asJSON bool) error {
	var all []present.FindingsJSON
	var unreadable, untrue []error
	for _, name := range names {
		found, err := await(ctx, func() (verify.Report, error) { return checkFile(ctx, env, name) })
		name := shownName(name)
		if err != nil {
			unreadable = append(unreadable, err)
			all = append(all, present.FindingsJSON{File: name, Findings: verify.Report{}, Error: err.Error()})
			if ctx.Err() != nil {
				break
			}
			continue
		}
		if err := found.Err(); err != nil {
			untrue = append(untrue, fmt.Errorf("%s: %w", name, err))
		}
		all = append(all, present.NewFindingsJSON(name, found))
		if asJSON {
			continue
		}
		if err := present.WriteFindings(env.Stdout, name, found); err != nil {
			return err
		}
	}
	if asJSON {
		if err := present.WriteJSON(env.Stdout, all); err != nil {
			return err
		}
	}
	if len(unreadable) > 0 {
		return errors.Join(append(unreadable, untrue...)...)
	}
	if err := errors.Join(untrue...); err != nil {
		return answerNo{err}
	}
	return nil
}

func checkFile(ctx context.Context, env Env, name string) (verify.Report, error) {
	in := env.Stdin
	if name != stdin {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	name = shownName(name)
	source, err := limits.ReadAll(in, limits.PlanBytes, "a plan")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	found, err := checkSource(ctx, name, source)
	if err != nil && !strings.HasPrefix(err.Error(), name) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return found, err
}

func checkSource(ctx context.Context, name string, source []byte) (verify.Report, error) {
	if trial.Is(source) {
		t, err := trial.Read(name, bytes.NewReader(source))
		if err != nil {
			return nil, err
		}
		return verify.CheckTrial(ctx, t)
	}
	plan, err := design.ReadPlan(name, bytes.NewReader(source))
	if err != nil {
		return nil, err
	}
	return verify.Check(ctx, plan)
}
