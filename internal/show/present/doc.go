// Package present turns answers into what people and programs read: the tables, sentences, charts and HTML page
// of a sweep, comparisons, simulations, findings of the checker, and drawings of plans and clusters.
//
// It decides the words and the numbers' digits; package report lays them out. It reads no files and knows no
// command line: the caller says where a text goes and adds advice on how to use the program.
// The same answer gives the same bytes.
package present
