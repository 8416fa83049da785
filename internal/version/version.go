// Package version says which build of stepgate this is.
package version

import "runtime/debug"

// number is the release this tree leads up to.
const number = "0.1.0-dev"

// String is the version, with the commit where the build recorded it.
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return number
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return number + "+" + s.Value[:12]
		}
	}
	return number
}
