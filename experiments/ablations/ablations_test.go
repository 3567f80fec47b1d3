package main

import (
	"testing"

	"batopo/experiments/internal/rerun"
)

func TestSmallRowsReproduce(t *testing.T) { rerun.Small(t, "ablations", tasks, rerun.Outcomes) }
