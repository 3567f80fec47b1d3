package cli

import (
	"strings"

	"github.com/batopo/batopo/advise"
	"github.com/batopo/batopo/train"

	"github.com/spf13/cobra"
)

// settingFlags say what is trained.
type settingFlags struct {
	skew           float64
	momentum, norm string
}

func (s *settingFlags) bind(c *cobra.Command) {
	f := c.Flags()
	f.Float64Var(&s.skew, "skew", 0,
		"α of the Dirichlet class shares that nodes see; of 10 classes a node sees about 5 with 1, 2 with 0.1 "+
			"(default: all see the same mix)")
	f.StringVar(&s.momentum, "momentum", string(train.Local), "local or quasi-global")
	f.StringVar(&s.norm, "norm", string(advise.BatchNorm), "batch or group: the network's normalisation")
}

func (s *settingFlags) setting() (advise.Setting, error) {
	out := advise.Setting{Skew: s.skew, Momentum: train.Momentum(strings.ToLower(s.momentum)),
		Norm: advise.Norm(strings.ToLower(s.norm))}
	return out, out.Validate()
}
