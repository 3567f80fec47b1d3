module github.com/batopo/batopo/experiments

go 1.26.0

require (
	github.com/batopo/batopo v0.0.0
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/ebitengine/purego v0.11.2 // indirect
	github.com/goccy/go-yaml v1.19.2 // indirect
	golang.org/x/text v0.28.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)

replace github.com/batopo/batopo => ../
