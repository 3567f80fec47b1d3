// Package grace gives work that was cancelled a little time to write down what it has: a search that is stopped still
// computes the weights of its best graph, and a time limit is still kept to within a second or two.
package grace

import (
	"context"
	"time"
)

// Period is how long finishing may take after the cancellation.
const Period = 500 * time.Millisecond

type key struct{}

// With returns ctx with a grace period that begins when ctx ends. It ends no later than the grace period of the context
// that ctx came from, so that all work under one cancellation shares one period.
func With(ctx context.Context) (context.Context, context.CancelFunc) {
	late, cancel := outlive(Late(ctx), ctx, Period)
	return context.WithValue(ctx, key{}, late), cancel
}

// After returns a context with the values of ctx that ends the given time after it.
func After(ctx context.Context, period time.Duration) (context.Context, context.CancelFunc) {
	return outlive(context.WithoutCancel(ctx), ctx, period)
}

// outlive returns a child of parent that ends the given time after ctx, for the same cause.
func outlive(parent, ctx context.Context, period time.Duration) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancelCause(parent)
	stop := context.AfterFunc(ctx, func() {
		time.AfterFunc(period, func() { cancel(context.Cause(ctx)) })
	})
	return late, func() {
		stop()
		cancel(nil)
	}
}

// Late returns the context for finishing: it ends when the grace period does. Without a grace period
// finishing is not limited.
func Late(ctx context.Context) context.Context {
	if late, has := ctx.Value(key{}).(context.Context); has {
		return late
	}
	return context.WithoutCancel(ctx)
}
