package server_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/face/server"
)

// A request that never ends does not make the end of the server a failure.
func TestSlowRequestIsCutOffAtTheEnd(t *testing.T) {
	o := options(t)
	o.Times.Closing = time.Millisecond
	address, cancel, ended := serving(t, o)
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "POST /api/plan HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n")
	if line, err := bufio.NewReader(c).ReadString('\n'); !strings.Contains(line, " 100 ") { // it now waits for the body
		t.Fatalf("the server says %q, %v", line, err)
	}
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("it ends with the error %v", err)
		}
	case <-time.After(20 * time.Minute):
		t.Fatal("the server does not end")
	}
}

// serving lets a server listen on a free port until stop is called; ended then has what it ended with.
func serving(t *testing.T, o server.Options) (address string, stop func(), ended <-chan error) {
	t.Helper()
	s, err := server.New(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	end := make(chan error, 1)
	go func() { end <- s.Serve(ctx, l) }()
	return l.Addr().String(), cancel, end
}
