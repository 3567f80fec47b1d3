package importer_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/batopo/batopo/format/importer"
)

// Every format is read as editors and spreadsheets of Windows save it: with a byte order mark and other line ends.
// UTF-16 is refused by name.
func TestFilesFromWindows(t *testing.T) {
	for _, tc := range fixtures {
		found, err := filepath.Glob(filepath.Join("testdata", tc.files))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no file (%v)", tc.format, err)
		}
		f, err := importer.Find(tc.format)
		if err != nil {
			t.Fatal(err)
		}
		source, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(strings.ReplaceAll(string(source), "\r\n", "\n"), "\n", "\r\n")
		got, err := f.Read(strings.NewReader("\ufeff" + text))
		if want := readFile(t, tc.format, found[0]); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s saved on Windows: %+v, %v; want %+v", found[0], got, err, want)
		}
		wide := []byte("\xff\xfe")
		for _, u := range utf16.Encode([]rune(text)) {
			wide = append(wide, byte(u), byte(u>>8))
		}
		_, err = f.Read(bytes.NewReader(wide))
		if err == nil || !strings.Contains(err.Error(), "is UTF-16 text; save it as UTF-8") {
			t.Errorf("%s as UTF-16: %v", found[0], err)
		}
	}
}
