package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"batopo/cluster"
	"batopo/design"
	"batopo/mixing"
	"batopo/report"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"
)

func newDraw(env Env) *cobra.Command {
	var what, file string
	c := &cobra.Command{
		Use:   "draw FILE -o PICTURE",
		Short: "A picture of a plan's graph, matrix or spectrum, or of a cluster",
		Long: `draw shows a plan or a graph of your own: who averages with whom (graph), the matrix W
(matrix) or its eigenvalues (spectrum). Of a cluster description it shows the hardware.
Pictures are SVG, with hover texts; rsvg-convert or inkscape turn them into PNG or PDF.`,
		Example: `  batopo draw plan.json -o graph.svg
  batopo draw plan.json --what spectrum -o spectrum.svg
  batopo draw examples/bcube-16-1to2.yaml -o cluster.svg`,
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if file == "" {
				return errors.New("into which file? Give -o PICTURE.svg")
			}
			if !toStdout(file) {
				if err := canDraw(file); err != nil {
					return err
				}
			}
			picture, err := await(c.Context(), func() (*bytes.Buffer, error) {
				figure, err := figureOf(c.Context(), args[0], what)
				if err != nil {
					return nil, err
				}
				var b bytes.Buffer
				return &b, figure.Write(&b)
			})
			if err != nil {
				return err
			}
			return writeFile(c.Context(), env, file, func(w io.Writer) error {
				_, err := picture.WriteTo(w)
				return err
			})
		},
	}
	c.Flags().StringVar(&what, "what", "graph", "graph, matrix or spectrum")
	c.Flags().StringVarP(&file, "output", "o", "", "the picture to write; - is SVG on standard output")
	_ = c.RegisterFlagCompletionFunc("what", cobra.FixedCompletions([]string{"graph", "matrix", "spectrum"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func figureOf(ctx context.Context, name, what string) (*report.Figure, error) {
	if isCluster(name) {
		c, err := cluster.ReadFile(name)
		if err != nil {
			return nil, err
		}
		return clusterFigure(c)
	}
	plan, err := planOf(ctx, name, "")
	if err != nil {
		return nil, err
	}
	if plan.Method == "" {
		plan.Method = name
	}
	figure, err := pictureOf(plan, what)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return figure, nil
}

// pictureOf draws what is asked for of a plan.
func pictureOf(plan *design.Plan, what string) (*report.Figure, error) {
	if what == "graph" {
		return planFigure(plan)
	}
	rounds, err := plan.Matrices()
	if err != nil {
		return nil, err
	}
	title := report.Text{Title: fmt.Sprintf("%s, %d nodes", plan.Method, plan.Nodes)}
	switch {
	case what != "matrix" && what != "spectrum":
		return nil, fmt.Errorf("--what is %q; it must be graph, matrix or spectrum", what)
	case len(rounds) > 1:
		return nil, fmt.Errorf("a time-varying plan has %d matrices; --what %s draws one", len(rounds), what)
	case what == "matrix":
		return report.HeatMap{Text: title, Matrix: rounds[0]}.Draw()
	}
	return spectrumFigure(title, rounds[0])
}

// clusterFigure draws the hardware of a description that has a shape.
func clusterFigure(c *cluster.Cluster) (*report.Figure, error) {
	s := c.Spec()
	title := report.Text{Title: fmt.Sprintf("Cluster of %d nodes", c.Nodes())}
	if c.Nodes() > report.FabricNodes {
		return nil, fmt.Errorf("hardware of up to %d nodes is drawn; this cluster has %d", report.FabricNodes, c.Nodes())
	}
	switch {
	case s.Servers != nil:
		return report.TreeDrawing{Text: title, Root: serverTree(s.Servers), Levels: treeLevels(s.Servers)}.Draw()
	case s.BCube != nil:
		return bcubeDrawing(title, s.BCube, nil).Draw()
	case s.LeafSpine != nil:
		return report.TreeDrawing{Text: title, Root: leafSpineTree(s.LeafSpine), Levels: []string{"spine", "leaves"}}.Draw()
	}
	return nil, errors.New("only servers, bcube and leafspine descriptions have a shape to draw; others are a list of nodes or resources")
}

// bcubeDrawing draws a BCube, with a matrix on it or without.
func bcubeDrawing(title report.Text, b *cluster.BCube, w *mixing.Matrix) report.BCubeDrawing {
	d := report.BCubeDrawing{Text: title, Ports: b.Ports, Layers: b.Layers, Matrix: w}
	for _, gbs := range b.Bandwidth {
		d.Notes = append(d.Notes, short(gbs)+" GB/s")
	}
	return d
}

func leafSpineTree(f *cluster.LeafSpine) report.Tree {
	root := report.Tree{Name: "spine"}
	for leaf := range f.Leaves {
		t := report.Tree{Name: fmt.Sprintf("leaf %d", leaf), Note: "uplink " + short(f.Uplink) + " GB/s"}
		for h := range f.Hosts {
			t.Children = append(t.Children, report.Tree{Name: fmt.Sprint(leaf*f.Hosts + h)})
		}
		root.Children = append(root.Children, t)
	}
	return root
}

// spectrumFigure draws the eigenvalues of W, complex ones too.
func spectrumFigure(title report.Text, w *mixing.Matrix) (*report.Figure, error) {
	const most = 512 // more dots than this cover each other
	if w.Nodes() > most {
		return nil, fmt.Errorf("a spectrum is drawn for up to %d nodes; this plan has %d", most, w.Nodes())
	}
	var eigen mat.Eigen
	if !eigen.Factorize(w.Dense(), mat.EigenNone) {
		return nil, errors.New("the eigenvalue iteration did not converge")
	}
	return report.SpectrumChart{Text: title, Values: eigen.Values(nil)}.Draw()
}
