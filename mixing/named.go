package mixing

import (
	"fmt"
	"slices"
	"strings"
)

// find returns the entry of that name in a list of things of one kind; the error lists those that exist.
func find[T any](kind, name string, list []T, nameOf func(T) string) (T, error) {
	names := make([]string, len(list))
	for k, entry := range list {
		names[k] = nameOf(entry)
		if names[k] == name {
			return entry, nil
		}
	}
	var none T
	return none, fmt.Errorf("mixing: there is no %s %q; known are %s", kind, name, strings.Join(names, ", "))
}

// A given says whether a parameter was given.
type given struct {
	parameter string
	set       bool
}

// refuse returns an error for the first parameter that was given and is not among those known to the family.
func refuse(family string, known []string, all ...given) error {
	for _, g := range all {
		if g.set && !slices.Contains(known, g.parameter) {
			return fmt.Errorf("mixing: %s takes no %s; it takes %s", family, g.parameter,
				strings.Join(append([]string{"nodes"}, known...), ", "))
		}
	}
	return nil
}
