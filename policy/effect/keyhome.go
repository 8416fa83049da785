package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// plainKeyWords are the parts of a variable's name that say only that it holds a secret, and what for.
const plainKeyWords = "token tokens key keys secret secrets api access auth bearer jwt pat password passwd pass pw credential credentials app user admin service client server session id my the bot ci cd deploy personal private public public_key test dev prod staging local default main internal webhook signing refresh web http https rest oauth sso cookie csrf basic root db read write ro rw new old license jwt_token header"

// strangeKey finds a variable that is named after a service and holds a key, sent to a host that is not that service's.
// A name that says nothing of whose key it is, or a host of one's own, is ordinary.
func strangeKey(h string, args []shell.Word) string {
	if isNear(h) {
		return ""
	}
	for _, a := range args {
		for i := strings.IndexByte(a.Text, '$'); i >= 0 && i < len(a.Text); {
			name := variable(a.Text[i+1:])
			if holdsKey(name) && !belongs(name, h) {
				return name
			}
			next := strings.IndexByte(a.Text[i+1:], '$')
			if next < 0 {
				break
			}
			i += next + 1
		}
	}
	return ""
}

// variable is the name behind a $.
func variable(s string) string {
	s = strings.TrimPrefix(s, "{")
	n := 0
	for n < len(s) && (isLetter(s[n]) || s[n] == '_' || n > 0 && s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return s[:n]
}

func holdsKey(name string) bool {
	low := strings.ToLower(name)
	return hasSuffix(low, "_key", "_token", "_secret", "_password", "_pat", "_credentials", "apikey", "_api_key")
}

// belongs: the parts of the name that tell whose key it is fit the host, be it by their letters in order (GH, github),
// or there are none.
func belongs(name, h string) bool {
	named := false
	for part := range strings.SplitSeq(strings.ToLower(name), "_") {
		if part == "" || in(part, plainKeyWords) {
			continue
		}
		named = true
		if inOrder(part, h) || beginsLabel(keyHome(part), h) {
			return true
		}
	}
	return !named
}

// keyHome is the host's word for services that answer under another name than their keys carry.
func keyHome(part string) string {
	switch part {
	case "gemini", "google", "gcp", "firebase", "youtube", "vertex":
		return "googleapis"
	case "claude":
		return "anthropic"
	case "jira", "confluence", "bitbucket":
		return "atlassian"
	case "azure", "openai":
		return "azure.com"
	case "gitlab", "github", "gitea":
		return "git"
	case "codex", "gpt", "chatgpt":
		return "openai"
	case "grok", "xai":
		return "x.ai"
	case "kimi":
		return "moonshot"
	case "qwen", "dashscope":
		return "aliyun"
	}
	return ""
}

// beginsLabel: a part of the host's name begins with the word.
func beginsLabel(word, h string) bool {
	return word != "" && (strings.Contains("."+h, "."+word) || strings.Contains(h, "-"+word))
}

// inOrder: all letters of s stand in h in their order.
func inOrder(s, h string) bool {
	for i := 0; i < len(h) && s != ""; i++ {
		if h[i] == s[0] {
			s = s[1:]
		}
	}
	return s == ""
}

// isNear: this machine, or a network of one's own.
