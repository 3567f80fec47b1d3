package design

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// checkJSON goes over a file before it is decoded and refuses what two readers could understand differently, or what
// would take more memory than a plan needs: another format, keys that are unknown, repeat or differ in case, null where
// a value belongs, text behind the plan.
func checkJSON(name string, source []byte) error {
	if err := checkText(name, source); err != nil {
		return err
	}
	var whole json.RawMessage
	if err := json.Unmarshal(source, &whole); err != nil {
		return explainSyntax(name, source, err)
	}
	s := scanner{source: source}
	s.space()
	if source[s.at] != '{' {
		return located(name, source, s.at, "a plan is a JSON object")
	}
	var head struct{ Format string }
	_ = json.Unmarshal(source, &head) // a value of another kind is explained when all of the file is decoded
	switch head.Format {
	case PlanFormat:
	case "":
		return fmt.Errorf("%s: has no format; a plan begins with \"format\": %q", name, PlanFormat)
	default:
		return fmt.Errorf("%s: %w", name, unknownFormat(head.Format))
	}
	if err := s.value(planShape); err != nil {
		return located(name, source, s.at, err.Error())
	}
	return nil
}

// checkText complains about bytes that are no UTF-8 text.
func checkText(name string, source []byte) error {
	if utf8.Valid(source) {
		return nil
	}
	at := 0
	for r, size := utf8.DecodeRune(source); r != utf8.RuneError || size != 1; r, size = utf8.DecodeRune(source[at:]) {
		at += size
	}
	return located(name, source, at, fmt.Sprintf("byte 0x%02x is not UTF-8; text must be UTF-8", source[at]))
}

func explainSyntax(name string, source []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("%s: %w", name, err)
	}
	at, text := max(0, int(syntax.Offset)-1), syntax.Error()
	switch {
	case strings.Contains(text, "after top-level value"):
		return located(name, source, at, "something follows the plan; a file holds one plan and nothing else")
	case strings.Contains(text, "unexpected end"):
		return located(name, source, len(source), "the file ends before the plan does")
	}
	return located(name, source, at, text+"; a plan is a JSON object written by this program")
}

// located adds line and column to a message.
func located(name string, source []byte, at int, message string) error {
	before := source[:max(0, min(at, len(source)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%s:%d:%d: %s", name, line, column, message)
}
