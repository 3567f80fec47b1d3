// Package server is batopo in the browser and over HTTP: an API with an OpenAPI description made from its routes, and
// the page that uses it, embedded.
//
// Handlers read requests, ask packages work and jobs, and write answers; they compute nothing themselves.
package server
