package cost

import "github.com/batopo/batopo/cluster"

// A Clock says how long a number of iterations takes, an epoch for example.
type Clock struct {
	IterationMS float64   // mean in the long run
	shares      []float64 // of the time of a cycle, after each of its iterations
}

// Clock times the process on a cluster, with the compute times that all predictions draw.
func (p *Process) Clock(c *cluster.Cluster) (*Clock, error) {
	ms, err := p.OnCluster(c)
	if err != nil {
		return nil, err
	}
	d := DrawsOf(c)
	k := &Clock{ms, make([]float64, p.cycle())}
	run := newRun(p, d.Compute, d.first(p.cycle()))
	for i := range k.shares {
		run.forward(1)
		k.shares[i] = mean(run.begin)
	}
	whole := k.shares[len(k.shares)-1]
	for i := range k.shares {
		if whole > 0 {
			k.shares[i] /= whole
		}
	}
	return k, nil
}

// At returns when that many iterations are over. It is a function of their number alone, so that a run that was resumed
// shows the same times. A cycle, after which the rounds repeat, takes its mean time.
func (k *Clock) At(iterations int) float64 {
	cycle := len(k.shares)
	cycles := float64(iterations / cycle)
	if rest := iterations % cycle; rest > 0 {
		cycles += k.shares[rest-1]
	}
	return cycles * float64(cycle) * k.IterationMS
}
