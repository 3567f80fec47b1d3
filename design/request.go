package design

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
)

// ReadStrict decodes JSON that came from elsewhere, as strictly as plans are read: keys that are unknown, repeat or
// differ in case, null where a value belongs and text behind the value are refused. Name says in messages where it
// came from.
func ReadStrict(name string, source []byte, into any) error {
	source, err := limits.Text(source)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := checkText(name, source); err != nil {
		return err
	}
	var whole json.RawMessage
	if err := json.Unmarshal(source, &whole); err != nil {
		syntax := (*json.SyntaxError)(nil)
		if !errors.As(err, &syntax) {
			return fmt.Errorf("%s: %w", name, err)
		}
		return located(name, source, max(0, int(syntax.Offset)-1), syntax.Error()+"; one JSON object is needed")
	}
	s := scanner{source: source, whole: name}
	s.space()
	if source[s.at] != '{' {
		return located(name, source, s.at, "a JSON object is needed")
	}
	if err := s.value(shapeOf(reflect.TypeOf(into).Elem())); err != nil {
		return located(name, source, s.at, err.Error())
	}
	err = json.Unmarshal(source, into)
	if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
		return explainType(name, source, kind)
	}
	if err != nil {
		return fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}
