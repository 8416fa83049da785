package install

import "strconv"

// trustKey is the name Codex gives an entry: file, event in snake case, group, place in the group (seen in 0.171.0).
func trustKey(path string, f found) string {
	return path + ":" + snake(f.event) + ":" + strconv.Itoa(f.group) + ":" + strconv.Itoa(f.at)
}

func snake(event string) string {
	var b []byte
	for i := range len(event) {
		c := event[i]
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				b = append(b, '_')
			}
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return string(b)
}
