package cluster

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// A decoder fills a Spec from YAML and complains where a value is not of the kind its field needs. Nothing is
// converted: 4.5 is not a number of nodes, and '5' in quotes is no number at all.
type decoder struct {
	check checker
	names map[string]int // of the nodes, for pairs
}

func (d *decoder) spec(body ast.Node) Spec {
	var s Spec
	if format := child(body, "format"); format != nil {
		text, ok := scalar(format)
		if d.check.format(text); ok && d.check.bad() {
			return s // of another kind of file, such as a plan, every field would be unknown
		}
	}
	d.names = map[string]int{}
	if names := child(body, "names"); names != nil {
		for k := 0; child(names, strconv.Itoa(k)) != nil; k++ {
			if name, ok := scalar(child(names, strconv.Itoa(k))); ok {
				d.names[name] = k
			}
		}
	}
	d.value("", body, reflect.ValueOf(&s).Elem(), "")
	return s
}

// value decodes a node into a field of the given path, whose numbers have the given unit.
func (d *decoder) value(path string, n ast.Node, into reflect.Value, unit string) {
	switch field := into.Addr().Interface().(type) {
	case *Numbers:
		*field = d.numbers(path, n, unit)
		return
	case *Link:
		if _, mapping := n.(ast.MapNode); !mapping { // "link: 100Gb/s" says all there is to say of most links
			field.GBs = d.rate(path, n)
			return
		}
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		d.value(path, n, into.Elem(), unit)
	case reflect.Struct:
		d.fields(path, n, into)
	case reflect.Bool:
		if v, ok := n.(*ast.BoolNode); ok {
			into.SetBool(v.Value)
		} else {
			d.complain(path, n, "true or false")
		}
	case reflect.Slice:
		list, ok := n.(*ast.SequenceNode)
		if !ok {
			d.complain(path, n, "a list")
			return
		}
		into.Set(reflect.MakeSlice(into.Type(), len(list.Values), len(list.Values)))
		for k, v := range list.Values {
			d.value(fmt.Sprintf("%s[%d]", path, k), v, into.Index(k), unit)
		}
	case reflect.String:
		if text, ok := scalar(n); ok {
			into.SetString(text)
		} else {
			d.complain(path, n, "text")
		}
	case reflect.Int:
		if v, ok := whole(n); ok {
			into.SetInt(v)
		} else if node, ok := d.named(n); ok && strings.HasPrefix(path, "routes") {
			into.SetInt(int64(node))
		} else if strings.Contains(path, ".pair") {
			d.complain(path, n, "the number of a node, counted from 0, or its name in names")
		} else {
			d.complain(path, n, "a whole number")
		}
	case reflect.Float64:
		if v, ok := quantity(n, unit); ok {
			into.SetFloat(v)
		} else {
			d.complain(path, n, numberWords(unit))
		}
	}
}

// rate is the bandwidth of a link that is given as such.
func (d *decoder) rate(path string, n ast.Node) float64 {
	v, ok := quantity(n, "GB/s")
	if !ok {
		d.complain(path, n, numberWords("GB/s")+"; or fields with values, such as {gb_s: 12.5, latency_ms: 0.02}")
	}
	return v
}

// named looks up a node by the name that the file gives it.
func (d *decoder) named(n ast.Node) (int, bool) {
	name, ok := scalar(n)
	node, known := d.names[name]
	return node, ok && known
}

// fields decodes a mapping into a struct.
func (d *decoder) fields(path string, n ast.Node, into reflect.Value) {
	mapping, ok := n.(ast.MapNode)
	if !ok {
		d.complain(path, n, "fields with values, \"name: value\"")
		return
	}
	var seen []string
	for entries := mapping.MapRange(); entries.Next(); {
		key, ok := scalar(entries.Key())
		known := reflect.VisibleFields(into.Type())
		index := slices.IndexFunc(known, func(f reflect.StructField) bool { return !f.Anonymous && yamlName(f) == key })
		inside := strings.TrimPrefix(path+"."+key, ".")
		switch {
		case !ok || index < 0:
			d.unknown(entries.Key(), key, into.Type())
		case slices.Contains(seen, key):
			d.check.complain(inside, "is given twice")
		default:
			seen = append(seen, key)
			f := known[index]
			d.value(inside, entries.Value(), into.FieldByIndex(f.Index), f.Tag.Get("unit"))
			if v, ok := whole(entries.Value()); ok && v == 0 && NoZero(f) != "" {
				d.check.at(entries.Value().GetToken(), "cluster: %s: %s", inside, NoZero(f))
			}
		}
	}
}

func yamlName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return name
}

// unknown complains about a field that does not exist, where it stands.
func (d *decoder) unknown(key ast.Node, name string, in reflect.Type) {
	var known []string
	for _, f := range reflect.VisibleFields(in) {
		if !f.Anonymous {
			known = append(known, yamlName(f))
		}
	}
	d.check.at(key.GetToken(), "unknown field %q; fields here are %s", shorten(name), strings.Join(known, ", "))
}

// numbers decodes one number or a list.
func (d *decoder) numbers(path string, n ast.Node, unit string) Numbers {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		v, ok := quantity(n, unit)
		if !ok {
			d.complain(path, n, numberWords(unit)+"; or a list of numbers with one per node")
		}
		return Numbers{v}
	}
	if len(list.Values) == 1 { // a Numbers of one is for all, and a cluster has at least two nodes
		d.check.at(n.GetToken(), "cluster: %s: is %s", path, listOfOne)
	}
	many := make(Numbers, len(list.Values))
	for k, item := range list.Values {
		v, ok := quantity(item, unit)
		if !ok {
			d.complain(fmt.Sprintf("%s[%d]", path, k), item, numberWords(unit))
		}
		many[k] = v
	}
	return many
}

// complain says what a node is and what it must be.
func (d *decoder) complain(path string, n ast.Node, want string) {
	is := "has fields"
	switch text, ok := scalar(n); {
	case n.Type() == ast.NullType:
		is = "is empty"
	case ok:
		is = "is " + quoted(n, text)
		if _, plain := plainScalar(n); !plain {
			is += " in quotes"
		}
	case n.Type() == ast.SequenceType:
		is = "is a list"
	}
	if path == "" {
		d.check.at(n.GetToken(), "the description %s; it must be %s", is, want)
		return
	}
	d.check.at(n.GetToken(), "cluster: %s: %s; it must be %s", path, is, want)
}

// quoted shows text that is no number in quotes.
func quoted(n ast.Node, text string) string {
	if _, ok := number(n); ok {
		return shorten(text)
	}
	return strconv.Quote(shorten(text))
}

// scalar returns the text of a value that is neither a list nor a mapping nor empty.
func scalar(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// plainScalar returns the text of a scalar that is not in quotes.
func plainScalar(n ast.Node) (string, bool) {
	text, ok := scalar(n)
	if s, isText := n.(*ast.StringNode); isText && s.Token.Type != token.StringType {
		return "", false
	}
	return text, ok && n.Type() != ast.LiteralType
}
