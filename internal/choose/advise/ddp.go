package advise

import (
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/cost"
)

// bucketSizes are the sizes of buckets that DistributedDataParallel is priced with, its default first. Another one must
// gain more than worthSetting: what one all-reduce costs beside its bytes is seldom known so well.
var bucketSizes = []float64{cost.BucketMB, 5, 100}

const worthSetting = 0.05

// guessedCallMS is what a call of a library's all-reduce is taken to cost where the size of buckets is chosen and the
// cluster says nothing: without it the smallest buckets would nearly always be best.
const guessedCallMS = 0.1

// A bucketing is DistributedDataParallel with buckets of one size.
type bucketing struct {
	mb    float64
	waits *cost.Process
	plan  *design.Plan // nil: the process has one
}
