// Command page looks at the page of "stepgate analyze --html" in headless Chromium: it makes a record, loads the page, moves
// both sliders by the arrow keys, and compares the numbers with those of "analyze --json". No text of a call may run, nothing
// may be loaded, and nothing may stick out at the width of a telephone. It is a module of its own.
//
//	cd scripts/page && go run . -shots /tmp/shots
//
// The pictures are for a person to look at: two widths, light and dark.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func main() {
	shots := flag.String("shots", "", "put screenshots into this folder")
	flag.Parse()
	browser := find()
	if browser == "" {
		fmt.Println("SKIP: no Chromium is installed (Debian: chromium)\n0 passed, 0 failed, 1 skipped")
		return
	}
	n, err := run(browser, *shots)
	if err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
	fmt.Printf("%d passed, 0 failed\n", n)
}

func find() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// point is what one pair of thresholds gives, as in analyze --json.
type point struct {
	Asks       int
	Denies     int
	Missed     int
	FalseStops int `json:"false_stops"`
}

// report is as much of analyze --json as is compared.
type report struct {
	Calls int
	Curve struct{ Flag, Deny []point }
}

func run(browser, shots string) (passed int, err error) {
	dir, err := os.MkdirTemp("", "stepgate-page-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	html, r, err := write(dir)
	if err != nil {
		return 0, err
	}
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(browser), chromedp.NoSandbox,
		chromedp.UserDataDir(filepath.Join(dir, "browser")), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(2*time.Minute)) // a busy machine starts it slowly
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	defer stop()
	ctx, stop = chromedp.NewContext(ctx)
	defer stop()
	ctx, stop = context.WithTimeout(ctx, 5*time.Minute)
	defer stop()

	if err := chromedp.Do(ctx); err != nil {
		return 0, fmt.Errorf("start Chromium: %w", err)
	}
	w := &watcher{}
	_, errNet := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	err = errors.Join(errNet, chromedp.Listen(ctx, w.event), chromedp.Do(ctx, chromedp.Navigate("file://"+html), chromedp.WaitReady("#curve")))
	if err != nil {
		return 0, fmt.Errorf("load: %w", err)
	}
	c := checks{ctx: ctx}
	c.sliders(r)
	c.markup(r)
	for _, width := range []int64{1100, 390} {
		for _, scheme := range []string{"light", "dark"} {
			c.shot(width, scheme, shots)
		}
	}
	c.check("print", c.print())
	c.check("no request, dialog or error", w.seen())
	return c.passed, errors.Join(c.failed...)
}

// write makes the page and the report it is held against.
func write(dir string) (html string, r report, err error) {
	program := filepath.Join(dir, "stepgate")
	build := exec.Command("go", "build", "-o", program, "./cmd/stepgate")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return "", r, fmt.Errorf("build stepgate: %w\n%s", err, out)
	}
	files, err := records(program, dir)
	if err != nil {
		return "", r, err
	}
	html = filepath.Join(dir, "page.html")
	cmd := exec.Command(program, append([]string{"analyze", "--json", "--html", html}, files...)...)
	cmd.Env = []string{"HOME=" + dir}
	out, err := cmd.Output()
	if err != nil {
		return "", r, fmt.Errorf("stepgate analyze: %w", err)
	}
	return html, r, json.Unmarshal(out, &r)
}

// watcher remembers what a page that stands alone must not do.
type watcher struct {
	mu       sync.Mutex
	requests int
	found    []string
}

func (w *watcher) event(ev any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		if w.requests++; w.requests > 1 { // the first is for the page itself
			w.found = append(w.found, "request to "+ev.Request.URL)
		}
	case *page.EventJavascriptDialogOpening:
		w.found = append(w.found, "dialog "+ev.Message)
	case *runtime.EventExceptionThrown:
		w.found = append(w.found, "exception "+ev.ExceptionDetails.Text)
	}
}

func (w *watcher) seen() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.requests == 0 {
		return errors.New("not even the page was seen to be loaded")
	}
	if w.found != nil {
		return errors.New(strings.Join(w.found, "; "))
	}
	return nil
}

// checks counts what holds.
type checks struct {
	ctx    context.Context
	passed int
	failed []error
}

func (c *checks) check(name string, err error) {
	if err != nil {
		c.failed = append(c.failed, fmt.Errorf("%s: %w", name, err))
		return
	}
	c.passed++
}

// shown are the page's numbers.
func (c *checks) shown() (flag, deny int, p point, err error) {
	v, err := chromedp.Run(c.ctx, chromedp.Evaluate[[]int](`["flag","deny"].map(n => Number(document.getElementById(n).value)).concat(
		["asks","denies","missed","stops"].map(n => Number(document.getElementById("count-"+n).textContent)))`))
	if err == nil && len(v) != 6 {
		err = fmt.Errorf("numbers %v", v)
	}
	if err != nil {
		return 0, 0, p, err
	}
	return v[0], v[1], point{v[2], v[3], v[4], v[5]}, nil
}

