package cluster

import (
	"fmt"
	"reflect"

	"github.com/batopo/batopo/internal/ground/limits"
)

// NoZero is the complaint about a 0 in a field of a [Spec] that would be taken for left out, and so for what that
// means: its tag leftout. It is "" where a 0 is as good as any number. Both YAML and the JSON of plans are held to it.
func NoZero(f reflect.StructField) string {
	leftOut := f.Tag.Get("leftout")
	if leftOut == "" {
		return ""
	}
	allowed := "more"
	if least := f.Tag.Get("least"); least != "" {
		allowed = fmt.Sprintf("between %s and %d", least, limits.Nodes)
	}
	return fmt.Sprintf("is 0; it must be %s, or left out, which means %s", allowed, leftOut)
}
