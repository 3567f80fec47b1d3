package verify

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"sync"

	"github.com/batopo/batopo/internal/ground/steps"
)

// A published row says how many steps a way to average took with AdamW, and at which learning rate.
type published struct {
	Process, State, Data                                 string
	Group, Every, Ending, Synchronous, Bits, Stages, Top int
	Delay, Nodes, Idle, Steps, Batches                   int
	Pieces                                               bool
	OuterLR                                              float64 `json:"outer_lr"`
	OuterMomentum                                        float64 `json:"outer_momentum"`
	RateFactor                                           float64 `json:"rate_factor"`
	RelativeSteps                                        float64 `json:"relative_steps"`
	Low                                                  *float64
}

// A publication is the table, and how many times the steps 16 bits were found to take.
type publication struct {
	Rows        []published
	Accumulated []published
	FewBits     []published                        `json:"few_bits"`
	SixteenBits map[string]struct{ Ratio float64 } `json:"sixteen_bits"`
}

var publicationOf = sync.OnceValue(func() (p publication) {
	const fewest = 1000 // steps of a run that says what long ones need
	if err := json.Unmarshal(steps.JSON, &p); err != nil {
		panic(err) // the embedded file is tested
	}
	p.Rows = slices.DeleteFunc(append(p.Rows, p.FewBits...), func(r published) bool {
		return r.Low == nil || r.Data != "iid" || r.State != "" || r.Ending != 0 || r.Bits == 16 || r.Stages == 1 ||
			r.Top > 0 || r.Steps < fewest
	})
	return p
})

func (r published) models() int { return r.Nodes / r.Group }

// fewerMachines is how many steps synchronous training on the batch of one machine among that many takes: read on a
// line over logarithms between what was run, and in proportion beyond it.
func fewerMachines(times float64) float64 {
	below, above := [2]float64{1, 1}, [2]float64{}
	for _, r := range publicationOf().Rows {
		x := float64(r.Nodes+r.Idle) / float64(r.Nodes)
		switch {
		case r.Idle == 0:
		case x <= times && x > below[0]:
			below = [2]float64{x, r.RelativeSteps}
		case x > times && (above[0] == 0 || x < above[0]):
			above = [2]float64{x, r.RelativeSteps}
		}
	}
	if above[0] == 0 {
		return below[1] * times / below[0]
	}
	part := math.Log(times/below[0]) / math.Log(above[0]/below[0])
	return below[1] * math.Pow(above[1]/below[1], part)
}

// like are the rows of a way to average, whatever H and the number of models.
func (k *check) like() (rows []published) {
	p, process, sent, bits, rounding := k.plan, "exact", "changes", k.plan.Wire.Bits(), 1.0
	if p.Collective == nil {
		process, sent = p.Method, "parameters"
		if p.Inside != nil {
			process = "two-level"
		}
	}
	if bits == 16 { // rounding saves no steps
		bits, rounding = 32, max(1, publicationOf().SixteenBits[sent].Ratio)
	}
	var outer [2]float64
	if p.Outer != nil {
		outer = [2]float64{p.Outer.LearningRate, p.Outer.Momentum}
	}
	for _, r := range publicationOf().Rows {
		r.RelativeSteps *= rounding
		if r.OuterLR == 1 && r.OuterMomentum == 0 {
			r.OuterLR = 0 // a plain average
		}
		r.Bits, r.Process = cmp.Or(r.Bits, 32), cmp.Or(r.Process, "exact")
		if r.Idle == 0 && r.Process == process && r.Delay == p.DelaySteps && r.Bits == bits && r.Pieces == (p.Pieces > 1) &&
			outer == [2]float64{r.OuterLR, r.OuterMomentum} && (r.Synchronous == 0 || len(p.Phases) > 0) {
			rows = append(rows, r)
		}
	}
	return rows
}
