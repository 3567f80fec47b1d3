// Package work does what the page and its API ask for: it turns requests into calls of the library, reports what is
// found on the way, and makes the files of an answer. It knows nothing of HTTP.
package work
