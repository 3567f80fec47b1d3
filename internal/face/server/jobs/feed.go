package jobs

import (
	"cmp"
	"encoding/json"
	"slices"
	"sync"
)

// What a feed remembers at most: more would be a log, not a picture of the work.
const (
	mostKept  = 5000
	mostBytes = 16 << 20
)

// An Event is something that work reports.
type Event struct {
	Number int             `json:"number"` // events are numbered from 1 as they come
	Name   string          `json:"name"`
	Data   json.RawMessage `json:"data"`
}

// A Feed holds what work reports. Events that are kept make a history; of others the latest of each name counts.
// Readers take what is new whenever they like, so a slow one costs nothing.
type Feed struct {
	mutex   sync.Mutex
	number  int
	kept    []Event
	bytes   int // of the kept events
	latest  map[string]Event
	changed chan struct{} // closed when there is something new
	ended   bool
}

func newFeed() *Feed { return &Feed{latest: map[string]Event{}, changed: make(chan struct{})} }

// pastFeed is the feed of a job that has ended, as it was.
func pastFeed(events []Event) *Feed {
	f := newFeed()
	f.kept, f.ended = events, true
	if n := len(events); n > 0 {
		f.number = events[n-1].Number
	}
	return f
}

// Keep adds an event to the history. A full history keeps its beginning, and the latest event is still sent.
func (f *Feed) Keep(name string, value any) {
	f.add(func(e Event) {
		if len(f.kept) < mostKept && f.bytes+len(e.Data) <= mostBytes {
			f.kept = append(f.kept, e)
			f.bytes += len(e.Data)
		} else {
			f.latest[name] = e
		}
	}, name, value)
}

// Latest replaces the latest event of a name.
func (f *Feed) Latest(name string, value any) {
	f.add(func(e Event) { f.latest[name] = e }, name, value)
}

func (f *Feed) add(put func(Event), name string, value any) {
	data, err := json.Marshal(value) // once, however many read it
	if err != nil {
		return // a number that JSON cannot say; the next event has another
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.ended {
		return // work that was given up may still report
	}
	f.number++
	put(Event{f.number, name, data})
	f.wake()
}

func (f *Feed) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// end says that nothing more will come.
func (f *Feed) end() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if !f.ended {
		f.ended = true
		f.wake()
	}
}

// Since returns the events after a number, oldest first, and a channel that is closed when there are more; ended says
// that there will be none. A number that the feed has not reached is from before a restart of the program, and counts
// as 0.
func (f *Feed) Since(number int) (events []Event, more <-chan struct{}, ended bool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if number > f.number {
		number = 0
	}
	first, _ := slices.BinarySearchFunc(f.kept, number+1, func(e Event, n int) int { return cmp.Compare(e.Number, n) })
	events = slices.Clone(f.kept[first:])
	for _, e := range f.latest {
		if e.Number > number {
			events = append(events, e)
		}
	}
	slices.SortFunc(events, func(a, b Event) int { return cmp.Compare(a.Number, b.Number) })
	return events, f.changed, f.ended
}
