package jev

import (
	"net"
	"net/url"
	"strings"

	"github.com/stepgate/stepgate/verifier"
)

// ParseBaseURL checks an address that will be sent the key and the calls: https, or http to this very machine. A path is
// kept, because gateways have one.
func ParseBaseURL(s string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil {
		return nil, verifier.Errorf(verifier.Config, "base_url cannot be read as a URL") // the error would quote all of it
	}
	switch {
	case u.User != nil:
		return nil, verifier.Errorf(verifier.Config, "base_url must not hold a user name or password; use `stepgate key set`")
	case u.Hostname() == "" || u.Opaque != "":
		return nil, verifier.Errorf(verifier.Config, "base_url names no host")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, verifier.Errorf(verifier.Config, "base_url must end with its path: no query, no fragment")
	case u.Scheme == "https", u.Scheme == "http" && loopback(u.Hostname()):
	case u.Scheme == "http":
		return nil, verifier.Errorf(verifier.Config, "base_url %q would send the key unencrypted; use https", u.Redacted())
	default:
		return nil, verifier.Errorf(verifier.Config, "base_url: scheme %q is not https", u.Scheme)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = strings.TrimRight(u.RawPath, "/")
	return u, nil
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
