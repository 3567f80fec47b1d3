package limits_test

import (
	"os"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/limits"
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

// Whoever opened a file says its name before what is wrong with it; the error of reading it must not say it again.
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
