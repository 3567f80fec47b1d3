package cluster_test

import (
	"testing"

	"github.com/batopo/batopo/cluster"
)

// Other messages change how long rounds take, and nothing about the nodes.
func TestWithMessageKeepsTheRest(t *testing.T) {
	s := cluster.Homogeneous(4, 2)
	s.Format, s.Model = cluster.FormatV2, &cluster.ModelSpec{NodeComputeMS: cluster.Numbers{1, 2, 3, 4}}
	c, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	longer, err := c.WithMessage(150)
	if err != nil {
		t.Fatal(err)
	}
	before, after := c.Model(), longer.Model()
	if after.MessageMB != 150 || after.TargetError != before.TargetError || after.ComputeMS != 4 ||
		longer.ComputeMS(1) != 2 || c.Model().MessageMB != cluster.PaperMessageMB {
		t.Errorf("%+v became %+v", before, after)
	}
}
