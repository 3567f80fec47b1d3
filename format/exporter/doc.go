// Package exporter writes mixing matrices and schedules in the forms that other
// programs read: arrays, graph files, drawings, and tables for training frameworks.
//
// Where a format has directed edges, an edge from j to i with weight w means that i
// receives from j and W[i][j] = w. Numbers are written so that reading them restores
// every bit; docs/exports.md shows how each format is loaded.
package exporter
