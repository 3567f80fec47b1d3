package main

import (
	"testing"

	"github.com/batopo/batopo/experiments/internal/rerun"
)

func TestSmallRowsReproduce(t *testing.T) { rerun.Small(t, "ablations", tasks, "seconds") }
