// Package report turns results into things people read: aligned tables, charts,
// drawings of graphs and clusters, and one self-contained HTML page.
//
// Every picture is an SVG [Figure], whose edges, nodes and points explain themselves on hover.
// Axes, legends and labels are laid out here, with the letter widths of Liberation Sans, Arial and Helvetica.
//
// A picture is a plain struct with a Draw method: [LineChart], [ScatterChart], [GraphDrawing],
// [HardwareDrawing], [RateDrawing], [Panels].
// Colours are those of Okabe and Ito, and dashes and markers repeat what colours say.
//
// Same input, same bytes: no dates, no random names, no map order in any output. The
// package reads no files and writes only to the io.Writer it is given. Everything may be
// used from several goroutines at once.
package report
