package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/spectral"
)

func versionText() string {
	return design.Program() + ", eigenvalues by " + spectral.LAPACK() + " (BATOPO_LAPACK=gonum keeps to our own code)"
}

func newVersion(env Env) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version, and whose eigenvalue routines are used",
		Example: `  batopo version`,
		Args:    arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(env.Stdout, versionText())
			return err
		},
	}
}
