package workers_test

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/batopo/batopo/internal/ground/workers"
)

// All pieces are done once, never more than allowed at a time, and as many as allowed.
func TestEachDoesAllOnALimitedNumberOfCores(t *testing.T) {
	for _, c := range []struct{ most, count int }{{1, 5}, {3, 10}, {8, 3}, {2, 0}} {
		synctest.Test(t, func(t *testing.T) {
			var running, peak atomic.Int32
			done := make([]int, c.count)
			workers.Each(c.most, c.count, func(i int) {
				if now := running.Add(1); now > peak.Load() {
					peak.Store(now)
				}
				time.Sleep(time.Second)
				running.Add(-1)
				done[i]++
			})
			for i, times := range done {
				if times != 1 {
					t.Errorf("piece %d was done %d times", i, times)
				}
			}
			if want := min(c.most, c.count); int(peak.Load()) != want {
				t.Errorf("%d of %d pieces ran at the same time, want %d", peak.Load(), c.count, want)
			}
		})
	}
}

func TestCountMeansEveryProcessorByZero(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	if none, some := workers.Count(0), workers.Count(3); none != 5 || some != 3 {
		t.Errorf("0 means %d of 5 processors, 3 means %d", none, some)
	}
}

// A panic in any piece of work reaches the waiting goroutine, with its value and the place where it happened, also
// through several floors; nothing begins after it.
func TestPanicsReachWhoeverWaits(t *testing.T) {
	var begun atomic.Int32
	ways := map[string]func(work func()){
		"each":  func(work func()) { workers.Each(2, 1000, func(int) { begun.Add(1); work() }) },
		"begin": func(work func()) { workers.Begin(work)() },
		"both":  func(work func()) { workers.Begin(func() { workers.Each(0, 1, func(int) { work() }) })() },
	}
	for name, run := range ways {
		p := workers.Catch(func() { run(blunder) })
		if p == nil || p.Value != "a blunder" || !strings.Contains(p.Error(), "workers_test.blunder") {
			t.Errorf("%s: %v", name, p)
		}
		if p := workers.Catch(func() { run(func() {}) }); p != nil {
			t.Errorf("%s without a panic: %v", name, p)
		}
	}
	if n := begun.Load(); n >= 2000 {
		t.Errorf("%d pieces began although each panicked", n-1000)
	}
}

func blunder() { panic("a blunder") }
