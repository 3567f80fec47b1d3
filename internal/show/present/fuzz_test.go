package present

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
)

// number finds the numbers of a JSON text.
var number = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`)

// FuzzDraw draws foreign plans: those under testdata/fuzz, which are real ones on every kind of cluster, with any bytes
// changed and with one of their numbers replaced. Whatever ReadPlan lets through is drawn or refused, and a picture is
// well formed.
func FuzzDraw(f *testing.F) {
	f.Fuzz(func(t *testing.T, source []byte, at uint16, value string) {
		if places := number.FindAllIndex(source, -1); value != "" && len(places) > 0 {
			place := places[int(at)%len(places)]
			source = []byte(string(source[:place[0]]) + value + string(source[place[1]:]))
		}
		plan, err := design.ReadPlan("fuzz.json", bytes.NewReader(source))
		if err != nil || plan.Nodes > 32 {
			return
		}
		figure, err := DrawGraph(plan)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("an error without a word")
			}
			return
		}
		var b bytes.Buffer
		if err := figure.Write(&b); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, b.Bytes())
	})
}

var notFinite = regexp.MustCompile(`="[^"]*(NaN|Inf)`)

func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	if bad := notFinite.Find(svg); bad != nil {
		t.Errorf("the picture holds %s", bad)
	}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