// press moves a slider by keys, n steps up or down.
func (c *checks) press(slider string, n int) error {
	key := kb.ArrowRight
	if n < 0 {
		key, n = kb.ArrowLeft, -n
	}
	return chromedp.Do(c.ctx, chromedp.Focus("#"+slider), chromedp.KeyEvent(strings.Repeat(key, n)))
}

// sliders moves each slider from where it stands and compares the numbers with the curve there.
func (c *checks) sliders(r report) {
	flag, deny, got, err := c.shown()
	if err != nil {
		c.check("first numbers", err)
		return
	}
	c.check("first numbers", differ(got, r.Curve.Flag[flag]))
	for _, m := range []struct {
		slider string
		by     int
		curve  []point
	}{{"deny", -35, r.Curve.Deny}, {"deny", 40, r.Curve.Deny}, {"deny", -5, r.Curve.Deny}, {"flag", 13, r.Curve.Flag}, {"flag", -50, r.Curve.Flag}} {
		before := map[string]int{"flag": flag, "deny": deny}[m.slider]
		err := c.press(m.slider, m.by)
		if err == nil {
			flag, deny, got, err = c.shown()
		}
		at := map[string]int{"flag": flag, "deny": deny}[m.slider]
		if err == nil && at != before+m.by {
			err = fmt.Errorf("stands at %d, want %d", at, before+m.by)
		}
		if err == nil {
			err = differ(got, m.curve[at])
		}
		c.check(fmt.Sprintf("%s by %+d keys", m.slider, m.by), err)
	}
}

func differ(got, want point) error {
	if got != want {
		return fmt.Errorf("the page shows %+v, the report has %+v", got, want)
	}
	return nil
}

// markup: the hostile texts are there to be read, and nothing else came of them.
func (c *checks) markup(r report) {
	found, err := chromedp.Run(c.ctx, chromedp.Evaluate[struct {
		Ran                       any
		Scripts, Images, Handlers int
		Told                      bool
		Head                      string
	}](`({ran: window.ran || null, scripts: document.scripts.length, images: document.images.length,
		handlers: Array.from(document.querySelectorAll("*")).filter(e => Array.from(e.attributes).some(a => a.name.startsWith("on"))).length,
		told: document.body.innerText.includes("<img src="), head: document.querySelector("header p").textContent})`))
	if err == nil && (found.Ran != nil || found.Scripts != 2 || found.Images != 0 || found.Handlers != 0) {
		err = fmt.Errorf("a call became markup: %+v", found)
	}
	c.check("hostile call", err)
	if err == nil && !found.Told {
		err = errors.New("it cannot be read on the page")
	}
	c.check("hostile call is shown as text", err)
	if err == nil && !strings.HasPrefix(found.Head, fmt.Sprint(r.Calls, " calls")) {
		err = fmt.Errorf("the head says %q, the report %d calls", found.Head, r.Calls)
	}
	c.check("calls", err)
}

// print: paper is white, whatever the system's scheme is, and the list of steps is whole.
func (c *checks) print() error {
	_, err := chromedp.Call(c.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	if err != nil {
		return err
	}
	found, err := chromedp.Run(c.ctx, chromedp.Evaluate[struct {
		Card, Ink string
		Cut       bool
	}](`(() => { const s = getComputedStyle(document.querySelector("section")), l = document.querySelector(".steps");
		return {card: s.backgroundColor, ink: s.color, cut: l.scrollHeight > l.clientHeight + 1}; })()`))
	if err == nil && (found.Card != "rgb(255, 255, 255)" || found.Ink != "rgb(0, 0, 0)" || found.Cut) {
		err = fmt.Errorf("on paper: %+v", found)
	}
	return err
}

// overhang names what is wider than the window; what stands in a box that scrolls may be.
const overhang = `(() => {
	const w = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth <= w) return "";
	const out = Array.from(document.querySelectorAll("body *")).find(e => e.getBoundingClientRect().right > w + 1 && !e.closest(".wide, svg"));
	return out ? out.tagName + " " + out.textContent.slice(0, 60) : "something";
})()`

// shot looks at one width and colour scheme: nothing may stick out at the side.
func (c *checks) shot(width int64, scheme, dir string) {
	name := fmt.Sprintf("%d-%s", width, scheme)
	_, err := chromedp.Call(c.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	if err == nil {
		_, err = chromedp.Call(c.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 600})
	}
	if err != nil {
		c.check(name, err)
		return
	}
	over, err := chromedp.Run(c.ctx, chromedp.Evaluate[string](overhang))
	if err != nil {
		c.check(name, err)
		return
	}
	picture, err := chromedp.Run(c.ctx, chromedp.FullScreenshot(100))
	if err == nil && over != "" {
		err = fmt.Errorf("sticks out: %s", over)
	}
	if err == nil && dir != "" {
		err = errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644))
	}
	c.check(name, err)
}
