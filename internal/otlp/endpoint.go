package otlp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// logsPath is where a collector takes logs, below its address.
const logsPath = "/v1/logs"

// Endpoint is the address that records are sent to.
type Endpoint struct{ url string }

// Parse reads an address: the collector's own, as in http://127.0.0.1:4318, or one with the path for logs. Plain http is
// for this machine only, unless insecure says otherwise.
func Parse(text string, insecure bool) (Endpoint, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil: // it quotes the address, and a password with it
		return Endpoint{}, errors.New("the endpoint is no address\nhint: as in https://collector.example:4318")
	case u.User != nil:
		return Endpoint{}, errors.New("the endpoint holds a name or a password\nhint: put them into OTEL_EXPORTER_OTLP_HEADERS")
	case u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return Endpoint{}, fmt.Errorf("endpoint %q is no address\nhint: as in https://collector.example:4318", shown(text))
	case u.RawQuery != "" || u.Fragment != "":
		return Endpoint{}, errors.New("the endpoint has a query or a fragment\nhint: keys go into OTEL_EXPORTER_OTLP_HEADERS")
	case u.Scheme == "http" && !insecure && !loopback(u.Hostname()):
		return Endpoint{}, fmt.Errorf("endpoint %q would be sent to in the clear\nhint: use https, or --insecure", shown(text))
	}
	u.Host = strings.ToLower(u.Host)
	if strings.Trim(u.Path, "/") == "" {
		u.Path, u.RawPath = logsPath, ""
	}
	return Endpoint{u.String()}, nil
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func (e Endpoint) String() string { return e.url }

// failed says what went wrong on the way, in a form that is fit to print: an answer's text is the endpoint's.
func (e Endpoint) failed(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("send to %s: %w", e.url, context.Canceled)
	}
	return fmt.Errorf("send to %s: %s\nhint: what did not arrive is sent the next time", e.url, shown(err.Error()))
}
