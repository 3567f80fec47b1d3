package main

import (
	"testing"

	"batopo/experiments/internal/rerun"
)

func TestSmallRowsReproduce(t *testing.T) { rerun.Small(t, "table1", tasks, rerun.Measurements) }
