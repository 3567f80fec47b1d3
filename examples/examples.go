// Package examples holds descriptions of clusters to begin with.
package examples

import "embed"

// Files are the descriptions in this folder.
//
//go:embed *.yaml
var Files embed.FS
