// Package importer reads what people have about their machines and makes cluster descriptions of it. Some files give
// structure (which devices share which links), some give rates (what was measured between pairs), few give both;
// [Join] brings them together.
//
// Readers take what real programs print, damaged as it reaches them: tabs and spaces mixed, columns run together,
// legends missing. They trust row labels and the cells behind them, never headers. What makes no sense is an error
// that names row and column. Rates that a file does not have come from the table in classes.go and are listed as
// assumed.
package importer
