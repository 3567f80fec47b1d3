//go:build race

package admm_test

const raced = true
