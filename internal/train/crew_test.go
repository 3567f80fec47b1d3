package train

import (
	"testing"

	"github.com/batopo/batopo/internal/ground/workers"
)

// A panic of one item reaches the goroutine that waits for all of them, with any number of workers, and the crew still
// ends.
func TestPanicOfAnItemReachesTheCaller(t *testing.T) {
	for _, size := range []int{1, 3} {
		c := newCrew(size)
		p := workers.Catch(func() {
			c.each(10, func(item int) {
				if item == 7 {
					panic("a blunder")
				}
			})
		})
		if p == nil || p.Value != "a blunder" {
			t.Errorf("%d workers: the panic is %v", size, p)
		}
		c.stop()
	}
}
