package work

import (
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/show/present"
)

// An Advice says what to run to train fastest, and what it was chosen from.
type Advice struct {
	present.Answer
	Choices []present.CandidateJSON `json:"candidates"` // the best first
	// SlowerLinks is how many times as long averaging takes in the pessimistic time of a choice.
	SlowerLinks float64          `json:"slower_links"`
	Changes     []string         `json:"changes,omitempty"` // of numbers that would change the answer, and what wins then
	Optimizer   advise.Optimizer `json:"optimizer"`
	Convergence string           `json:"convergence_model"` // how sure it is
	Notes       []string         `json:"notes"`             // what stands behind the answer
}

func newAdvice(c *cluster.Cluster, s *sweep.Sweep, a *advise.Advice) (sentence string, out *Advice) {
	j := present.NewAdviceJSON(c, s, a, present.PlanFile)
	return j.Headline, &Advice{Answer: j.Answer, Choices: j.Choices, SlowerLinks: advise.SlowerLinks, Changes: j.Changes,
		Optimizer: j.Optimizer, Convergence: j.Convergence, Notes: j.Notes}
}
