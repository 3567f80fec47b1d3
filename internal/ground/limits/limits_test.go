package limits_test

import (
	"os"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/ground/limits"
)

func TestReadAllRefusesOneByteTooMany(t *testing.T) {
	const most = 1 << 20
	full := strings.NewReader(strings.Repeat("x", most))
	if b, err := limits.ReadAll(full, most, "a test"); err != nil || len(b) != most {
		t.Errorf("%d bytes: got %d and %v, want all of them", most, len(b), err)
	}
	_, err := limits.ReadAll(strings.NewReader(strings.Repeat("x", most+1)), most, "a test")
	if err == nil || !strings.Contains(err.Error(), "1 MiB") {
		t.Errorf("one byte more: got %v, want the limit of 1 MiB", err)
	}
}

// The caller that opened a file puts its name before the error; the error of reading it must not repeat the name.
func TestReadAllDoesNotNameTheFile(t *testing.T) {
	folder := t.TempDir()
	f, err := os.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := limits.ReadAll(f, 1, "a test"); err == nil || strings.Contains(err.Error(), folder) {
		t.Errorf("reading a folder: %v; want an error without %s", err, folder)
	}
}

func TestTextIsUTF8WithoutMark(t *testing.T) {
	for _, tc := range []struct{ source, want string }{
		{"", ""}, {"a", "a"}, {"\ufeffa", "a"}, {"\ufeff", ""}, {"a\ufeff", "a\ufeff"}, {"\x00\x01\x02", "\x00\x01\x02"}, {"\x00\xff", "\x00\xff"},
	} {
		if got, err := limits.Text([]byte(tc.source)); err != nil || string(got) != tc.want {
			t.Errorf("%q: %q, %v; want %q", tc.source, got, err, tc.want)
		}
	}
	for _, source := range []string{"\xff\xfea\x00", "\xfe\xff\x00a", "a\x00b\x00", "\x00a\x00b"} {
		if got, err := limits.Text([]byte(source)); err == nil || !strings.Contains(err.Error(), "save it as UTF-8") {
			t.Errorf("%q: %q, %v", source, got, err)
		}
	}
}

func TestShortenCountsCharacters(t *testing.T) {
	for text, want := range map[string]string{"": "", "abc": "abc", "abcd": "abc…", "äöü": "äöü", "𝄞𝄞𝄞𝄞": "𝄞𝄞𝄞…"} {
		if got := limits.Shorten(text, 3); got != want {
			t.Errorf("%q is shortened to %q, want %q", text, got, want)
		}
	}
}
