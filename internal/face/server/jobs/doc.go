// Package jobs runs work that takes long: a queue with limits, a feed of what each job reports, and a folder where
// results stay. It knows nothing about what the work is.
//
// A job is on the disk from the moment it is accepted, and its last file to be written is the one that calls it done.
// So a result that was announced survives any end of the program, and a job that had not ended begins again at the
// next start.
package jobs
