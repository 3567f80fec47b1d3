package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/batopo/batopo/design"
)

// progressLine shows how long work is going: rewritten in place on a terminal,
// a plain line now and then otherwise, nothing when quiet.
type progressLine struct {
	mutex    sync.Mutex // work that was given up may still report
	out      io.Writer
	terminal bool
	dumb     bool // the terminal knows no escape sequences
	quiet    bool
	every    time.Duration
	last     time.Time
	shown    int // width of the line on the terminal
}

func newProgress(env Env, quiet bool) *progressLine {
	p := &progressLine{out: env.Stderr, dumb: env.Getenv("TERM") == "dumb", quiet: quiet, every: 5 * time.Second,
		last: time.Now()}
	if f, ok := env.Stderr.(*os.File); ok && isTerminal(f) {
		p.terminal, p.every = true, 100*time.Millisecond
	}
	return p
}

// show prints a line unless the previous one is too recent.
func (p *progressLine) show(format string, args ...any) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.quiet || time.Since(p.last) < p.every {
		return
	}
	p.last = time.Now()
	text := fmt.Sprintf(format, args...)
	if !p.terminal {
		fmt.Fprintln(p.out, text)
		return
	}
	p.rewrite(fmt.Sprintf("%-*s", p.shown, text))
	p.shown = len([]rune(text))
}

// rewrite puts a text in the place of the line. What is wider than the terminal must not go on in the next line, where
// the next text would not begin: so wrapping is off in the meantime.
func (p *progressLine) rewrite(text string) {
	const wrapOff, wrapOn = "\x1b[?7l", "\x1b[?7h"
	if !p.dumb {
		text = wrapOff + text + wrapOn
	}
	fmt.Fprint(p.out, "\r"+text)
}

// done clears the line on a terminal, so that results start on an empty one; nothing is shown from then on.
func (p *progressLine) done() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.quiet = true
	if p.terminal && p.shown > 0 {
		p.rewrite(strings.Repeat(" ", p.shown) + "\r")
		p.shown = 0
	}
}

func progressText(p design.Progress) string {
	var b strings.Builder
	if p.Budgets > 0 {
		fmt.Fprintf(&b, "budget %d of %d, ", p.Budget, p.Budgets)
	}
	fmt.Fprintf(&b, "%s", p.Phase)
	if p.Total > 0 {
		fmt.Fprintf(&b, " %d/%d", p.Done, p.Total)
	} else if p.Done > 0 {
		fmt.Fprintf(&b, " %d", p.Done)
	}
	if p.Primal > 0 || p.Dual > 0 {
		fmt.Fprintf(&b, ", residuals %.1e %.1e", p.Primal, p.Dual)
	}
	if p.Feasible {
		fmt.Fprintf(&b, ", best %.6f", p.Best)
	}
	if p.Bound > 0 {
		fmt.Fprintf(&b, ", bound %.6f", p.Bound)
		if p.Feasible {
			fmt.Fprintf(&b, ", gap at most %.1f %%", 100*(p.Best/p.Bound-1))
		}
	}
	return b.String()
}
