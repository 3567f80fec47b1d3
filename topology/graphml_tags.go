package topology

import (
	"bytes"
	"fmt"
)

// checkTags refuses a file with a tag that is longer than any of a graph, before the XML library takes it apart: the
// attributes of one tag are held in memory together, a hundred bytes for every five of the file.
func checkTags(data []byte) error {
	const longest = 1 << 16
	for at := 0; ; {
		next := bytes.IndexByte(data[at:], '<')
		if next < 0 {
			return nil
		}
		at += next
		if end := ending(data[at:]); end != "" {
			size := bytes.Index(data[at:], []byte(end))
			if size < 0 {
				return nil
			}
			at += size + len(end)
			continue
		}
		size := tagSize(data[at:min(len(data), at+longest+1)])
		if size > longest {
			return fmt.Errorf("topology: GraphML: line %d: a tag of more than %d bytes",
				1+bytes.Count(data[:at], []byte("\n")), longest)
		}
		at += size
	}
}

// ending returns what ends a comment, text as it stands or an instruction, which may be long; "" for a tag.
func ending(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("<!--")):
		return "-->"
	case bytes.HasPrefix(data, []byte("<![CDATA[")):
		return "]]>"
	case bytes.HasPrefix(data, []byte("<?")):
		return "?>"
	}
	return ""
}

// tagSize is how many bytes a tag takes: to the first > that is not in quotes, or all.
func tagSize(data []byte) int {
	quote := byte(0)
	for k, b := range data {
		switch {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'':
			quote = b
		case b == '>':
			return k + 1
		}
	}
	return len(data)
}
