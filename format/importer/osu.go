package importer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/batopo/batopo/cluster"
)

// osuLast is the size of messages at which the benchmarks end by default.
const osuLast = 4 << 20

// readOSU reads what osu_bw, osu_bibw and osu_mbw_mr of the OSU micro-benchmarks print: the fastest rate of any message
// size between two hosts. Both directions at once are halved; several pairs of ranks count together, since they share
// the line between their hosts. It describes two nodes; [Pairs] makes a matrix of many.
func readOSU(source []byte) (*Description, error) {
	test, err := osuTest(string(source))
	if err != nil {
		return nil, err
	}
	best, size, last := 0., "", uint64(0)
	for k, line := range strings.Split(string(source), "\n") {
		line, _, _ = strings.Cut(line, "#")
		cells := strings.Fields(line)
		if len(cells) == 0 {
			continue
		}
		bytes, err := strconv.ParseUint(cells[0], 10, 63)
		if err != nil {
			continue // what the launcher or the MPI library has to say
		}
		rate, err := osuRate(cells, k+1)
		if err != nil {
			return nil, err
		}
		if last = bytes; rate > best {
			best, size = rate, cells[0]
		}
	}
	switch err := whole(source); {
	case best == 0:
		return nil, errors.New("importer: no row of a message size and a rate above 0; did the benchmark end early?")
	case last < osuLast:
		return nil, fmt.Errorf("importer: the last row is of messages of %d bytes, and smaller ones than %d do not show "+
			"what a line carries; did the benchmark end early? Measure again, with -m %d if another limit was set",
			last, osuLast, osuLast)
	case err != nil:
		return nil, err
	}
	there, back := best/1000, 0. // a MB is 10⁶ bytes there
	if test == "osu_bibw" {
		there, back = there/2, there/2
	}
	d := &Description{Names: []string{"first", "second"},
		Matrix: &cluster.Matrix{GBs: [][]float64{{0, there}, {back, 0}}}}
	d.note("rates are those of %s at messages of %s bytes", test, size)
	return d, nil
}

// osuTest finds the line that says which benchmark this is. Messages that carry devices' buffers begin another way.
func osuTest(text string) (string, error) {
	for line := range strings.Lines(text) {
		title := strings.ToLower(line)
		if !strings.HasPrefix(title, "#") || !strings.Contains(title, "osu") {
			continue
		}
		switch {
		case strings.Contains(title, "bi-directional bandwidth"):
			return "osu_bibw", nil
		case strings.Contains(title, "multiple bandwidth"):
			return "osu_mbw_mr", nil
		case strings.Contains(title, "bandwidth"):
			return "osu_bw", nil
		}
		return "", fmt.Errorf("importer: %q is no test of bandwidth; run osu_bw, osu_bibw or osu_mbw_mr",
			shorten(strings.TrimSpace(line)))
	}
	return "", errors.New("importer: no line \"# OSU … Bandwidth Test\"; is this what osu_bw prints?")
}

// osuRate reads the rate of a row, in MB/s.
func osuRate(cells []string, line int) (float64, error) {
	if len(cells) < 2 {
		return 0, fmt.Errorf("importer: line %d: messages of %s bytes have no rate", line, cells[0])
	}
	v, err := strconv.ParseFloat(cells[1], 64)
	const most = 1e9 // a petabyte per second
	if err != nil || !(v >= 0 && v < most) {
		return 0, fmt.Errorf("importer: line %d: the rate of messages of %s bytes is %q; it must be a number of MB/s",
			line, cells[0], shorten(cells[1]))
	}
	return v, nil
}
