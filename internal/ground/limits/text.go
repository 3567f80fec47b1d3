package limits

import (
	"bytes"
	"errors"
	"io"
)

// ReadText is [ReadAll] for files of text; see [Text].
func ReadText(r io.Reader, limit int, what string) ([]byte, error) {
	b, err := ReadAll(r, limit, what)
	if err != nil {
		return nil, err
	}
	return Text(b)
}

// Text drops the byte order mark that editors and spreadsheets put before UTF-8, and refuses UTF-16, which PowerShell
// writes with >: to every reader it would look like a file of another kind.
func Text(source []byte) ([]byte, error) {
	marked := bytes.HasPrefix(source, []byte("\xff\xfe")) || bytes.HasPrefix(source, []byte("\xfe\xff"))
	if marked || len(source) > 1 && min(source[0], source[1]) == 0 && isPlain(max(source[0], source[1])) {
		return nil, errors.New("is UTF-16 text; save it as UTF-8")
	}
	return bytes.TrimPrefix(source, []byte("\ufeff")), nil
}

// isPlain reports whether a file of text may begin with c.
func isPlain(c byte) bool { return c >= ' ' && c <= '~' }

// Shorten is a text that is fit for a message: its first characters, where it has more than most.
func Shorten(text string, most int) string {
	count := 0
	for at := range text {
		if count == most {
			return text[:at] + "…"
		}
		count++
	}
	return text
}
