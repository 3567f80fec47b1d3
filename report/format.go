package report

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// A Format is a file format for pictures.
type Format string

// The formats that Figure.Write knows.
const (
	SVG Format = "svg"
	PNG Format = "png"
	PDF Format = "pdf"
)

// Formats lists the known picture formats.
func Formats() []Format { return []Format{SVG, PNG, PDF} }

// ParseFormat reads a format's name, in either case and with or without a leading dot.
func ParseFormat(name string) (Format, error) {
	f := Format(strings.ToLower(strings.TrimPrefix(name, ".")))
	if !slices.Contains(Formats(), f) {
		return "", fmt.Errorf("report: unknown format %q; known are %s", name, knownFormats())
	}
	return f, nil
}

// FormatOf returns the format that a file name's extension asks for.
func FormatOf(file string) (Format, error) {
	ext := filepath.Ext(file)
	if ext == "" {
		return "", fmt.Errorf("report: file name %q has no extension to tell the format; known are %s", file, knownFormats())
	}
	return ParseFormat(ext)
}

func knownFormats() string {
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// Write writes the figure. SVG counts a unit as one CSS pixel, PDF as 1/96 inch, and PNG
// as two pixels, so that text stays sharp.
func (f *Figure) Write(w io.Writer, format Format) error {
	switch format {
	case SVG:
		_, err := w.Write(f.svg())
		return err
	case PNG:
		return f.writePNG(w)
	case PDF:
		return f.writePDF(w)
	}
	_, err := ParseFormat(string(format))
	return err
}
