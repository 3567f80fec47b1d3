package cli

var Shortened = shortened
