package effect

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// maxMembers bounds the names read of an archive.
const maxMembers = 5000

// untar reads tar x: files of the archive's names are replaced. What is compressed is not looked into.
func (r *reader) untar(c *shell.Command, a argv) {
	ops := a.ops
	flags := ""
	if len(ops) > 0 && !strings.ContainsAny(ops[0].Text, "./-") && len(c.Args) > 0 && c.Args[0].Text == ops[0].Text {
		flags, ops = ops[0].Text, ops[1:] // tar xf
	}
	if !strings.Contains(flags, "x") && !a.has("-x", "--extract", "--get") || a.has("-k", "--keep-old-files", "--skip-old-files", "-O", "--to-stdout") {
		return
	}
	var from shell.Word
	if v := a.values("-f", "--file"); len(v) > 0 {
		from = v[0]
	} else if strings.HasSuffix(flags, "f") && len(ops) > 0 {
		from = ops[0]
	}
	to := shell.Word{Text: ".", Known: true}
	if v := a.values("-C", "--directory"); len(v) > 0 {
		to = v[0]
	}
	r.unpacks(c, from, to, tarNames)
}

// unzip asks before it replaces a file, unless -o says not to.
func (r *reader) unzip(c *shell.Command) {
	a := split(c.Args, " -d -P -x ")
	r.changes = true
	if len(a.ops) == 0 || a.has("-l", "-t", "-p") {
		return
	}
	to := shell.Word{Text: ".", Known: true}
	if v := a.values("-d"); len(v) > 0 {
		to = v[0]
	}
	if !a.has("-o") {
		r.unpacks(c, a.ops[0], to, nil)
		return
	}
	r.unpacks(c, a.ops[0], to, zipNames)
}

// newArchive reads tar c, which writes the archive over what stands there.
func (r *reader) newArchive(c *shell.Command, a argv) {
	ops, flags := a.ops, ""
	if len(ops) > 0 && len(c.Args) > 0 && c.Args[0].Text == ops[0].Text {
		flags, ops = ops[0].Text, ops[1:] // tar cf
	}
	to := a.values("-f", "--file")
	if strings.Contains(flags, "f") && len(ops) > 0 {
		to = ops[:1]
	}
	if len(to) > 0 && to[0].Text != "-" && (strings.Contains(flags, "c") || a.has("-c", "--create")) && !remoteSpec(to[0].Text) {
		r.writes(c, r.written(c, to[0]), Overwrite, file{})
	}
}

// outputs are programs that write over a file which an option names, or which stands last among the operands; needs is the
// flag without which they ask first. Those of moves take what they pack away.
var outputs = [...]struct {
	programs, options, needs string
	last, moves              bool
}{
	{programs: "7z 7za zip rar", needs: "-m -sdel --move -df", moves: true},
	{programs: "ffmpeg", needs: "-y", last: true},
	{programs: "mysqldump mariadb-dump", options: " -r --result-file "},
	{programs: "pg_dump pg_dumpall", options: " -f --file "},
	{programs: "age pandoc", options: " -o --output "},
	{programs: "gpg gpg2", options: " -o --output ", needs: "--yes"},
	{programs: "sponge convert", last: true},
}

// puts reads the programs of the table.
func (r *reader) puts(c *shell.Command) {
	if c.Name == "zip" {
		r.thins(c)
	}
	for i := range outputs {
		x := &outputs[i]
		if !in(c.Name, x.programs) || x.needs != "" && !anyWord(c.Args, x.needs) && !(c.Name == "zip" && split(c.Args, "").has("-m")) {
			continue
		}
		a := split(c.Args, x.options)
		switch n := len(a.ops); {
		case x.moves:
			for j, o := range a.ops {
				if j > 0 && !(j == 1 && in(a.op(0), "a u")) { // behind the archive, and 7z's command
					r.remove(c, r.target(c, o), true, filter{})
				}
			}
		case x.last && n > 0:
			r.writes(c, r.written(c, a.ops[n-1]), Overwrite, file{})
		}
		for _, o := range a.values(strings.Fields(x.options)...) {
			r.writes(c, r.written(c, o), Overwrite, file{})
		}
	}
}

