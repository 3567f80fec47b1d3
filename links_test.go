package batopo_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	codeBlock = regexp.MustCompile("(?ms)^```.*?^```$")
	codeSpan  = regexp.MustCompile("`[^`\n]*`")
	pageLink  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading   = regexp.MustCompile(`(?m)^#+ (.*)$`)
	linkText  = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// Links of the pages lead to files that exist and to headings that they have. Nothing is fetched.
func TestLinksLeadSomewhere(t *testing.T) {
	followed := 0
	for _, page := range glob(t, "docs/*.md", "docs/*/*.md", "*.md", "*/README.md", "experiments/[^r]*/*.md") {
		for _, found := range pageLink.FindAllStringSubmatch(prose(t, page), -1) {
			link := found[1]
			if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
				continue
			}
			followed++
			name, anchor, _ := strings.Cut(link, "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), name)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", page, link)
			} else if anchor != "" && !hasAnchor(t, target, anchor) {
				t.Errorf("%s links to %s; %s has no such heading", page, link, target)
			}
		}
	}
	if followed < 100 {
		t.Errorf("only %d links were followed", followed)
	}
}

func TestIndexListsEveryPage(t *testing.T) {
	index := prose(t, "docs/README.md")
	for _, page := range glob(t, "docs/*.md", "docs/*/*.md") {
		name := strings.TrimPrefix(filepath.ToSlash(page), "docs/")
		if name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/README.md does not list %s", name)
		}
	}
}

// glob lists the files that match the patterns; every pattern has some.
func glob(t *testing.T, patterns ...string) (files []string) {
	t.Helper()
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, found...)
	}
	return files
}

// prose is a page without its code.
func prose(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return codeSpan.ReplaceAllString(codeBlock.ReplaceAllString(string(text), ""), "")
}

// hasAnchor reports whether a page has a heading with this anchor, made as GitHub makes it.
func hasAnchor(t *testing.T, page, anchor string) bool {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range heading.FindAllStringSubmatch(codeBlock.ReplaceAllString(string(text), ""), -1) {
		words := linkText.ReplaceAllString(strings.ToLower(found[1]), "$1")
		if anchor == strings.Map(anchorRune, words) {
			return true
		}
	}
	return false
}

// anchorRune is what becomes of a letter of a heading: spaces are hyphens, punctuation is dropped.
func anchorRune(r rune) rune {
	switch {
	case r == ' ':
		return '-'
	case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
		return r
	}
	return -1
}

var (
	// quotedTest finds "go test …" in a page up to the end of its code: a span over two lines counts too.
	quotedTest = regexp.MustCompile("go test [^`|;)]*")
	testName   = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz|Example)\w*)\(`)
)

// Tests that pages name exist: a pattern that matches none would pass and show nothing.
func TestQuotedTestsExist(t *testing.T) {
	seen := 0
	for _, page := range glob(t, "*.md", "docs/*.md", "docs/*/*.md", "experiments/*/*.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range quotedTest.FindAllString(string(text), -1) {
			words := strings.Fields(strings.ReplaceAll(command, "'", ""))
			at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, ".") })
			for k, word := range words[:len(words)-1] {
				if at < 0 || word != "-run" && word != "-bench" || strings.EqualFold(words[k+1], "xxx") {
					continue
				}
				seen++
				if !hasTest(t, words[at], words[k+1]) {
					t.Errorf("%s: %s: no test of %s has a name like that", page, strings.Join(words, " "), words[at])
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d commands were read", seen)
	}
}

// hasTest reports whether a package has a test, benchmark or fuzz target whose name matches a pattern.
func hasTest(t *testing.T, pkg, pattern string) bool {
	t.Helper()
	for _, file := range glob(t, pkg+"/*_test.go") {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range testName.FindAllStringSubmatch(string(source), -1) {
			if regexp.MustCompile(pattern).MatchString(found[1]) {
				return true
			}
		}
	}
	return false
}
