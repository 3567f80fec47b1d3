package verdict

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/batopo/batopo/experiments/internal/paper"
)

// Claims name the facts behind the numbers that our documents print. A document marks them with an anchor,
// <!-- claim: id -->, right after the last of them: a claim of three facts is about the three numbers before it. A
// number must be the fact rounded to the digits printed; the verdict on a sentence stands as holds, fails or open.
type Claims map[string][]string

// A Checked claim says what a document prints, what was found and whether they agree.
type Checked struct {
	ID, Document, Said, Found string
	OK                        bool
}

var (
	anchor = regexp.MustCompile(`<!--\s+claim:\s+(\S+)\s+-->`)
	said   = regexp.MustCompile(`\b([0-9]+(\.[0-9]+)?|holds|fails|open)\b`)
)

// Check reads the claims and the documents below root, the folder of the repository, and holds every anchor against
// the results. An anchor without a claim, and a claim without an anchor, are broken.
func (e *Evidence) Check(root string) ([]Checked, error) {
	var claims Claims
	list := filepath.Join(root, "experiments", "claims.json")
	data, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &claims); err != nil {
		return nil, fmt.Errorf("%s: %w", list, err)
	}
	documents := []string{filepath.Join(root, "README.md")}
	for _, pattern := range []string{"docs/*/*.md", "experiments/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		documents = append(documents, found...)
	}
	var all []Checked
	for _, name := range documents {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for _, place := range anchor.FindAllStringSubmatchIndex(string(text), -1) {
			id := string(text[place[2]:place[3]])
			before := said.FindAllString(anchor.ReplaceAllString(string(text[:place[0]]), ""), -1)
			all = append(all, check(id, filepath.Base(name), before, claims[id], e.Facts))
		}
	}
	for id := range claims {
		if !slices.ContainsFunc(all, func(c Checked) bool { return c.ID == id }) {
			all = append(all, Checked{ID: id, Found: "no document has an anchor for it"})
		}
	}
	slices.SortFunc(all, func(a, b Checked) int { return strings.Compare(a.Document+" "+a.ID, b.Document+" "+b.ID) })
	return all, nil
}

// check compares the last words before an anchor with the facts of its claim.
func check(id, document string, before, names []string, facts Facts) Checked {
	done := Checked{ID: id, Document: document, OK: len(names) > 0 && len(names) <= len(before)}
	if !done.OK {
		done.Found = fmt.Sprintf("%d facts in claims.json for %d numbers", len(names), len(before))
		return done
	}
	before = before[len(before)-len(names):]
	found := make([]string, len(names))
	for k, name := range names {
		fact, known := facts[name]
		value, isNumber := fact.(float64)
		switch {
		case !known:
			done.OK, found[k] = false, "no "+name+" in the results"
		case isNumber:
			done.OK, found[k] = done.OK && paper.Decimal(before[k]).Rounds(value), fmt.Sprintf("%.6g", value)
		default:
			done.OK, found[k] = done.OK && before[k] == fact, fmt.Sprint(fact)
		}
	}
	done.Said, done.Found = strings.Join(before, ", "), strings.Join(found, ", ")
	return done
}
