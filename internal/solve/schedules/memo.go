package schedules

import (
	"context"
	"sync"

	"github.com/batopo/batopo/internal/solve/placement"
)

// A Memo keeps what was found, so that searches for several forms, and comparisons beside them, look for it once. The
// zero value is empty. Several goroutines may use one at the same time: whoever asks for what another looks for waits.
type Memo struct {
	ways   memory[Exact]
	orders memory[placement.Placement]
}

// A memoKey is what was looked for, by its name, and where.
type memoKey struct {
	Site
	name string
}

// Find is f.Find, once for every site. What failed is tried again.
func (m *Memo) Find(ctx context.Context, f Collective, s Site) (Exact, error) {
	return m.ways.get(memoKey{s, f.Name}, func() (Exact, error) { return f.find(ctx, s) })
}

// A memory keeps results.
type memory[T any] struct {
	lock  sync.Mutex
	known map[memoKey]*result[T]
}

// A result may still be computed.
type result[T any] struct {
	lock  sync.Mutex
	there bool
	value T
}

// get returns what is known, or what compute returns and keeps that unless it is an error.
func (m *memory[T]) get(key memoKey, compute func() (T, error)) (T, error) {
	m.lock.Lock()
	if m.known == nil {
		m.known = map[memoKey]*result[T]{}
	}
	r := m.known[key]
	if r == nil {
		r = &result[T]{}
		m.known[key] = r
	}
	m.lock.Unlock()
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.there {
		return r.value, nil
	}
	value, err := compute()
	if err == nil {
		r.there, r.value = true, value
	}
	return value, err
}
