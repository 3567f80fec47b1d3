package cluster

import (
	"fmt"
	"unicode/utf8"
)

// plainText checks the encoding of a file. Errors begin with :line:column.
func plainText(source []byte) error {
	line, column := 1, 1
	for at := 0; at < len(source); {
		r, size := utf8.DecodeRune(source[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			return fmt.Errorf(":%d:%d: the byte %#x is not UTF-8; save the file as UTF-8", line, column, source[at])
		case r == '\n':
			line, column = line+1, 0
		case r < ' ' && r != '\t' && r != '\r':
			return fmt.Errorf(":%d:%d: the byte %#x is not text", line, column, source[at])
		}
		at += size
		column++
	}
	return nil
}
