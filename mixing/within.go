package mixing

import "context"

// quickNodes is how many nodes n × n work takes less than a tenth of a second for; it is then not worth interrupting.
const quickNodes = 256

// within does work on matrices of n nodes. Where that may take long and ctx ends first, it returns the error of ctx at once and leaves
// the work to end by itself: a call into linear algebra cannot be stopped.
func within[T any](ctx context.Context, n int, work func() T) (T, error) {
	if n <= quickNodes || ctx.Done() == nil {
		return work(), nil
	}
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	done := make(chan T, 1)
	go func() { done <- work() }()
	select {
	case result := <-done:
		return result, nil
	case <-ctx.Done():
		return none, ctx.Err()
	}
}
