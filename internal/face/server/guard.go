package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// A guard decides which requests are answered at all.
type guard struct {
	token  []byte // hash of the token; nil asks for none
	hosts  []string
	origin *http.CrossOriginProtection
}

const tokenCookie = "batopo_token"

// tokenPattern is what the header, a cookie and an address all carry unchanged.
var tokenPattern = regexp.MustCompile(`^[A-Za-z0-9._~+/-]*=*$`)

// CheckToken complains about a token that a browser would not bring back unchanged.
func CheckToken(token string) error {
	if !tokenPattern.MatchString(token) {
		return fmt.Errorf("the token has characters that cookies or addresses do not carry; " +
			"it may have letters, digits and - . _ ~ + /, and = at its end")
	}
	return nil
}

func newGuard(token string, hosts []string) guard {
	g := guard{hosts: append([]string{"localhost", "127.0.0.1", "::1"}, hosts...), origin: http.NewCrossOriginProtection()}
	if token != "" {
		sum := sha256.Sum256([]byte(token))
		g.token = sum[:]
	}
	return g
}

// check refuses requests under a foreign name, which another site's name server could have pointed here; those that
// another site's page sends; and those without the token.
func (g guard) check(r *http.Request) error {
	if host := hostOnly(r.Host); !slices.ContainsFunc(g.hosts, func(h string) bool { return strings.EqualFold(h, host) }) {
		return problem(http.StatusMisdirectedRequest,
			fmt.Errorf("this server is not called %q; it answers to %s", host, strings.Join(g.hosts, ", ")))
	}
	if err := g.origin.Check(r); err != nil {
		return problem(http.StatusForbidden, fmt.Errorf("requests of other sites' pages are refused: %w", err))
	}
	if g.token != nil && !g.right(given(r)) {
		return problem(http.StatusUnauthorized, fmt.Errorf("a token is needed: open the page as /?token=TOKEN, "+
			"or send the header Authorization: Bearer TOKEN"))
	}
	return nil
}

// right compares hashes, which takes as long for a token that is nearly right as for any other.
func (g guard) right(token string) bool {
	sum := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(sum[:], g.token) == 1
}

// given is the token that a request brings: in a header, in the cookie that the page has, or in the address that the
// page is first opened with.
func given(r *http.Request) string {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return token
	}
	if r.Method == http.MethodGet && r.URL.Path == "/" && r.URL.Query().Has("token") {
		return strings.ReplaceAll(r.URL.Query().Get("token"), " ", "+") // a plus that is not escaped reads as a space
	}
	if c, err := r.Cookie(tokenCookie); err == nil {
		return c.Value
	}
	return ""
}

func hostOnly(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	return strings.Trim(host, "[]")
}

// remember gives the page its token as a cookie that scripts and other sites cannot use.
func (g guard) remember(w http.ResponseWriter, r *http.Request) {
	if g.token == nil {
		return
	}
	http.SetCookie(w, &http.Cookie{Name: tokenCookie, Value: given(r), Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil})
}

// policy lets the page load nothing but its own files: no inline script or style, nothing from elsewhere.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// filePolicy is for results, which may hold styles of their own and no scripts.
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}
