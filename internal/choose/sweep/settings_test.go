package sweep_test

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/choose/sweep"
)

// What the iteration would refuse is refused before a search begins.
func TestIterationIsChecked(t *testing.T) {
	for want, i := range map[string]sweep.PaperSettings{
		"Alpha is 0.5": {Alpha: 0.5}, "Growth is 0.9": {Growth: 0.9}, "Share is 2": {Share: 2},
		"Tolerance is -1": {Epsilon: -1}, "Iterations is -1": {Steps: -1},
	} {
		err := sweep.Settings{Method: sweep.ADMM, Paper: i}.Validate()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v; it should say that %s", i, err, want)
		}
	}
	good := sweep.Settings{Method: sweep.Paper, Paper: sweep.PaperSettings{Alpha: 2, Steps: 100, ClosedForm: true}}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
}
