package importer

import (
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
)

// readGML reads a network of sites: nodes with a label, edges with a capacity in bit/s and a distance in km. A message
// may pass through other sites. Edges of a directed graph are one way each.
func readGML(source []byte) (*Description, error) {
	root, err := parseGML(string(source))
	if err != nil {
		return nil, err
	}
	graphs := root.of("graph")
	if len(graphs) != 1 {
		return nil, fmt.Errorf("importer: a GML file has one graph; this one has %d", len(graphs))
	}
	d := &Description{Transit: true}
	index := map[string]string{}
	for _, n := range graphs[0].of("node") {
		if err := n.once("id", "label"); err != nil {
			return nil, err
		}
		id, label := n.text["id"], n.text["label"]
		if label == "" {
			label = id
		}
		if _, twice := index[id]; twice || id == "" {
			return nil, fmt.Errorf("importer: line %d: the id %q of a node is missing or given twice", n.line, shorten(id))
		}
		index[id] = label
		d.Names = append(d.Names, label)
	}
	if err := d.lines(graphs[0], index); err != nil {
		return nil, err
	}
	if len(d.Names) < 2 || len(d.Links) == 0 {
		return nil, errors.New("importer: the graph needs at least two nodes and an edge")
	}
	return d, nil
}

// A gmlList is a list of keys with values: texts, or lists in their turn.
type gmlList struct {
	line  int
	text  map[string]string
	twice []string // keys of texts that were given again
	list  []gmlEntry
}

type gmlEntry struct {
	key string
	*gmlList
}

// once refuses keys that are given twice: which value counts would be a guess. GML allows it, as a kind of list.
func (l *gmlList) once(keys ...string) error {
	for _, key := range keys {
		if slices.Contains(l.twice, key) {
			return fmt.Errorf("importer: line %d: %q is given twice here; leave one out", l.line, key)
		}
	}
	return nil
}

func (l *gmlList) of(key string) (all []*gmlList) {
	for _, e := range l.list {
		if e.key == key {
			all = append(all, e.gmlList)
		}
	}
	return all
}

// parseGML reads keys and values; lists stand in brackets.
func parseGML(text string) (*gmlList, error) {
	root := &gmlList{line: 1, text: map[string]string{}}
	open := []*gmlList{root}
	key := ""
	for k, line := range strings.Split(text, "\n") {
		words, err := gmlWords(line)
		if err != nil {
			return nil, fmt.Errorf("importer: line %d: %w", k+1, err)
		}
		for _, word := range words {
			here := open[len(open)-1]
			switch {
			case word == "]" && key == "" && len(open) > 1:
				open = open[:len(open)-1]
			case word == "[" && key != "":
				if len(open) > limits.ImportDepth {
					return nil, fmt.Errorf("importer: line %d: nested more than %d levels deep", k+1, limits.ImportDepth)
				}
				inner := &gmlList{line: k + 1, text: map[string]string{}}
				here.list = append(here.list, gmlEntry{key, inner})
				open, key = append(open, inner), ""
			case word == "[" || word == "]":
				return nil, fmt.Errorf("importer: line %d: %q stands where a key or a value belongs", k+1, word)
			case key == "":
				key = word
			default:
				if _, twice := here.text[key]; twice {
					here.twice = append(here.twice, key)
				}
				here.text[key], key = gmlText(word), ""
			}
		}
	}
	switch {
	case key != "":
		return nil, fmt.Errorf("importer: the file ends where the value of %q belongs; is it GML?", shorten(key))
	case len(open) > 1:
		return nil, errors.New("importer: the file ends before its lists do")
	}
	return root, nil
}

// gmlCharacter is a character as GML, which is ASCII, writes those that it has not: by name or number, as in HTML.
var gmlCharacter = regexp.MustCompile(`&#?[0-9A-Za-z]+;`)

// gmlText is the value that a word stands for.
func gmlText(word string) string {
	text, quoted := strings.CutPrefix(word, `"`)
	if !quoted {
		return word
	}
	return gmlCharacter.ReplaceAllStringFunc(strings.TrimSuffix(text, `"`), html.UnescapeString)
}

// gmlWords splits a line at spaces outside quotes; # begins a comment.
func gmlWords(line string) ([]string, error) {
	var words []string
	for line = strings.TrimSpace(line); line != "" && line[0] != '#'; line = strings.TrimSpace(line) {
		end := strings.IndexAny(line, " \t[]")
		switch {
		case line[0] == '"':
			if end = strings.IndexByte(line[1:], '"'); end < 0 {
				return nil, errors.New("a text has no closing quote")
			}
			end += 2
		case line[0] == '[' || line[0] == ']':
			end = 1
		case end < 0:
			end = len(line)
		}
		words, line = append(words, line[:end]), line[end:]
	}
	return words, nil
}
