package present

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/correct"
	"github.com/batopo/batopo/internal/show/launch"
	"github.com/batopo/batopo/internal/show/report"
)

// A Screen is how an answer is printed for people.
type Screen struct {
	File         string // of the plan, which is or would be there
	Folder       string // that was written; "": none
	Width        int    // columns of lines; 0: 80
	All, Explain bool   // every row of the table; the reasons, intervals and notes too
	// Correction is what a trial measured; nil where there was none.
	Correction *correct.Correction
}

// PlanFile is the default name of a plan.
const PlanFile = "plan.json"

// What fits an ordinary terminal.
const (
	screenLines = 24
	screenWidth = 80
)

// WriteAdvice prints what to run for people: the answer, why, the closest alternatives, what would change it, and how
// to run it. It takes at most 24 lines, and notes that have no room are printed with Explain, unless all is asked for.
func WriteAdvice(w io.Writer, c *cluster.Cluster, a *advise.Advice, s Screen) error {
	s.Width = max(s.Width, screenWidth)
	most := mostRows
	if s.All {
		most = len(a.All) + 1
	}
	table := Rows(c, a, most)
	answer := NewAnswer(c, a, s.File)
	head := append(s.filled("", answer.Headline), s.filled("  ", answer.Speed)...)
	why := s.filled("  ", "Why: "+answer.Why+".")
	var rows strings.Builder
	if err := table.WriteCompact(&rows, s.Width); err != nil {
		return err
	}
	under := strings.Split(strings.TrimSuffix(rows.String(), "\n"), "\n")
	under = append(under, s.filled("  ", s.more(a, len(table.Rows)))...)
	run := s.run(answer)
	const blanks = 2
	room := screenLines - len(head) - len(why) - len(under) - len(run) - blanks
	if s.All || s.Explain {
		room = math.MaxInt
	}
	above, below := s.notes(answer, s.Correction, changes(c, a, listed(a, most)), room)
	lines := slices.Concat(head, why, above, []string{""}, under, []string{""}, below, run)
	text := strings.Join(lines, "\n") + "\n"
	if s.Explain {
		rest, err := s.explained(c, a)
		if err != nil {
			return err
		}
		text += "\n" + rest
	}
	_, err := io.WriteString(w, text)
	return err
}

// filled are the lines of a paragraph.
func (s Screen) filled(indent, text string) []string {
	return strings.Split(strings.TrimSuffix(report.Filled(text, indent, s.Width), "\n"), "\n")
}

// more says where the rest is.
func (s Screen) more(a *advise.Advice, shown int) string {
	say := "Reasons: --explain. Another row: --choose N."
	if left := len(a.All) + len(a.Unmeasured) - shown; left > 0 && !s.All {
		say = fmt.Sprintf("%d more: --all. ", left) + say
	}
	if s.Folder == "" {
		say += " Files: -o DIR."
	}
	return say
}

// run are the lines that run an answer.
func (s Screen) run(answer Answer) []string {
	start := answer.Start
	if s.Folder != "" {
		file := func(name string) string { return launch.Quoted(s.Folder + "/" + name) }
		start = fmt.Sprintf("bash %s train.py  # on every host; Slurm: sbatch %s", file(launch.RunFile),
			file(launch.JobFile))
	}
	lines := []string{"  " + start}
	if at := strings.Index(start, " --master-addr"); at > 0 && len(lines[0]) > s.Width {
		lines = []string{"  " + start[:at] + " \\", "   " + start[at:]}
	}
	for _, line := range answer.Python {
		lines = append(lines, "    "+line)
	}
	return lines
}

// notes are the lines above the table and below it, the most important ones where there is not room for all.
func (s Screen) notes(answer Answer, trial *correct.Correction, near []string, room int) (above, below []string) {
	type note struct {
		text  string
		below bool
		near  bool // take the room that is left
	}
	var notes []note
	if trial != nil {
		notes = append(notes, note{text: correctionText(trial)})
	}
	if len(answer.Cautions) > 0 {
		notes = append(notes, note{text: answer.Cautions[0]})
	}
	notes = append(notes, note{text: answer.Assumed}, note{text: fmt.Sprintf("Confidence: %s; %s.", answer.Confidence,
		answer.Basis)}, note{below: true, near: true},
		note{text: fmt.Sprintf("Memory: %s GB a GPU without activations.", report.Number(answer.MemoryGB)), below: true})
	for k := 1; k < len(answer.Cautions); k++ {
		notes = append(notes, note{text: answer.Cautions[k]})
	}
	for _, n := range notes {
		if n.near {
			n.text = s.wouldChange(near, room)
		}
		lines := s.filled("  ", n.text)
		switch room -= len(lines); {
		case n.text == "" || room < 0:
			room += len(lines)
		case n.below:
			below = append(below, lines...)
		default:
			above = append(above, lines...)
		}
	}
	return above, below
}

// wouldChange lists flips, as many as there is room for.
func (s Screen) wouldChange(near []string, room int) string {
	for k := len(near); k > 0; k-- {
		text := "Would change: " + strings.Join(near[:k], "; ") + "."
		if len(s.filled("  ", text)) <= room {
			return text
		}
	}
	return ""
}

// explained are the reasons, intervals and notes behind an answer, and the table with all its columns.
func (s Screen) explained(c *cluster.Cluster, a *advise.Advice) (string, error) {
	var b strings.Builder
	paragraphs := func(lines []string) {
		for _, line := range lines {
			words := strings.TrimLeft(line, " ")
			b.WriteString(report.Filled(words, line[:len(line)-len(words)], s.Width))
		}
	}
	if s.Correction != nil {
		if err := WriteCorrection(&b, s.Correction, s.Width); err != nil {
			return "", err
		}
	}
	most := fewRows
	if s.All {
		most = len(a.All)
	}
	paragraphs(details(c, a))
	b.WriteString("\n")
	if err := AdviceTable(a, most).WriteText(&b); err != nil {
		return "", err
	}
	b.WriteString("\n")
	paragraphs(slices.Concat(adviceNotes(a, most), changeNotes(c, a)))
	return b.String(), nil
}
