package present

import (
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/show/report"
)

// routeDrawing is hardware of the general form, or measured: the pairs that may be edges, as fast as the slowest
// resource of their routes lets one alone. Whose hardware a resource is, its routes do not say.
func routeDrawing(title report.Text, c *cluster.Cluster) (*report.Figure, error) {
	resources := c.Resources()
	var rates []report.PairRate
	var hops []cluster.Hop
	for _, e := range c.Candidates() {
		hops = c.Route(hops[:0], e.I, e.J)
		slowest := resources[hops[0].Resource].GBs
		var over []string
		for _, h := range hops {
			r := resources[h.Resource]
			slowest = min(slowest, r.GBs)
			name := r.Name
			if r.UpGBs != r.DownGBs {
				name += " " + rate(r.GBs, r.UpGBs, r.DownGBs) + " GB/s"
			}
			over = append(over, name)
		}
		rates = append(rates, report.PairRate{I: e.I, J: e.J, GBs: slowest,
			Note: report.Rate(slowest) + "\nover " + strings.Join(over, ", ")})
	}
	title.Subtitle = inflected(len(rates), "pair that can exchange", "pairs that can exchange") + " over " +
		Count(len(resources), "link") + "; wider is faster, for a pair alone"
	return report.RateDrawing{Text: title, Names: nodeNames(c), Rates: rates}.Draw()
}
