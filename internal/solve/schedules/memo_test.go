package schedules

import (
	"context"
	"errors"
	"testing"
)

// A collective is looked for once at every site; what failed is tried again.
func TestMemoFindsOnce(t *testing.T) {
	var m Memo
	calls, fail := 0, errors.New("not now")
	f := Collective{Name: "counted", find: func(context.Context, Site) (Exact, error) {
		calls++
		if calls == 1 {
			return Exact{}, fail
		}
		return Exact{Note: "found"}, nil
	}}
	if _, err := m.Find(t.Context(), f, Site{Seed: 1}); err != fail {
		t.Fatalf("the first look gives %v", err)
	}
	for range 3 {
		if way, err := m.Find(t.Context(), f, Site{Seed: 1}); err != nil || way.Note != "found" || calls != 2 {
			t.Fatalf("%+v, %v after %d looks", way, err, calls)
		}
	}
	if _, err := m.Find(t.Context(), f, Site{Seed: 2}); err != nil || calls != 3 {
		t.Errorf("another seed: %v after %d looks", err, calls)
	}
}

// What a search had when it was stopped is returned, but not taken for what a whole search finds.
func TestMemoForgetsStoppedSearches(t *testing.T) {
	var m Memo
	f := Collective{Name: "stopped", find: func(ctx context.Context, _ Site) (Exact, error) {
		if ctx.Err() != nil {
			return Exact{Note: "so far"}, nil
		}
		return Exact{Note: "whole"}, nil
	}}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if way, err := m.Find(stopped, f, Site{}); err != nil || way.Note != "so far" {
		t.Errorf("a stopped search gives %q, %v", way.Note, err)
	}
	if _, ok := m.Known(f, Site{}); ok {
		t.Error("what a stopped search had is known")
	}
	if way, err := m.Find(t.Context(), f, Site{}); err != nil || way.Note != "whole" {
		t.Errorf("after a stopped search: %q, %v", way.Note, err)
	}
}

// A search that uses what others found returns what it would have found itself.
func TestMemoChangesNoResult(t *testing.T) {
	c := ports(t, 0.1, 1, 1, 2, 2, 4, 4, 4, 8)
	var m Memo
	for _, form := range []Form{Parts, Whole, Gossip} {
		p := Problem{Cluster: c, Form: form, Exact: true}
		s := Settings{Seed: 1, Evaluations: 3000, Chunks: 8}
		own, err := Search(t.Context(), p, s)
		if err != nil {
			t.Fatal(err)
		}
		s.Memo = &m
		shared, err := Search(t.Context(), p, s)
		if err != nil || shared.Name != own.Name || shared.MS != own.MS || shared.Evaluations != own.Evaluations {
			t.Errorf("%s: %+v, %v; alone it finds %+v", form, shared, err, own)
		}
	}
}
