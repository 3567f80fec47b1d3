package mixing

// GivingAway is (1 − share)I + share·W.
func GivingAway(w *Matrix, share float64) (*Matrix, error) {
	var arcs []Arc
	for i := range w.Nodes() {
		from, weight := w.Row(i)
		for k, j := range from {
			arcs = append(arcs, Arc{From: j, To: i, Weight: weight[k] * share})
		}
	}
	return FromArcs(w.Nodes(), arcs)
}
