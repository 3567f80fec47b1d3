//go:build !unix

package outfile

import (
	"io/fs"
	"os"
)

func shared(fs.FileInfo) bool { return false }

func keepOwner(*os.File, fs.FileInfo) error { return nil }
