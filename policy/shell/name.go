package shell

import "unicode/utf8"

// disguised says why a program's name is not what it looks like: characters that are not seen, or letters of another
// script that look like Latin ones.
func disguised(name string) string {
	alike := false
	for _, c := range name {
		switch {
		case c == utf8.RuneError:
			return "the program's name is not valid text"
		case c < ' ' || c == 0x7f:
			return "a control character stands in the program's name"
		case c < utf8.RuneSelf:
			// ASCII is what it looks like
		case invisible(c):
			return "an invisible character stands in the program's name"
		case lookalike(c):
			alike = true
		default:
			return "" // a letter that looks like nothing but itself: a name in another script
		}
	}
	if alike {
		return "look-alike letters of another script stand in the program's name"
	}
	return ""
}

// invisible covers what is drawn as nothing, as a blank, or turns the direction of writing (Unicode 16, categories Cf
// and Zs and the fillers).
func invisible(c rune) bool {
	switch {
	case c == 0xa0, c == 0xad, c == 0x34f, c == 0x61c, c == 0x115f, c == 0x1160, c == 0x1680, c == 0x17b4, c == 0x17b5,
		c == 0x180e, c == 0x3000, c == 0x3164, c == 0xfeff, c == 0xffa0,
		c >= 0x2000 && c <= 0x200f, c >= 0x2028 && c <= 0x202f, c >= 0x205f && c <= 0x206f,
		c >= 0xfe00 && c <= 0xfe0f, c >= 0xe0000 && c <= 0xe01ef:
		return true
	}
	return false
}

// lookalike covers Cyrillic, Greek and Armenian letters drawn like a Latin one, full-width and mathematical forms, and
// small modifier letters (from Unicode's confusables.txt, the part that a command's name could be made of).
func lookalike(c rune) bool {
	switch c {
	case 'а', 'с', 'ԁ', 'е', 'һ', 'і', 'ј', 'ӏ', 'о', 'р', 'ԛ', 'ѕ', 'ѵ', 'ԝ', 'х', 'у', 'ү', 'ь', 'г', 'т', 'к', 'м', 'п',
		'α', 'ο', 'ρ', 'ν', 'ι', 'κ', 'τ', 'υ', 'χ', 'ϲ', 'ϳ', 'ѐ', 'ɡ', 'ɩ', 'ı', 'ո', 'ս', 'օ', 'հ', 'ց', 'ք', 'ʀ', 'ᴍ', 'ʜ', 'ʟ':
		return true
	}
	return c >= 0xff01 && c <= 0xff5e || c >= 0x1d400 && c <= 0x1d7ff || c >= 0x2010 && c <= 0x2015 || c == 0x2044 || c == 0x2215
}