// thins: zip -FS drops from an archive what the disk has no more, and zip -d what it is told to.
func (r *reader) thins(c *shell.Command) {
	a := split(c.Args, " -b -n -t -tt -x -i ")
	told := a.has("-d", "--delete")
	if len(a.ops) == 0 || !told && !(a.has("-F") && a.has("-S")) && !a.has("--filesync") {
		return
	}
	o := a.ops[0]
	if filepath.Ext(o.Text) == "" {
		o.Text += ".zip"
	}
	t, dir := r.written(c, o), r.dir(c)
	i := r.add(Act{Kind: Overwrite, Target: t.real, Place: t.place, How: "zip"})
	r.lookAt(i, func(l *looker) []Effect {
		f, size, err := openFile(t.real)
		if err != nil {
			return nil // there is nothing to drop from
		}
		defer f.Close()
		for _, n := range zipNames(f, size) {
			if told || Absent(filepath.Join(dir, n)) {
				return l.overwritten(i, t.real, "")
			}
		}
		return nil
	})
}

func (r *reader) unpacks(c *shell.Command, from, to shell.Word, names func(io.ReaderAt, int64) []string) {
	src, dst := r.written(c, from), r.written(c, to)
	host := r.downloaded(src.real)
	if from.Text == "" || from.Text == "-" {
		host = r.fetchedFrom(c)
	}
	if host != "" && in(dst.real, "/ /bin /boot /etc /lib /sbin /usr /usr/bin /usr/lib /usr/sbin") {
		r.add(Act{Kind: Overwrite, Tag: SystemFile, Target: dst.real, Place: dst.place, How: c.Name + " from " + clip(host, 40)})
	}
	if host != "" && dst.path != "" && len(r.files) < 100 {
		r.files = append(r.files, file{path: dst.real, from: host, tree: true})
	}
	if src.path == "" || dst.path == "" || from.Text == "-" || names == nil {
		return
	}
	i := r.add(Act{Kind: Overwrite, Target: dst.real, Place: dst.place, Recursive: true, How: c.Name})
	r.lookAt(i, func(l *looker) []Effect {
		f, size, err := openFile(src.real)
		if err != nil {
			return nil // there is nothing to unpack
		}
		defer f.Close()
		e := Effect{Kind: "content", Target: dst.real}
		var files []entry
		for _, n := range names(f, size) {
			p := filepath.Join(dst.real, n)
			if st, err := os.Lstat(p); err == nil && st.Mode().IsRegular() && st.Size() > 0 {
				files = append(files, entry{path: p, size: st.Size()})
			}
		}
		if l.classify(files, &e); !e.Loses() {
			return nil
		}
		return []Effect{e}
	})
}

// tarNames are the members of an archive that is not compressed.
func tarNames(r io.ReaderAt, size int64) []string {
	var out []string
	var head [512]byte
	for at := int64(0); at+512 <= size && len(out) < maxMembers; {
		if _, err := r.ReadAt(head[:], at); err != nil || string(head[257:262]) != "ustar" {
			break
		}
		n, err := strconv.ParseInt(text(head[124:136]), 8, 64)
		if err != nil || n < 0 || n > size {
			break
		}
		name := text(head[:100])
		if p := text(head[345:500]); p != "" && head[262] == 0 {
			name = p + "/" + name
		}
		if head[156] == '0' || head[156] == 0 {
			out = append(out, name)
		}
		at += 512 + (n+511)/512*512
	}
	return out
}

// text is a field of a tar header up to its end.
func text(b []byte) string {
	s, _, _ := bytes.Cut(b, []byte{0})
	return strings.TrimSpace(string(s))
}

// zipNames are the members that an archive's directory, at its end, lists.
func zipNames(r io.ReaderAt, size int64) []string {
	const end, most = 22, 64 << 10
	buf := make([]byte, min(size, end+most))
	if _, err := r.ReadAt(buf, size-int64(len(buf))); err != nil && err != io.EOF {
		return nil
	}
	i := bytes.LastIndex(buf, []byte("PK\x05\x06"))
	if i < 0 || len(buf)-i < end {
		return nil
	}
	n, at := int64(binary.LittleEndian.Uint32(buf[i+12:])), int64(binary.LittleEndian.Uint32(buf[i+16:]))
	if n > 4<<20 || at+n > size {
		return nil
	}
	dir := make([]byte, n)
	if _, err := r.ReadAt(dir, at); err != nil && err != io.EOF {
		return nil
	}
	var out []string
	for len(dir) >= 46 && string(dir[:4]) == "PK\x01\x02" && len(out) < maxMembers {
		name, extra, note := int(binary.LittleEndian.Uint16(dir[28:])), int(binary.LittleEndian.Uint16(dir[30:])), int(binary.LittleEndian.Uint16(dir[32:]))
		if 46+name+extra+note > len(dir) {
			break
		}
		out = append(out, string(dir[46:46+name]))
		dir = dir[46+name+extra+note:]
	}
	return out
}
