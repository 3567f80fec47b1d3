package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/grace"
	"github.com/batopo/batopo/internal/outfile"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/present"
)

// canFill complains now about a folder that could not be filled after a long search, and makes it where there is none.
func canFill(folder string) error {
	if toStdout(folder) {
		return errors.New("plan -o writes several files and needs a folder; --json prints the result on standard output")
	}
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return fmt.Errorf("cannot write into %s: it is a file; plan -o needs a folder", folder)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("cannot make the folder %s: %w", folder, err)
	}
	return canWrite(filepath.Join(folder, planFolder[0]))
}

// planFolder lists the files that writePlanFolder may write.
var planFolder = append([]string{"plan.json", "report.html"}, present.PictureFiles...)

// writePlanFolder writes the plan, the pictures and the report into a folder that is there.
func writePlanFolder(ctx context.Context, env Env, folder string, p design.Problem, s *planner.Sweep) error {
	// A search that was stopped still gets its pictures, as far as they are quick.
	drawing, cancel := grace.After(ctx, drawingTime)
	defer cancel()
	pictures, leftOut := present.SweepPictures(drawing, s)
	for _, line := range leftOut {
		fmt.Fprintln(env.Stderr, line)
	}
	files := []outfile.File{
		{Name: "plan.json", Write: s.Best().Write},
		{Name: "report.html", Write: present.SweepPage(p, s, pictures, leftOut).WriteHTML},
	}
	for _, picture := range pictures {
		files = append(files, outfile.File{Name: picture.File, Write: picture.Figure.Write})
	}
	return outfile.WriteSet(context.WithoutCancel(ctx), folder, planFolder, files)
}
