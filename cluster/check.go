package cluster

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/batopo/batopo/internal/ground/limits"
)

// A FieldError is a value in a Spec that cannot be right.
type FieldError struct {
	Path    string // where, as a YAML path such as $.bandwidth[3]
	Message string // what is wrong and what would be right
}

func (e *FieldError) Error() string { return fmt.Sprintf("cluster: %s: %s", e.Path[2:], e.Message) }

// leftOut is the complaint about a field that the file does not have. A Spec cannot tell it from one that is 0.
func (e *FieldError) leftOut() *FieldError {
	if rest, zero := strings.CutPrefix(e.Message, "is 0;"); zero {
		return &FieldError{e.Path, "is missing;" + rest}
	}
	return e
}

// checker collects what is wrong with a description: a readable number of complaints, and how many more there are.
type checker struct {
	errs []error
	more int
}

func (c *checker) complain(path, format string, args ...any) {
	if len(c.errs) == limits.Complaints {
		c.more++
		return
	}
	c.errs = append(c.errs, &FieldError{"$." + path, fmt.Sprintf(format, args...)})
}

func (c *checker) bad() bool { return len(c.errs) > 0 }

// err joins the complaints; nil where there are none.
func (c *checker) err() error {
	if c.more > 0 {
		return errors.Join(append(c.errs, fmt.Errorf("cluster: … and %d more", c.more))...)
	}
	return errors.Join(c.errs...)
}

func (c *checker) between(path string, v, lo, hi int) {
	if v < lo || v > hi {
		c.complain(path, "is %d; it must be between %d and %d", v, lo, hi)
	}
}

// format checks that a description, where it says what it is, is one that can be read here.
func (c *checker) format(format string) {
	if format != "" && format != Format && format != FormatV2 {
		c.complain("format", "is %q; this program reads %q and %q", shorten(format), Format, FormatV2)
	}
}

// text checks a name or a sentence that people read.
func (c *checker) text(path, what, text string, most int) {
	switch {
	case strings.TrimSpace(text) == "":
		c.complain(path, "is empty; give a %s", what)
	case len(text) > most:
		c.complain(path, "has %d bytes; a %s has at most %d", len(text), what, most)
	case !utf8.ValidString(text):
		c.complain(path, "is %+q, which is not UTF-8", text)
	case strings.ContainsFunc(text, unprintable):
		c.complain(path, "is %+q; a %s is printable text", text, what)
	}
}

// name checks what people call a node or a resource.
func (c *checker) name(path, name string) { c.text(path, "name", name, 200) }

// assumptions checks sentences about what was not measured.
func (c *checker) assumptions(lines []string) {
	const most, longest = 100, 4000
	if len(lines) > most {
		c.complain("assumptions", "has %d entries; at most %d are allowed", len(lines), most)
		return
	}
	for k, line := range lines {
		c.text(fmt.Sprintf("assumptions[%d]", k), "sentence", line, longest)
	}
}

// names checks that every name is one and stands for one thing only.
func (c *checker) names(path func(k int) string, names []string) {
	first := make(map[string]int, len(names))
	for k, name := range names {
		c.name(path(k), name)
		if before, twice := first[name]; twice {
			c.complain(path(k), "is %q, as %s is already; every name stands for one", shorten(name), path(before))
			continue
		}
		first[name] = k
	}
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// shorten keeps messages about broken files readable.
func shorten(s string) string { return limits.Shorten(s, 60) }
