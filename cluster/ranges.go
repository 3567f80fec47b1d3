package cluster

// A span is what a number in a description may be.
type span struct {
	least, most float64
	unit        string
}

// LeastMessageMB is the smallest message: one byte.
const LeastMessageMB = 1e-6

// What descriptions may say, far beyond any hardware. Within these spans every time and every bandwidth that follows is
// a finite number.
var (
	bandwidthSpan  = span{1e-9, 1e9, " GB/s"}
	latencySpan    = span{0, 1e9, " ms"}
	messageSpan    = span{LeastMessageMB, 1e9, " MB"}
	parametersSpan = span{1e3, 1e14, ""}
	computeSpan    = span{0, 1e9, " ms"}
	targetSpan     = span{1e-15, 1 - 1e-15, ""}
)

func (c *checker) within(path string, v float64, s span) {
	if !(v >= s.least && v <= s.most) {
		c.complain(path, "is %v; it must be between %.4g and %.4g%s", v, s.least, s.most, s.unit)
	}
}
