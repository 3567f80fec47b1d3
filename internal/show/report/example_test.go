package report_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/batopo/batopo/internal/show/report"
)

func ExampleTable_WriteText() {
	table := report.Table{Columns: []report.Column{{Title: "topology"}, {Title: "r_asym", Numeric: true},
		{Title: "time", Numeric: true}}}
	table.Add("ring", "0.949", report.Duration(1643.28))
	table.AddStrong("exponential", "0.600", report.Duration(380.76))
	if err := table.WriteText(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	//   topology     r_asym     time
	//   -----------  ------  -------
	//   ring          0.949  1643 ms
	// * exponential   0.600   381 ms
}

func ExampleLineChart() {
	chart := report.LineChart{
		Text: report.Text{Title: "Consensus error over time"},
		X:    report.Axis{Label: "time", Unit: "ms"},
		Y:    report.Axis{Label: "consensus error", Log: true},
		Series: []report.Series{
			{Name: "slow", X: []float64{0, 10, 20, 30}, Y: []float64{1, 0.5, 0.25, 0.125}},
			{Name: "fast", X: []float64{0, 20, 40}, Y: []float64{1, 0.1, 0.01}, Strong: true},
		},
		Levels: []report.Level{{Name: "target 10⁻²", Value: 0.01}},
	}
	figure, err := chart.Draw()
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := figure.Write(&file); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.60s\n", file.String())
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" width="800" height="
}
