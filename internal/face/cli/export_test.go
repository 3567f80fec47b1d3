package cli

// Shortened is shortened for tests.
var Shortened = shortened
