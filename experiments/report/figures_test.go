package main

import "testing"

func TestFraction(t *testing.T) {
	for _, tc := range []struct {
		b    float64
		want string
	}{{1, "1"}, {0.25, "1/4"}, {2. / 3, "2/3"}, {1.5, "3/2"}, {0.976 / 4.88, "1/5"}, {1.625 / 3.25, "1/2"}} {
		if got := fraction(tc.b); got != tc.want {
			t.Errorf("%v is spelled %s, want %s", tc.b, got, tc.want)
		}
	}
}
