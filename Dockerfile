# batopo in a container: docker build -t batopo . && docker run --rm -v "$PWD:/data" batopo plan cluster.yaml -o out
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# From scratch: no C library, so no OpenBLAS either.
RUN CGO_ENABLED=0 go build -tags nolapack -trimpath -ldflags '-s -w' -o /batopo ./cmd/batopo

FROM scratch
COPY --from=build /batopo /batopo
COPY LICENSE /LICENSE
WORKDIR /data
USER 1000:1000
ENTRYPOINT ["/batopo"]
