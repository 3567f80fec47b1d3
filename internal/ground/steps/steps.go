// Package steps holds the published table of how many steps ways to average need with AdamW, as measured. Who plans and
// who checks plans read it by code of their own.
package steps

import _ "embed"

// JSON is the table; experiments/language/README.md describes its fields.
//
//go:embed steps.json
var JSON []byte
