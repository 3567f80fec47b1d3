//go:build !race

package admm_test

// raced says that the race detector is on: everything takes many times as long.
const raced = false
