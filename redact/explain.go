package redact

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Place is a spot of a document where something was masked. It does not hold the value.
type Place struct {
	Path string // keys and [indexes] from the root, masked; empty is the root
	What string // the tags that stand there now, without brackets, and the setting of those that a person's rule gave; "unscanned" for what was not looked at
}

// Explain tells what masking a document changed and where.
func Explain(doc string, masked Doc) (places []Place) {
	explain(gjson.Parse(doc), gjson.Parse(masked.s), "", 0, func(p Place) { places = append(places, p) })
	return places
}

func explain(was, is gjson.Result, path string, depth int, found func(Place)) {
	switch {
	case was.Raw == is.Raw:
	case depth > maxDepth || was.IsObject() != is.IsObject() || was.IsArray() != is.IsArray() || !was.IsObject() && !was.IsArray():
		found(Place{path, newTags(was.String(), is.String())})
	default:
		explainMembers(was, is, path, depth, found)
	}
}

func explainMembers(was, is gjson.Result, path string, depth int, found func(Place)) {
	type member struct{ key, value gjson.Result }
	var before []member
	was.ForEach(func(k, v gjson.Result) bool {
		before = append(before, member{k, v})
		return true
	})
	n := 0
	is.ForEach(func(k, v gjson.Result) bool {
		if n == len(before) {
			return false
		}
		old, at := before[n], path+"["+strconv.Itoa(n)+"]"
		if n++; is.IsObject() {
			at = strings.TrimPrefix(path+"."+k.String(), ".")
			if k.Raw != old.key.Raw {
				found(Place{at, "key name: " + newTags(old.key.String(), k.String())})
			}
		}
		explain(old.value, v, at, depth+1, found)
		return true
	})
}

// newTags are the tags of a masked string that did not stand in it before, each once.
func newTags(was, is string) string {
	var out []string
	for i := strings.Index(is, tagHead); i >= 0; {
		n := max(1, tagAt(is, i))
		if n > 1 && len(out) < 50 && !strings.Contains(was, is[i:i+n]) {
			t := is[i+len(tagHead) : i+n-1]
			if kind, _, _ := strings.Cut(t, "#"); Setting(kind) != "" {
				t += " by " + Setting(kind)
			}
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
		k := strings.Index(is[i+n:], tagHead)
		if k < 0 {
			break
		}
		i += n + k
	}
	if len(out) == 0 {
		return "unscanned"
	}
	return strings.Join(out, ", ")
}
