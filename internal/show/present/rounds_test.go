package present_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/show/present"
)

// A schedule has a panel for each round, over the hardware where that has a shape.
func TestSchedulesAreDrawnRoundByRound(t *testing.T) {
	cube := cluster.Spec{BCube: &cluster.BCube{Ports: 4, Layers: 2, Bandwidth: []float64{4.88, 9.76}}}
	for _, spec := range []cluster.Spec{cluster.Homogeneous(16, 9.76), cube} {
		c, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		plan := onePeer(t, c)
		figure, err := present.DrawGraph(plan)
		if err != nil {
			t.Fatal(err)
		}
		var svg bytes.Buffer
		if err := figure.Write(&svg); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"a schedule of 4 rounds", ">round 0<", ">round 3<"} {
			if !strings.Contains(svg.String(), want) {
				t.Errorf("the picture does not say %q", want)
			}
		}
		if spec.BCube != nil && strings.Count(svg.String(), ">layer 1 switches<") != 4 {
			t.Errorf("the switches of layer 1 are not in all panels")
		}
	}
}

// Machines that hang on one switch one by one are drawn on a circle, not below a row of boxes that says nothing.
func TestSingleMachinesAreDrawnOnACircle(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Between: &cluster.Link{GBs: 3},
		Groups: []cluster.Group{{Name: "host", Count: 8, Nodes: 1, Link: &cluster.Link{GBs: 1}}}}})
	if err != nil {
		t.Fatal(err)
	}
	figure, err := present.DrawGraph(onePeer(t, c))
	if err != nil {
		t.Fatal(err)
	}
	var svg bytes.Buffer
	if err := figure.Write(&svg); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(svg.String(), "host 0") {
		t.Error("every round has a row of boxes of one node each")
	}
}

// Lines of an all-reduce show how much a pair sends; these shares are no weights.
func TestTrafficIsNotCalledWeight(t *testing.T) {
	servers := cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{
		Name: "server", Count: 2, Nodes: 4, Link: &cluster.Link{GBs: 12}, Uplink: &cluster.Link{GBs: 3}}}}}
	for _, spec := range []cluster.Spec{cluster.Homogeneous(8, 9.76), servers} {
		c, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		figure, err := present.DrawGraph(ringAllReduce(t, c))
		if err != nil {
			t.Fatal(err)
		}
		var svg bytes.Buffer
		if err := figure.Write(&svg); err != nil {
			t.Fatal(err)
		}
		says(t, svg.String(), "8 edges that carry equally much", "50.0 % of what the busiest node sends and receives")
		if strings.Contains(svg.String(), "weight ") {
			t.Error("the picture of an exact average speaks of weights")
		}
	}
}
