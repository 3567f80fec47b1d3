// Package ledger keeps the results of experiments in files: rows with the settings that
// produced them and the run they come from.
//
// A row that is already there with the same settings is kept, so an interrupted
// experiment goes on where it stopped, and a finished one costs nothing to run again. The
// file is written whole after every row.
package ledger
