package verify_test

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/batopo/batopo/design"
)

// A place is one value of a plan: where it stands, and what it can be changed to.
type place struct {
	path  string // without positions in lists
	where string // with them
	value reflect.Value
}

// part names a field of a struct; ok is false for those that are no claim: the cluster, and what no file has.
func part(path string, f reflect.StructField) (name string, ok bool) {
	name, _, _ = strings.Cut(f.Tag.Get("json"), ",")
	switch name {
	case "cluster", "-":
		return "", false
	case "claims", "provenance":
		return path, true
	}
	return strings.TrimPrefix(path+"."+name, "."), true
}

// places walks over a plan. The cluster is the question, not a claim; it has tests of its own.
func places(v reflect.Value, path, where string, visit func(p place)) {
	switch v.Kind() {
	case reflect.Pointer:
		visit(place{path, where, v})
		if !v.IsNil() && v.Elem().Kind() == reflect.Struct {
			places(v.Elem(), path, where, visit)
		}
	case reflect.Struct:
		for k := range v.NumField() {
			if name, ok := part(path, v.Type().Field(k)); ok {
				places(v.Field(k), name, strings.TrimPrefix(where+"."+v.Type().Field(k).Name, "."), visit)
			}
		}
	case reflect.Slice:
		visit(place{path, where, v})
		for k := range v.Len() {
			if k > 0 && k < v.Len()-1 {
				continue // the first and the last of each list: those between are read by the same code
			}
			places(v.Index(k), path, fmt.Sprintf("%s[%d]", where, k), visit)
		}
	default:
		visit(place{path, where, v})
	}
}

// copied returns a value that shares nothing with v, so that a change stays where it was made.
func copied(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			to.Set(reflect.New(v.Type().Elem()))
			to.Elem().Set(copied(v.Elem()))
		}
	case reflect.Struct:
		for k := range v.NumField() {
			if to.Field(k).CanSet() {
				to.Field(k).Set(copied(v.Field(k)))
			}
		}
	case reflect.Slice:
		if !v.IsNil() {
			to.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for k := range v.Len() {
				to.Index(k).Set(copied(v.Index(k)))
			}
		}
	}
	return to
}

// words are what a text can be changed to and still be read.
var words = map[string][]string{
	"question.weights": {"nonnegative", "free"}, "kind": {"gossip", "collective"}, "order": {"atc", "cta"},
	"average": {"gradients", "changes"}, "wire": {"bf16", "fp16", "int8", "int4", "int2", "int1"},
	"question.purpose": {"consensus", "training"}, "r_asym_kind": {"proved", "estimate"},
	"iterations_kind":    {"proved", "estimate"},
	"question.objective": {"rate", "time"}, "bound.kind": {"ball", "walk", "complete", "certificate"},
	"degree_bound.kind": {"ball", "walk", "complete"},
	"stop": {"constructed", "converged", "evaluations", "time limit", "interrupted",
		"stalled", "breakdown", "rejected"},
	"weights_bound.certificate.setting": {"nonnegative", "free"},
}

// A change gives a place another value.
type change struct {
	name string
	make func()
}

func changes(p place) []change {
	v := p.value
	set := func(name string, to any) change {
		return change{name, func() { v.Set(reflect.ValueOf(to).Convert(v.Type())) }}
	}
	switch v.Kind() {
	case reflect.Bool:
		return []change{set("flipped", !v.Bool())}
	case reflect.Int, reflect.Int64:
		return []change{set("raised", v.Int()+1), set("lowered", v.Int()-1)}
	case reflect.Uint64:
		return []change{set("raised", v.Uint()+1)}
	case reflect.Float64:
		return []change{set("raised", v.Float()*1.01+1e-5), set("lowered", v.Float()*0.99-1e-5)}
	case reflect.String:
		var all []change
		for _, w := range words[p.path] {
			if w != v.String() {
				all = append(all, set(w, w))
			}
		}
		return append(all, set("misspelled", v.String()+"x"))
	case reflect.Pointer:
		if !v.IsNil() {
			return []change{{"removed", func() { v.Set(reflect.Zero(v.Type())) }}}
		}
		if v.Type().Elem().Kind() == reflect.Float64 {
			half := 0.5
			return []change{set("given", &half)}
		}
	case reflect.Slice:
		if v.Len() > 0 {
			return []change{{"shortened", func() { v.SetLen(v.Len() - 1) }},
				{"repeated", func() { v.Set(reflect.Append(v, v.Index(0))) }}}
		}
	}
	return nil
}

// consistent makes everything that follows from a changed field follow from it, so that the lie is not found
// out by accident.
func consistent(p *design.Plan, changed string) {
	if changed != "hash" {
		p.Hash = p.ComputeHash()
	}
	if changed != "gap" && changed != "bound" {
		p.SetBound(p.Bound)
	}
	if changed != "degree_gap" && changed != "degree_bound" {
		p.SetDegreeBound(p.DegreeBound)
	}
	if changed != "time_ms" && (p.Static() || p.Kind == design.CollectiveKind) {
		p.TimeMS = float64(p.Iterations) * p.CommunicationMS
	}
	if changed == "rounds" && len(p.Rounds) > 0 { // as long as the period
		p.RoundMS = append(p.RoundMS, p.RoundMS[0])[:len(p.Rounds)]
	}
}
