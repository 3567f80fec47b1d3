package present

import (
	"fmt"
	"io"
	"strings"

	"github.com/batopo/batopo/verify"
)

// FindingsJSON is what the checker found in one file, as programs read it.
type FindingsJSON struct {
	File      string        `json:"file"`
	OK        bool          `json:"ok"`         // no claim is false; some may be not proved
	NotProved int           `json:"not_proved"` // findings of claims that could be neither repeated nor refuted
	Findings  verify.Report `json:"findings"`
	Error     string        `json:"error,omitempty"` // why the file could not be checked; ok is false then
}

// NewFindingsJSON is the JSON form of what the checker found in a file.
func NewFindingsJSON(file string, found verify.Report) FindingsJSON {
	return FindingsJSON{File: file, OK: found.Err() == nil, NotProved: counted(found)[verify.Unproved], Findings: found}
}

func counted(found verify.Report) map[verify.Status]int {
	counts := map[verify.Status]int{}
	for _, f := range found {
		counts[f.Status]++
	}
	return counts
}

var marks = map[verify.Status]string{verify.OK: "ok      ", verify.False: "FALSE   ", verify.Unproved: "unproved"}

// WriteFindings prints a line for every claim of a file, and how many hold.
func WriteFindings(w io.Writer, file string, found verify.Report) error {
	var b strings.Builder
	for _, f := range found {
		line := fmt.Sprintf("  %s  %-30s", marks[f.Status], f.Claim)
		switch {
		case f.Numeric() && f.Status == verify.Unproved && f.Recomputed == 0: // nothing was recomputed
			line += fmt.Sprintf(" %-20.12g", f.Claimed)
		case f.Numeric():
			line += fmt.Sprintf(" %-20.12g %.12g", f.Claimed, f.Recomputed)
		}
		if f.Detail != "" {
			line += "  " + f.Detail
		}
		fmt.Fprintln(&b, strings.TrimRight(line, " "))
	}
	counts := counted(found)
	fmt.Fprintf(&b, "%s: %s, %s, %s\n", file, inflected(counts[verify.OK], "claim holds", "claims hold"),
		inflected(counts[verify.False], "is false", "are false"),
		inflected(counts[verify.Unproved], "is not proved", "are not proved"))
	_, err := io.WriteString(w, b.String())
	return err
}
