package train_test

import (
	"os"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/train"
	"github.com/batopo/batopo/mixing"
)

// fashion is where Debian's package dataset-fashion-mnist puts its files.
const fashion = "/usr/share/datasets/fashion-mnist"

// A network of one hidden layer, trained by sixteen nodes of an exponential graph for two epochs of Fashion-MNIST,
// recognises 82 % of the test images.
func TestFashionMNISTIsLearntBySixteenNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("learns a real data set; make deep does")
	}
	if _, err := os.Stat(fashion); err != nil {
		t.Fatalf("Fashion-MNIST is not installed: apt-get install dataset-fashion-mnist (%v)", err)
	}
	data, err := train.ReadData(fashion)
	if err != nil {
		t.Fatal(err)
	}
	if data.Train.Count() != 60000 || data.Test.Count() != 10000 || data.Train.Size != 28*28 || data.Classes != 10 {
		t.Fatalf("%d and %d images of %d bytes in %d classes", data.Train.Count(), data.Test.Count(), data.Train.Size,
			data.Classes)
	}
	const nodes = 16
	hardware, err := cluster.New(cluster.Homogeneous(nodes, cluster.PaperBandwidthGBs))
	if err != nil {
		t.Fatal(err)
	}
	family, err := mixing.FindFamily("exponential")
	if err != nil {
		t.Fatal(err)
	}
	w, err := family.Build(mixing.Params{Nodes: nodes})
	if err != nil {
		t.Fatal(err)
	}
	network, err := train.NewNetwork(data, train.Model{Hidden: []int{64}, Batch: 32, Seed: 1}, nodes)
	if err != nil {
		t.Fatal(err)
	}
	entry := train.Entry{Name: "exponential", W: mixing.Static(w), Settings: train.Settings{Rate: 0.1, Beta: 0.9}}
	k, err := train.NewContest(hardware, network, []train.Entry{entry}, train.Length{Iterations: 236, TestEvery: 236})
	if err != nil {
		t.Fatal(err)
	}
	k.Train(t.Context(), nil)
	points := k.Points(0)
	if last := points[len(points)-1]; last.Accuracy < 0.82 {
		t.Errorf("accuracy %v after %d iterations, want 0.82", last.Accuracy, last.Iteration)
	} else {
		t.Logf("accuracy %v after %d iterations", last.Accuracy, last.Iteration)
	}
}
