package importer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
)

// hostLists expands the host lists of one file. A few bytes stand for any number of hosts, so the names of all lists
// together are limited. Where scontrol printed the file, every switch above a host names it again.
type hostLists struct{ left int }

func newHostLists() *hostLists { return &hostLists{left: (mostLevels + 1) * limits.Nodes} }

// longestName is how many bytes of a host's name may stand around a range, which repeats them.
const longestName = 200

// expand expands a list as Slurm writes them: circe-n[001-016],n[019-020].
func (h *hostLists) expand(list string) ([]string, error) {
	var all []string
	for list = strings.TrimSpace(list); list != ""; {
		end, depth := 0, 0
		for end < len(list) && (list[end] != ',' || depth > 0) {
			switch list[end] {
			case '[':
				depth++
			case ']':
				depth--
			}
			end++
		}
		if depth != 0 {
			return nil, fmt.Errorf("the host list %q has a bracket too many", shorten(list))
		}
		more, err := expand(list[:end], min(limits.Nodes-len(all), h.left))
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
		h.left -= len(more)
		list = strings.TrimPrefix(list[end:], ",")
	}
	return all, nil
}

// expand expands the first bracket of a name, and then those behind it.
func expand(name string, most int) ([]string, error) {
	before, rest, found := strings.Cut(name, "[")
	if !found {
		if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, "[]") {
			return nil, fmt.Errorf("%q is no name of a host", shorten(name))
		}
		return []string{name}, nil
	}
	const mostRanges, mostDigits = 4, 10
	ranges, behind, found := strings.Cut(rest, "]")
	if len(before)+len(behind) > longestName {
		return nil, fmt.Errorf("the name %q has more than %d bytes around its range", shorten(name), longestName)
	}
	if !found || strings.Contains(ranges, "[") || strings.Count(name, "[") > mostRanges {
		return nil, fmt.Errorf("the range of %q has no end, or there are too many", shorten(name))
	}
	tails := []string{""}
	if behind != "" {
		var err error
		if tails, err = expand(behind, most); err != nil {
			return nil, err
		}
	}
	var all []string
	for _, part := range strings.Split(ranges, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			last = first
		}
		from, err1 := strconv.ParseUint(first, 10, 32)
		to, err2 := strconv.ParseUint(last, 10, 32)
		if err1 != nil || err2 != nil || to < from || len(first) > mostDigits {
			return nil, fmt.Errorf("the range %q of %q is no range of numbers", shorten(part), shorten(name))
		}
		if (to-from+1)*uint64(len(tails))+uint64(len(all)) > uint64(max(0, most)) {
			return nil, errors.New("the host lists name more hosts than any cluster may have")
		}
		for k := from; k <= to; k++ {
			for _, tail := range tails {
				all = append(all, fmt.Sprintf("%s%0*d%s", before, len(first), k, tail))
			}
		}
	}
	return all, nil
}
