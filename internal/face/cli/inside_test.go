package cli

// Folded is for tests of pages.
var Folded = folded
