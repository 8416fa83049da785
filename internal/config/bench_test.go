package config

import (
	"os"
	"path/filepath"
	"testing"
)

// What the hook pays for its settings on every call.
func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	s := Sources{Getenv: os.Getenv, Environ: os.Environ(), ConfigHome: dir, ProjectRoot: dir, Managed: filepath.Join(dir, "managed.toml")}
	b.Run("no file", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Load(s)
		}
	})
	if err := os.WriteFile(filepath.Join(dir, UserFile), []byte("mode = \"enforce\"\ndeny_above = 0.8\nskip_tools = [\"Read\"]\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("user file", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Load(s)
		}
	})
}
