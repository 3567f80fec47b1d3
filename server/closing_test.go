package server_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/batopo/batopo/server"
)

// Whoever never ends a request does not make the end of the server a failure.
func TestSlowRequestIsCutOffAtTheEnd(t *testing.T) {
	o := options(t)
	o.Closing = time.Millisecond
	s, err := server.New(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	c, err := net.Dial("tcp", l.Addr().String())
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
	case <-time.After(time.Minute):
		t.Fatal("the server does not end")
	}
}
