package grace_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/batopo/batopo/internal/ground/grace"
)

// Finishing ends one period after the cancellation, also in contexts derived later, and not before.
func TestLateEndsOnePeriodAfterTheCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		ctx, release := grace.With(outer)
		defer release()
		<-ctx.Done()
		again, releaseAgain := grace.With(ctx)
		defer releaseAgain()
		if err := grace.Late(again).Err(); err != nil {
			t.Errorf("at the cancellation: %v", err)
		}
		began := time.Now()
		<-grace.Late(again).Done()
		if took := time.Since(began); took != grace.Period {
			t.Errorf("finishing ended after %v, want %v", took, grace.Period)
		}
	})
}

func TestFinishingWithoutAPeriodIsNotLimited(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := grace.Late(ctx).Err(); err != nil {
		t.Error(err)
	}
}
