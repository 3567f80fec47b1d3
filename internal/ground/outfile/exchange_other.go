//go:build !linux

package outfile

import "errors"

func exchange(_, _ string) error { return errors.ErrUnsupported }
