package verify

import "errors"

// mostWork is how many multiplications one check may take, a few seconds' worth. It is a count and not a clock, so that
// the same plan gets the same answer on any machine. Products of dense matrices are quick, and may be twice as many.
const mostWork = 1 << 32

// errTooLarge marks what is left unchecked.
var errTooLarge = errors.New("more than is rechecked for one claim")
