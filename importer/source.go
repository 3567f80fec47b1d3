package importer

import (
	"bytes"
	"fmt"
	"io"

	"github.com/batopo/batopo/internal/limits"
)

// readSource reads a file of bounded size as UTF-8 text. A byte order mark is dropped: spreadsheets write one before
// tables. UTF-16, which PowerShell writes with >, would look like a file of another kind to every reader.
func readSource(r io.Reader, most int, what string) ([]byte, error) {
	source, err := limits.ReadAll(r, most, what)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(source, []byte("\xff\xfe")) || bytes.HasPrefix(source, []byte("\xfe\xff")) {
		return nil, fmt.Errorf("importer: %s in UTF-16; save it as UTF-8", what)
	}
	return bytes.TrimPrefix(source, []byte("\ufeff")), nil
}
