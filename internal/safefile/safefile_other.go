//go:build !unix

package safefile

import "io/fs"

// FlagNoFollow is nothing here; open looks before it opens.
const FlagNoFollow = 0

const private = false

func owned(fs.FileInfo) bool { return true }

func openError(_ string, err error) error { return err }
