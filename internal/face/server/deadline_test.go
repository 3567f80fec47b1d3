package server_test

import (
	"strings"
	"testing"
	"time"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/mixing"
)

// late is more than any job may take after the end of its time, on a machine that is busy with other tests: the aim is
// five seconds, pictures included.
const late = 20 * time.Second

// Every kind of job ends in time with the largest inputs: with the best so far, or with the word that it was stopped, but
// never with the claim that there is none.
func TestEveryJobEndsInTime(t *testing.T) {
	const (
		equal = `"cluster":{"format":"batopo.cluster/v1","nodes":4096,"bandwidth":9.76}`
		some  = `"cluster":{"format":"batopo.cluster/v1","nodes":256,"bandwidth":9.76}`
		racks = `"cluster":{"format":"batopo.cluster/v2","tree":{"groups":[{"name":"rack","count":32,"nodes":32,
			"link":{"gb_s":10},"uplink":{"gb_s":40}}]}}`
	)
	plan := `"plans":[{"name":"mine","plan":` + knownRing(t, 1024) + `}]`
	for _, moment := range []time.Duration{100 * time.Millisecond, time.Second, 3 * time.Second} {
		if testing.Short() && moment != time.Second {
			continue
		}
		o := options(t)
		o.Jobs.Time, o.Work.Nodes, o.Work.Drawing = moment, 4096, 2*time.Second
		at := begin(t, o)
		for _, job := range [][2]string{
			{"plan", equal}, {"plan", racks}, {"plan", `"exact":true,` + racks}, {"plan", `"optimizer":"sgd","search":true,` + some},
			{"plan", `"static":true,` + racks}, {"optimize", `"max_edges":12000,` + equal},
			{"optimize", `"max_edges":600,"method":"admm",` + some}, {"compare", equal}, {"compare", racks},
			{"simulate", `"trials":1000,"max_rounds":20000,` + plan},
			{"train", `"iterations":5000,"batch":1000,"baselines":["ring","exponential"],"cluster":{"format":"batopo.cluster/v1",
				"nodes":64,"bandwidth":9.76}`},
		} {
			j, _ := finish(t, at, start(t, at, job[0], "{"+job[1]+"}"))
			over := j.Ended.Sub(*j.Started) - moment
			if over > late || strings.Contains(j.Error, "no graph keeps") || strings.Contains(j.Error, "mistake") ||
				j.State != jobs.Done && j.Stopped == "" {
				t.Errorf("%s %.60s after %v: %v late, %+v", job[0], job[1], moment, over, j)
			}
			t.Logf("%6.2f s late after %v: %s %.60s: %s %s", over.Seconds(), moment, job[0], job[1], j.State, j.Error)
		}
	}
}

// knownRing is the plan of a ring with its usual weights.
func knownRing(t *testing.T, nodes int) string {
	t.Helper()
	c, err := batopo.Equal(nodes)
	if err != nil {
		t.Fatal(err)
	}
	family, err := mixing.FindFamily("ring")
	if err != nil {
		t.Fatal(err)
	}
	w, err := family.Build(mixing.Params{Nodes: nodes})
	if err != nil {
		t.Fatal(err)
	}
	p, err := sweep.Describe(t.Context(), c, w)
	if err != nil {
		t.Fatal(err)
	}
	return text(t, p)
}
