package redact

import "strings"

// element: s[i] ends the tag of <password>x</password>, <string name="api_key">x</string> or <key>password</key><string>x.
func (sc *scan) element(i int) {
	s := sc.s
	low := max(0, i-maxBack)
	open := strings.LastIndexByte(s[low:i], '<')
	if open < 0 || i+1 >= len(s) || s[i-1] == '/' || s[i-1] == '-' || s[i-1] == '=' {
		return
	}
	a := low + open + 1
	b := a
	for b < i && class[s[b]]&setDots != 0 {
		b++
	}
	if b == a {
		return
	}
	end := strings.IndexByte(s[i+1:min(len(s), i+1+maxLiteral)], '<')
	if end <= 0 || !hasAt(s, i+1+end, "</") && !hasAt(s, i+1+end, "<!") {
		return
	}
	key := sc.key(s[a:b])
	if key.score == none && b < i {
		for _, attr := range [...]string{"name=", "key=", "id="} {
			if k := strings.Index(s[b:i], attr); k >= 0 {
				if v, ok := sc.quotedAt(b + k + len(attr)); ok && v.b <= i && v.b-v.a <= maxKey {
					key = sc.key(s[v.a:v.b])
				}
			}
		}
	}
	if key.score == none && inFold(valueNames[:], s[a:b]) {
		if key = sc.plistKey(a - 1); key.score == none {
			key = sc.parentKey(a - 1)
		}
	}
	v := sc.trim(value{a: i + 1, b: i + 1 + end})
	if key.score != none {
		sc.take(v, key, quoted)
	}
}

// parentKey reads the name of the element that begins right before i.
func (sc *scan) parentKey(i int) keyName {
	before := strings.TrimRight(sc.s[max(0, i-maxBack):i], " \n\t\r")
	open := strings.LastIndexByte(before, '<')
	if open < 0 || !strings.HasSuffix(before, ">") || strings.IndexByte(before[open:], '/') >= 0 {
		return keyName{}
	}
	return sc.key(strings.TrimRight(before[open+1:], ">"))
}

// plistKey reads the <key>NAME</key> (or <name>) that ends before i.
func (sc *scan) plistKey(i int) keyName {
	s := sc.s
	k := i - 1
	for k > 0 && (s[k] == ' ' || s[k] == '\n' || s[k] == '\t' || s[k] == '\r') {
		k--
	}
	if k < 8 || s[k] != '>' {
		return keyName{}
	}
	low := max(0, k-maxBack)
	b := strings.LastIndex(s[low:k], "</")
	if b < 0 {
		return keyName{}
	}
	a := strings.LastIndexByte(s[low:low+b], '>')
	return sc.key(s[low+a+1 : low+b])
}
