// Package report turns results into things people read: aligned tables, charts,
// drawings of graphs and clusters, and one self-contained HTML page.
//
// Every picture is first described as a [Figure], a short list of outlines and texts,
// and then written as SVG, PNG or PDF, so that all formats show the same thing. In SVG,
// edges, nodes, points and bars explain themselves on hover. The charts are laid out
// here; gonum's plot library rasterises PNG and supplies the font metrics.
//
// Same input, same bytes: no dates, no random names, no map order in any output. The
// package reads no files and writes only to the io.Writer it is given.
package report
