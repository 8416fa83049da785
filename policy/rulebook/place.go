package rulebook

import (
	"bytes"

	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/tidwall/gjson"
)

// lineOf is the line of a file on which policy i, counted from 0, names a key; that of the policy where it does not, 0
// where there is no such policy. It is asked for an error alone, so it reads the file a second time.
func lineOf(src []byte, i int, key string) int {
	if i < 0 {
		return 0
	}
	if isJSON(src) {
		at := gjson.GetBytes(src, "policy."+itoa(i)+"."+key).Index
		if at == 0 {
			at = gjson.GetBytes(src, "policy."+itoa(i)).Index
		}
		if at == 0 {
			return 0
		}
		return lineAt(src, at)
	}
	line, seen, prefix := 0, -1, ""
	var p unstable.Parser
	p.Reset(src)
	for p.NextExpression() {
		n := p.Expression()
		name, at := keyOf(n)
		switch {
		case n.Kind == unstable.ArrayTable && name == "policy":
			if seen == i {
				return line // the next policy begins
			}
			seen, prefix = seen+1, ""
			if seen == i {
				line = lineAt(src, at)
			}
		case n.Kind != unstable.KeyValue && len(name) > len("policy.") && name[:len("policy.")] == "policy.":
			prefix = name[len("policy."):] + "."
		case n.Kind != unstable.KeyValue && seen == i:
			return line
		case seen < 0 && name == "policy":
			return lineAt(src, at) // all in one list
		case seen == i && (prefix+name == key || prefix+name == "when" && len(key) > 5 && key[:5] == "when."):
			return lineAt(src, at)
		}
	}
	return line
}

// keyOf is the dotted key of an expression and where it stands.
func keyOf(n *unstable.Node) (name string, at int) {
	for it := n.Key(); it.Next(); {
		part := it.Node()
		if name == "" {
			at = int(part.Raw.Offset)
		} else {
			name += "."
		}
		name += string(part.Data)
	}
	return name, at
}

func lineAt(src []byte, at int) int {
	return 1 + bytes.Count(src[:min(max(at, 0), len(src))], []byte("\n"))
}
