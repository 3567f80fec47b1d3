package server

import (
	"embed"
	"io/fs"
	"net/http"
)

//go:embed page
var pageFiles embed.FS

// pages serves the page and its parts.
func (s *Server) pages() http.Handler {
	root, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	files := http.FileServerFS(root)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		if r.URL.Path == "/" {
			s.guard.remember(w, r)
		} else if info, err := fs.Stat(root, r.URL.Path[1:]); err != nil || info.IsDir() {
			writeError(w, problem(http.StatusNotFound, noSuch(r)))
			return
		}
		files.ServeHTTP(w, r)
	})
}
