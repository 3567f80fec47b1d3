// Package verdict decides what the BA-Topo paper says by its printed numbers and by our results: cell by cell for its
// tables, sentence by sentence for its text. A sentence names its rule in paper.json; where a row of the results is
// missing it stays open. The package also checks the numbers that our own documents print.
package verdict
