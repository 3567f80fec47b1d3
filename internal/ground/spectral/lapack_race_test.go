//go:build race

package spectral_test

const raceDetector = true
