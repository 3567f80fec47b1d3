package mixing

import (
	"context"
	"errors"

	"github.com/batopo/batopo/internal/ground/grace"
)

// quickNodes is how many nodes n × n work takes less than a tenth of a second for; it is then not worth interrupting.
const quickNodes = 256

// within does work on matrices of n nodes. Where that may take long and ctx ends first, it returns the error of ctx
// at once and leaves the work to end by itself.
func within[T any](ctx context.Context, n int, work func() (T, error)) (T, error) {
	if n <= quickNodes || ctx.Done() == nil {
		return work()
	}
	value, err := grace.Await(ctx, work)
	if errors.Is(err, grace.ErrGivenUp) {
		err = ctx.Err()
	}
	return value, err
}
