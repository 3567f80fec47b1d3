package present

import (
	"slices"
	"testing"
)

// Lists of a text become one note each, for readers that show notes as a list.
func TestListsAreJoined(t *testing.T) {
	got := joined([]string{"One.", "Not considered:", "  shards (no route)", "  two-level (no groups)", "Last."})
	want := []string{"One.", "Not considered: shards (no route); two-level (no groups)", "Last."}
	if !slices.Equal(got, want) {
		t.Errorf("joined %q, want %q", got, want)
	}
}
