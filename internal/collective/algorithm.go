package collective

// A Transfer sends the part [Begin, End) of the message, which is [0, 1), from one node to another.
type Transfer struct {
	From, To   int
	Begin, End float64
	Add        bool // the receiver adds it to its own; otherwise it replaces its own
}

// Share is how much of the message is sent.
func (t Transfer) Share() float64 { return t.End - t.Begin }

// An Algorithm leaves every node with the sum of all messages. All transfers of a step are in flight at once and read
// what was there before the step; a step begins when the one before it has ended everywhere.
type Algorithm struct {
	Name   string
	Nodes  int
	Steps  int
	At     func(step int) []Transfer
	Chunks int // the message is cut into that many equal chunks, which follow each other through the steps
	alike  stretch
}

// A stretch is the steps from first to past − 1. Each of them sends the same amounts between the same nodes.
type stretch struct{ first, past int }

// whole is the transfer of all of the message.
func whole(from, to int, add bool) Transfer { return Transfer{From: from, To: to, End: 1, Add: add} }

// Listed is an algorithm whose steps are few enough to be kept.
func Listed(name string, nodes int, steps [][]Transfer) *Algorithm {
	at := func(s int) []Transfer { return steps[s] }
	return &Algorithm{Name: name, Nodes: nodes, Steps: len(steps), At: at, Chunks: 1}
}

// Different returns how many steps have to be looked at to know all.
func (a *Algorithm) Different() int {
	if a.Steps > 0 && a.alike == (stretch{0, a.Steps}) {
		return 1
	}
	return a.Steps
}

// Pairs counts the pairs of nodes that ever talk.
func (a *Algorithm) Pairs() int {
	talk := map[[2]int]bool{}
	for s := range a.Different() {
		for _, t := range a.At(s) {
			talk[[2]int{min(t.From, t.To), max(t.From, t.To)}] = true
		}
	}
	return len(talk)
}

// Transfers counts what is sent in all steps.
func (a *Algorithm) Transfers() int {
	count := 0
	for s := range a.Different() {
		count += len(a.At(s))
	}
	return count * a.Steps / max(1, a.Different())
}

// MaxDegree returns the largest number of transfers that leave or reach a node in one step.
func (a *Algorithm) MaxDegree() int {
	most := 0
	for s := range a.Different() {
		out, in := make([]int, a.Nodes), make([]int, a.Nodes)
		for _, t := range a.At(s) {
			out[t.From]++
			in[t.To]++
			most = max(most, out[t.From], in[t.To])
		}
	}
	return most
}

// InChunks returns the same algorithm with the message cut into k chunks.
func (a *Algorithm) InChunks(k int) *Algorithm {
	cut := *a
	cut.Chunks = max(k, 1)
	return &cut
}

// MostWindows limits the steps of an algorithm in chunks: which steps run at the same time is looked at for each
// slot, where steps are not all alike.
const MostWindows = 1 << 12

// Windows calls add with the steps that run at the same time, first … last, and in how many slots they do. In slot t
// chunk k is in step t − k. Slots with as many steps that are all alike are one.
func (a *Algorithm) Windows(add func(first, last, times int) error) error {
	most := min(a.Steps, a.Chunks) // steps at once
	for last := range most - 1 {
		if err := add(0, last, 1); err != nil {
			return err
		}
	}
	if a.Chunks >= a.Steps {
		if err := add(0, a.Steps-1, a.Chunks-a.Steps+1); err != nil {
			return err
		}
	} else {
		for first := 0; first+most <= a.Steps; {
			times := 1
			if a.alike.first <= first && first+most <= a.alike.past {
				times = a.alike.past - most - first + 1
			}
			if err := add(first, first+most-1, times); err != nil {
				return err
			}
			first += times
		}
	}
	for first := a.Steps - most + 1; first < a.Steps; first++ {
		if err := add(first, a.Steps-1, 1); err != nil {
			return err
		}
	}
	return nil
}
