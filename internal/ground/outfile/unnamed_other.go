//go:build !linux

package outfile

import (
	"errors"
	"os"
)

func openUnnamed(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func nameFile(*os.File, string) error { return errors.ErrUnsupported }
