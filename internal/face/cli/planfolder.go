package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/show/launch"
	"github.com/batopo/batopo/internal/show/present"
)

// canFill complains now about a folder that could not be filled after a long search, and makes it where there is none.
// The function it returns removes what it made, as long as nothing is in it.
func canFill(folder string) (undo func(), err error) {
	var made []string
	undo = func() {
		for _, name := range made {
			_ = os.Remove(name) // which leaves a folder that holds something
		}
	}
	for name := filepath.Clean(folder); ; name = filepath.Dir(name) {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made = append(made, name)
	}
	if err = makeFolder(folder); err != nil {
		undo()
	}
	return undo, err
}

func makeFolder(folder string) error {
	if toStdout(folder) {
		return errors.New("plan -o writes several files and needs a folder; --json prints the result on standard output")
	}
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return fmt.Errorf("cannot write into %s: it is a file; plan -o needs a folder", folder)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("plan -o needs a folder: %w", err)
	}
	return canWrite(filepath.Join(folder, planFolder[0]))
}

// planFolder lists the files that writeFolder may write.
var planFolder = slices.Concat([]string{present.PlanFile, "report.html"}, launch.Files, present.PictureFiles)

// An answer of plan, and where its plan is, or would be.
type answer struct {
	*batopo.Answer
	screen present.Screen
}

func (a *answer) write(env Env) error {
	if a.Advice != nil { // which folds its own lines
		a.screen.Correction = a.Correction
		return present.WriteAdvice(env.Stdout, a.Problem.Cluster, a.Advice, a.screen)
	}
	if a.Correction != nil {
		if err := present.WriteCorrection(sentences(env), a.Correction, terminalWidth); err != nil {
			return err
		}
	}
	return present.WriteSweep(sentences(env), a.Problem, a.Sweep)
}

func (a *answer) writeJSON(w io.Writer) error {
	measured := present.NewCorrectionJSON(a.Correction)
	if a.Advice != nil {
		j := present.NewAdviceJSON(a.Problem.Cluster, a.Sweep, a.Advice, a.screen.File)
		j.Measured = measured
		return present.WriteJSON(w, j)
	}
	j := present.NewSweepJSON(a.Sweep)
	j.Measured = measured
	return present.WriteJSON(w, j)
}

// writeFolder writes the plan, the pictures and the report into a folder that is there.
func (a *answer) writeFolder(ctx context.Context, env Env, folder string) error {
	// A search that was stopped still gets its pictures, as far as they are quick.
	drawing, cancel := grace.After(ctx, drawingTime)
	defer cancel()
	pictures, leftOut := present.PlanPictures(drawing, a.Sweep, a.Advice)
	for _, line := range leftOut {
		fmt.Fprintln(env.Stderr, line)
	}
	page := present.PlanPage(a.Problem, a.Sweep, a.Advice, pictures, leftOut)
	var files []outfile.File
	if a.Plan != nil { // one node by itself needs none
		files = append(files, outfile.File{Name: present.PlanFile, Write: a.Plan.Write})
	}
	files = append(files, outfile.File{Name: "report.html", Write: page.WriteHTML})
	if c := a.Problem.Cluster; a.Advice != nil {
		scripts := launch.Scripts(launch.Hosts(c, a.Advice), launch.Named(c), filepath.ToSlash(folder))
		for _, name := range launch.Files {
			files = append(files, outfile.File{Name: name, Write: scripts[name]})
		}
	}
	for _, picture := range pictures {
		files = append(files, outfile.File{Name: picture.File, Write: picture.Figure.Write})
	}
	return outfile.WriteSet(context.WithoutCancel(ctx), folder, planFolder, files)
}
