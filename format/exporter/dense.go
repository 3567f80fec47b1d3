package exporter

import (
	"archive/zip"
	"bufio"
	"fmt"
	"strconv"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// maxDense is the largest number of nodes that is written as a dense matrix, 2 GiB a round.
const maxDense = 1 << 14

func checkDense(n int) error {
	if n > maxDense {
		return fmt.Errorf("%d nodes make %d × %d numbers; up to %d nodes are written densely, use networkx or torch",
			n, n, n, maxDense)
	}
	return nil
}

func writeNPY(out *bufio.Writer, p *design.Plan, s *mixing.Schedule) ([]string, error) {
	if err := checkDense(p.Nodes); err != nil {
		return nil, err
	}
	return nil, s.Rounds[0].WriteNPY(out)
}

// writeNPZ writes what numpy.savez_compressed does: a zip file of arrays. Entries carry no
// time, so the same topology gives the same bytes.
func writeNPZ(out *bufio.Writer, p *design.Plan, s *mixing.Schedule) ([]string, error) {
	if err := checkDense(p.Nodes); err != nil {
		return nil, err
	}
	archive := zip.NewWriter(out)
	for k, w := range s.Rounds {
		entry, err := archive.Create(fmt.Sprintf("round_%d.npy", k))
		if err != nil {
			return nil, err
		}
		if err := w.WriteNPY(entry); err != nil {
			return nil, err
		}
	}
	return nil, archive.Close()
}

func writeCSV(out *bufio.Writer, p *design.Plan, s *mixing.Schedule) ([]string, error) {
	if err := checkDense(p.Nodes); err != nil {
		return nil, err
	}
	w := s.Rounds[0]
	row := make([]float64, w.Nodes())
	var line []byte
	for i := range row {
		clear(row)
		row[i] = w.Self()[i]
		from, weight := w.Row(i)
		for k, j := range from {
			row[j] = weight[k]
		}
		line = line[:0]
		for j, v := range row {
			if j > 0 {
				line = append(line, ',')
			}
			line = strconv.AppendFloat(line, v, 'g', -1, 64)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return nil, err
		}
	}
	return nil, nil
}
