package schedules

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/batopo/batopo/internal/solve/placement"
)

// A Memo keeps what was found, so that searches for several forms, and comparisons beside them, look for it once. The
// zero value is empty. Several goroutines may use one at the same time: one that asks for what another looks for waits.
type Memo struct {
	ways   memory[Exact]
	orders memory[placement.Placement]
}

// A memoKey is what was looked for, by its name, and where.
type memoKey struct {
	Site
	name string
}

// Find is f.Find, once for every site. What failed or was stopped is tried again.
func (m *Memo) Find(ctx context.Context, f Collective, s Site) (Exact, error) {
	return m.ways.get(ctx, memoKey{s, f.Name}, func() (Exact, error) { return f.find(ctx, s) })
}

// Known is what Find has found.
func (m *Memo) Known(f Collective, s Site) (way Exact, ok bool) {
	if found := m.ways.of(memoKey{s, f.Name}).value.Load(); found != nil {
		return *found, true
	}
	return Exact{}, false
}

// A memory keeps results.
type memory[T any] struct {
	lock  sync.Mutex
	known map[memoKey]*result[T]
}

// A result may still be computed; the goroutine that does so has the lock.
type result[T any] struct {
	lock  sync.Mutex
	value atomic.Pointer[T]
}

func (m *memory[T]) of(key memoKey) *result[T] {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.known == nil {
		m.known = map[memoKey]*result[T]{}
	}
	if m.known[key] == nil {
		m.known[key] = &result[T]{}
	}
	return m.known[key]
}

// get returns what is known, or what compute returns. It keeps that unless it is an error, or the best that compute had
// when ctx ended.
func (m *memory[T]) get(ctx context.Context, key memoKey, compute func() (T, error)) (T, error) {
	r := m.of(key)
	r.lock.Lock()
	defer r.lock.Unlock()
	if found := r.value.Load(); found != nil {
		return *found, nil
	}
	value, err := compute()
	if err == nil && ctx.Err() == nil {
		r.value.Store(&value)
	}
	return value, err
}
