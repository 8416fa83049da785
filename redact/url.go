package redact

import "strings"

// url: s[i] is the colon of "://". It hides the password in the userinfo and the secret parts of known webhooks; what
// stands in the query is found by assign.
func (sc *scan) url(i int) {
	s := sc.s
	a := i + len("://")
	b := sc.urlEnd(a)
	rest := s[a:b]
	hostEnd := strings.IndexAny(rest, "/?#")
	if hostEnd < 0 {
		hostEnd = len(rest)
	}
	at := strings.LastIndexByte(rest[:hostEnd], '@')
	if at < 0 {
		at = lateAt(rest, hostEnd)
	}
	if at >= 0 {
		sc.userinfo(a, a+at)
		return
	}
	sc.webhook(a, b, hostEnd)
}

func (sc *scan) urlEnd(a int) int {
	if a >= sc.urls.from && a < sc.urls.to {
		return sc.urls.to
	}
	b := a
	for b < len(sc.s) && sc.s[b] > ' ' && strings.IndexByte("\"'`<>|\\)", sc.s[b]) < 0 && b-a < maxLiteral {
		b++
	}
	sc.urls = run{a, b}
	return b
}

// lateAt finds the @ of a userinfo whose password holds an unescaped slash.
func lateAt(rest string, hostEnd int) int {
	colon := strings.IndexByte(rest[:hostEnd], ':')
	if colon < 0 || colon+1 == hostEnd {
		return -1
	}
	at := strings.LastIndexByte(rest, '@')
	if at < hostEnd {
		return -1
	}
	for k := colon + 1; k < hostEnd; k++ {
		if rest[k] < '0' || rest[k] > '9' {
			return at
		}
	}
	return -1
}

// userinfo hides what is secret in user:password (or a token alone) between a and b.
func (sc *scan) userinfo(a, b int) {
	s := sc.s
	colon := strings.IndexByte(s[a:b], ':')
	if colon < 0 {
		if t := s[a:b]; len(t) >= 16 && opaque(t) && count(t).digits > 0 && literal(t, slotKey, slot) {
			sc.addValue(a, b, "url-token", byPlace)
		}
		sc.next = max(sc.next, b)
		return
	}
	user, pw := s[a:a+colon], s[a+colon+1:b]
	switch {
	case pw == "" || pw == "x-oauth-basic":
		if len(user) >= 16 && literal(user, slotKey, slot) {
			sc.addValue(a, a+colon, "url-token", byPlace)
		}
	case literal(pw, slotKey, slot):
		sc.addValue(a+colon+1, b, "url-password", byPlace)
	}
	if len(user) >= 20 && opaque(user) && count(user).digits > 1 {
		sc.addValue(a, a+colon, "url-token", byPlace)
	}
	sc.next = max(sc.next, b)
}

// hook is a place on the web where the address itself is the secret.
type hook struct {
	host, path string // host matches whole or after a dot
	skip       int    // parts of the path after path that are not secret
	kind       string
	one        bool // only the next part of the path is secret
}

var hooks = [...]hook{
	{"hooks.slack.com", "/services/", 2, "slack-webhook", false},
	{"hooks.slack.com", "/workflows/", 0, "slack-webhook", false},
	{"hooks.slack.com", "/triggers/", 0, "slack-webhook", false},
	{"hooks.slack.com", "/", 0, "slack-webhook", false},
	{"hooks.slack-gov.com", "/services/", 2, "slack-webhook", false},
	{"g.alchemy.com", "/v2/", 0, "alchemy", true},
	{"infura.io", "/v3/", 0, "infura", true},
	{"quiknode.pro", "/", 0, "quiknode", true},
	{"discord.com", "/api/webhooks/", 1, "discord-webhook", false},
	{"discordapp.com", "/api/webhooks/", 1, "discord-webhook", false},
	{"webhook.office.com", "/webhookb2/", 2, "teams-webhook", false},
	{"outlook.office.com", "/webhook/", 0, "teams-webhook", false},
	{"outlook.office365.com", "/webhook/", 0, "teams-webhook", false},
	{"hooks.zapier.com", "/hooks/catch/", 0, "zapier-webhook", false},
	{"hook.integromat.com", "/", 0, "make-webhook", true},
	{"make.com", "/", 0, "make-webhook", true},
	{"api.telegram.org", "/bot", 0, "telegram", true},
	{"maker.ifttt.com", "/trigger/", 2, "ifttt-webhook", false},
	{"open.feishu.cn", "/open-apis/bot/v2/hook/", 0, "feishu-webhook", false},
	{"open.larksuite.com", "/open-apis/bot/v2/hook/", 0, "feishu-webhook", false},
	{"hooks.chime.aws", "/incomingwebhooks/", 0, "chime-webhook", false},
	{"events.pagerduty.com", "/integration/", 0, "pagerduty", false},
	{"webhook.site", "/", 0, "webhook", true},
	{"hc-ping.com", "/", 0, "webhook", true},
	{"ntfy.sh", "/", 0, "webhook", true},
	{"api.day.app", "/", 0, "webhook", true},
	{"rtmp.youtube.com", "/live2/", 0, "stream-key", true},
	{"live.twitch.tv", "/app/", 0, "stream-key", true},
	{"hooks.airtable.com", "/workflows/", 0, "airtable-webhook", false},
	{"api.pushbullet.com", "/", 9, "webhook", true},
}

func (sc *scan) webhook(a, b, hostEnd int) {
	s := sc.s
	host := s[a : a+hostEnd]
	if colon := strings.IndexByte(host, ':'); colon >= 0 {
		host = host[:colon]
	}
	for i := range hooks {
		h := &hooks[i]
		if !strings.HasSuffix(host, h.host) || len(host) > len(h.host) && host[len(host)-len(h.host)-1] != '.' || !hasAt(s, a+hostEnd, h.path) {
			continue
		}
		p := a + hostEnd + len(h.path)
		for range h.skip {
			n := strings.IndexByte(s[p:b], '/')
			if n < 0 {
				return
			}
			p += n + 1
		}
		e := p
		for e < b && s[e] != '?' && s[e] != '#' && s[e] != ',' && s[e] != ';' {
			e++
		}
		if h.one {
			if n := strings.IndexByte(s[p:e], '/'); n >= 0 {
				e = p + n
			}
		}
		for e > p && (s[e-1] == '.' || s[e-1] == '/') {
			e--
		}
		if t := s[p:e]; e-p >= 12 && !isPlaceholder(t) && !isReference(t) && chosen(t) {
			sc.add(p, e, h.kind, byPrefix)
		}
		return
	}
	sc.oneTime(a+hostEnd, b)
}

// oneTimeMarks stand in the path of such a link, before the token.
var oneTimeMarks = [...]string{"reset", "magic", "invit", "verify"}

// oneTime hides the token of a link that signs its reader in or lets them choose a new password: …/reset/x.
func (sc *scan) oneTime(a, b int) {
	path := sc.s[a:b]
	for _, mark := range oneTimeMarks {
		k := strings.Index(path, mark)
		if k <= 0 {
			continue
		}
		n := strings.IndexByte(path[k:], '/')
		if n < 0 {
			continue
		}
		from := a + k + n + 1
		e := from
		for e < b && class[sc.s[e]]&setDots != 0 {
			e++
		}
		if t := sc.s[from:e]; len(t) >= 20 && len(t) <= 512 && machineMade(t) && !isUUID(t) && !isPlaceholder(t) {
			sc.add(from, e, "link-token", byPlace)
			return
		}
	}
}
