package rulebook

import (
	"strings"
	"testing"
)

// A text of nothing but marks is read in linear time: squared, this takes minutes.
func TestSpelledOutIsLinear(t *testing.T) {
	t.Parallel()
	if spelledOut(strings.Repeat(":", 2<<20)) {
		t.Error("marks are no secret")
	}
	if !spelledOut(strings.Repeat(":", 1000) + "\npassword = \"pQ7!vR2#xL9z\"") {
		t.Error("a secret behind marks is not seen")
	}
}
