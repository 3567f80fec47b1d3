package batopo_test

import (
	"fmt"
	"iter"
	"os"
	"regexp"
	"strings"
	"testing"
)

// mostWords of a sentence: longer ones are read twice.
const mostWords = 40

var (
	// stale are turns of phrase that nobody in the field uses, and old words for what has a name in the field:
	// parameter averaging, hierarchical averaging, the convergence model, alternatives, overlapped with compute.
	stale = regexp.MustCompile(`(?i)\b(told|anew|two clocks|of which|so many|that of|such an?|(is|are) said to be|as it is|` +
		`by (its|their) own|rests? on|once more|none of it|` +
		`averages? of (all )?models|two levels|law of epochs|rivals?|opponents|(not )?weighed|beside the (gradient|backward)|` +
		`disagreement|cautious|edges in turn|whoever)\b`)
	lineStart   = regexp.MustCompile(`^(#|\||>|[-*+] |\d+\. |<)`)
	sentenceEnd = regexp.MustCompile(`[.!?]["')*\]]*(\s|$)`)
	aWord       = regexp.MustCompile(`[\pL\pN]`)
)

func TestPagesReadEasily(t *testing.T) {
	seen := 0
	for _, page := range glob(t, "*.md", "*/README.md", "experiments/[^r]*/*.md",
		"docs/*.md", "docs/*/*.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults(string(text), &seen) {
			t.Errorf("%s: %s", page, fault)
		}
	}
	if seen < 8000 {
		t.Errorf("only %d sentences were read", seen)
	}
}

// Comments read as easily as pages.
func TestCommentsReadEasily(t *testing.T) {
	look := func(path string) error {
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for k, line := range strings.Split(string(source), "\n") {
			_, text, _ := strings.Cut(line, "//")
			if strings.HasSuffix(path, ".py") {
				text = line // most of it is in strings
			}
			if stale.MatchString(text) {
				t.Errorf("%s:%d: %q is not how people talk:%s", path, k+1, stale.FindString(text), text)
			}
		}
		return nil
	}
	if err := eachFile(look); err != nil {
		t.Fatal(err)
	}
	for _, path := range glob(t, "internal/face/server/page/*.js", "python/batopo/*.py") {
		if err := look(path); err != nil {
			t.Fatal(err)
		}
	}
}

// Every page begins with who it is for.
func TestPagesSayWhoTheyAreFor(t *testing.T) {
	for _, page := range glob(t, "docs/*.md", "docs/*/*.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if first := paragraphs(string(text))[1]; page != "docs/README.md" && !strings.HasPrefix(first, "For ") {
			t.Errorf("%s begins with %q; it should begin with who it is for", page, first)
		}
	}
}

// faults lists the sentences of a page that are too long, and stale phrases. Cells of tables are sentences of their
// own.
func faults(page string, seen *int) (out []string) {
	for s, words := range sentences(page) {
		*seen++
		if words > mostWords {
			out = append(out, fmt.Sprintf("a sentence of %d words; the most is %d: %s", words, mostWords, s))
		}
	}
	for _, part := range paragraphs(page) {
		for _, phrase := range stale.FindAllString(part, -1) {
			out = append(out, fmt.Sprintf("%q is not how people talk: %s", phrase, part))
		}
	}
	return out
}

// sentences yields each sentence of a page with its number of words.
func sentences(page string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, part := range paragraphs(page) {
			for _, s := range sentenceEnd.Split(part, -1) {
				words := 0
				for _, w := range strings.Fields(s) {
					if aWord.MatchString(w) {
						words++
					}
				}
				if words > 0 && !yield(s, words) {
					return
				}
			}
		}
	}
}

// go test -v -run TestWordsOfPages . prints how easily each page reads.
func TestWordsOfPages(t *testing.T) {
	t.Logf("%-40s %6s %9s %8s %8s", "page", "words", "sentences", "longest", "over 30")
	for _, page := range glob(t, "README.md", "docs/*.md", "docs/*/*.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all, longest, long := 0, 0, 0
		for _, words := range sentences(string(text)) {
			all, longest = all+1, max(longest, words)
			if words > 30 {
				long++
			}
		}
		if all == 0 {
			t.Errorf("%s has no sentence", page)
		}
		t.Logf("%-40s %6d %9d %8d %6.1f %%", page, len(strings.Fields(string(text))), all, longest, 100*float64(long)/float64(all))
	}
}

// paragraphs are what stands together in a page: paragraphs, headings, points of lists and cells of tables. Code in a
// sentence counts as one word.
func paragraphs(page string) (out []string) {
	fresh := true
	for line := range strings.Lines(linkText.ReplaceAllString(codeBlock.ReplaceAllString(page, "\n"), "$1")) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			fresh = true
		case strings.HasPrefix(line, "|"):
			out = append(out, strings.Split(line, "|")...)
			fresh = true
		case fresh || lineStart.MatchString(line):
			out = append(out, line)
			fresh = strings.HasPrefix(line, "#")
		default:
			out[len(out)-1] += " " + line
		}
	}
	for k, part := range out {
		out[k] = codeSpan.ReplaceAllString(part, "code")
	}
	return out
}

func TestLongSentencesAndStalePhrasesAreFound(t *testing.T) {
	long := strings.Repeat("word ", mostWords)
	for page, want := range map[string]int{
		"Short. " + long + "\nmore.":                      1,
		"- " + long + "\n- more.":                         0,
		"| " + long + "| " + long + "|":                   0,
		"```\n" + long + "more\n```":                      0,
		"It rests on\nsomething, of which `told` is one.": 2,
	} {
		if got := faults(page, new(int)); len(got) != want {
			t.Errorf("%q: %q; want %d", page, got, want)
		}
	}
}
