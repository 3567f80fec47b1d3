package cases

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
)

var intervalPoints = flag.Int("points", 1, "random points of every announced interval that are planned at")

// Planning at random points of every interval that is announced has the answer that is announced there.
func TestPlanningInAnIntervalHasItsAnswer(t *testing.T) {
	points, files := *intervalPoints, []string{"two-slow-gpus", "home-4090-3-small", "sites-4x2-1.3b", "h100-8-gpt-1.3b"}
	if testing.Short() {
		files = files[:2]
	}
	seen := map[advise.Quantity]int{}
	for _, file := range files {
		c, err := batopo.ReadCluster(filepath.Join("testdata", file+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		a, err := batopo.Advise(t.Context(), c, batopo.Options{})
		if err != nil {
			t.Fatal(err)
		}
		q := &question{T: t, rng: rand.New(rand.NewPCG(1, 1)), text: file, cluster: c}
		for _, axis := range a.Advice.Changes {
			seen[axis.Of] += len(axis.Intervals)
			for _, i := range axis.Intervals {
				for k := 0; k < points && i.Confirmed; k++ {
					q.isTrue(a.Advice, axis, i)
				}
			}
		}
	}
	for of, count := range seen {
		if count < 2*len(files) && of != advise.Latency {
			t.Errorf("%s changes the answer %d times on %d clusters", of, count-len(files), len(files))
		}
	}
}

// nearly reports whether a candidate would be the answer if it were a little sooner: an interval keeps the graphs that
// were found, planning searches again, and an all-reduce that is cut otherwise differs by as much.
func nearly(a *batopo.Advice, want advise.Candidate) bool {
	const sooner = 0.95
	all := slices.Clone(a.All)
	for k := range all {
		if same(all[k], want) {
			all[k].PessimisticMS *= sooner
		}
	}
	return same(all[advise.Choose(all)], want)
}

// same reports whether candidates are of one kind on the same machines, with as many steps between rounds.
func same(a, b advise.Candidate) bool {
	where := func(c advise.Candidate) string {
		if c.On == nil {
			return ""
		}
		return fmt.Sprint(c.On.Where(), c.Whole)
	}
	return a.Kind == b.Kind && a.Every == b.Every && where(a) == where(b) && (a.Shares == nil) == (b.Shares == nil)
}

// at is the description of a cluster with another value of a quantity.
func at(c *batopo.Cluster, axis advise.Axis, value float64) cluster.Spec {
	s := c.Spec()
	switch axis.Of {
	case advise.MessageSize:
		return s.WithTraining(&value, nil)
	case advise.Latency:
		s.LatencyMS = value
		return s
	case advise.Bandwidth:
		return scaled(reflect.ValueOf(s), value, func(f reflect.StructField) bool {
			return f.Tag.Get("unit") == "GB/s"
		}).Interface().(cluster.Spec)
	}
	m := cluster.ModelSpec{}
	if s.Model != nil {
		m = *s.Model
	}
	if m.ComputeMS == nil && m.NodeComputeMS == nil && s.Tree == nil {
		ms := c.Model().ComputeMS
		m.ComputeMS = &ms
	}
	s.Model = &m
	return scaled(reflect.ValueOf(s), value/axis.Now, func(f reflect.StructField) bool {
		return f.Name == "ComputeMS" || f.Name == "NodeComputeMS" || f.Name == "JitterMS"
	}).Interface().(cluster.Spec)
}

// scaled is a copy of a value with all fields of one kind multiplied by a factor.
func scaled(v reflect.Value, times float64, is func(f reflect.StructField) bool) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Float64:
		if is == nil {
			out.SetFloat(v.Float() * times)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(scaled(v.Elem(), times, is))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for k := range v.Len() {
				out.Index(k).Set(scaled(v.Index(k), times, is))
			}
		}
	case reflect.Struct:
		for k := range v.NumField() {
			inner := is
			if is != nil && is(v.Type().Field(k)) {
				inner = nil // everything below counts
			}
			out.Field(k).Set(scaled(v.Field(k), times, inner))
		}
	}
	return out
}
