// Command links makes the plans that run on shaped networks (python/net) and predicts what they will take there.
//
//	go run ./experiments/links -make -cluster python/net/clusters/two-racks.yaml -plans DIR -o predictions.json
//	go run ./experiments/links -cluster measured.yaml -plans DIR -o from-measured.json
//
//	go run ./experiments/links -clocks -cluster sites.yaml -plans DIR -o predictions.json
//
// With -make plans are searched and written to DIR; without it those in DIR are priced on the cluster. -clocks makes
// and prices what python/net/clocks.py runs.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/cost"
)

func main() {
	file := flag.String("cluster", "", "cluster description")
	folder := flag.String("plans", "", "folder of the plans")
	build := flag.Bool("make", false, "make the plans first")
	clocks := flag.Bool("clocks", false, "plans with local SGD between the cluster's groups, and what they compete with")
	out := flag.String("o", "", "where the predictions go")
	bucket := flag.Float64("bucket-mb", cost.BucketMB, "with -clocks: size of the buckets of gradients")
	message := flag.Float64("message-mb", 0, "size of a message, where it is not the description's")
	compute := flag.Float64("compute-ms", 0, "time of a gradient, where it is not the description's")
	flag.Parse()
	if err := run(context.Background(), *file, *folder, *out, *build, *clocks, *bucket, *message, *compute); err != nil {
		fmt.Fprintln(os.Stderr, "links:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file, folder, out string, build, clocks bool, bucket, message, compute float64) error {
	c, err := cluster.ReadFile(file)
	if err != nil {
		return err
	}
	if c, err = withModel(c, message, compute); err != nil {
		return err
	}
	if clocks {
		predictions, err := makeClocks(ctx, c, folder, bucket)
		if err != nil {
			return err
		}
		return write(out, predictions)
	}
	if build {
		if err := makePlans(ctx, c, folder); err != nil {
			return err
		}
	}
	predictions := map[string]Prediction{}
	for _, name := range processes {
		plan, err := design.ReadPlanFile(filepath.Join(folder, name+".json"))
		if err != nil {
			return err
		}
		if predictions[name], err = predict(c, plan); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if predictions["ddp"], err = predictDDP(c); err != nil {
		return err
	}
	return write(out, predictions)
}

func write(out string, predictions any) error {
	text, err := json.MarshalIndent(predictions, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(text, '\n'), 0o644)
}

// withModel replaces what a measured description does not know.
func withModel(c *cluster.Cluster, message, compute float64) (*cluster.Cluster, error) {
	s := c.Spec()
	model := cluster.ModelSpec{}
	if s.Model != nil {
		model = *s.Model
	}
	if message > 0 {
		model.MessageMB = &message
	}
	if compute > 0 {
		model.ComputeMS, model.NodeComputeMS, model.JitterMS = &compute, nil, nil
	}
	s.Model = &model
	return cluster.New(s)
}
