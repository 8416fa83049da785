package effect

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// Programs of compiled languages that are small enough to be written and run in one go. Their texts are read like those of
// an interpreter when they are run from source, and when what a compiler made of them is run by the same line.

var goCalls = language{
	comments: "//", block: true, lines: true, args: "os.Args",
	calls: [ops]string{
		opDelete: "os.Remove syscall.Unlink", opWipe: "os.RemoveAll", opRead: "os.ReadFile ioutil.ReadFile os.Open", opWrite: "os.WriteFile ioutil.WriteFile os.Create", opArgv: "exec.Command exec.CommandContext",
		opChdir: "os.Chdir", opSame: "filepath.Clean filepath.Abs filepath.FromSlash filepath.EvalSymlinks strings.TrimSpace string", opJoin: "filepath.Join path.Join", opHome: "os.UserHomeDir", opHere: "os.Getwd",
		opTemp: "os.MkdirTemp os.CreateTemp os.TempDir ioutil.TempDir ioutil.TempFile", opGlob: "filepath.Glob", opList: "os.ReadDir ioutil.ReadDir", opWalk: "filepath.Walk filepath.WalkDir", opEnv: "os.Getenv", opDir: "filepath.Dir path.Dir", opWords: "strings.Fields",
	},
	as: []equivalent{{"os.Rename", "mv 1 2"}, {"os.Truncate", "truncate -s 2 1"}, {"os.Chmod", "chmod 2 1"}, {"os.Symlink", "ln -s 1 2"}, {"syscall.Kill", "kill -2 1"}},
}

var rustCalls = language{
	comments: "//", block: true, lines: true,
	calls: [ops]string{
		opDelete: "std::fs::remove_file fs::remove_file remove_file", opRmdir: "std::fs::remove_dir fs::remove_dir", opWipe: "std::fs::remove_dir_all fs::remove_dir_all remove_dir_all", opRead: "std::fs::read_to_string fs::read_to_string fs::read File::open",
		opWrite: "std::fs::write fs::write File::create std::fs::File::create", opArgv: "Command::new std::process::Command::new process::Command::new", opHome: "dirs::home_dir home::home_dir", opHere: "env::current_dir std::env::current_dir", opTemp: "env::temp_dir std::env::temp_dir tempdir",
		opSame: "Path::new PathBuf::from String::from .unwrap .expect .to_string .to_owned .into .clone .as_str .as_path .to_path_buf .unwrap_or_default", opEnv: "env::var std::env::var", opList: "fs::read_dir std::fs::read_dir", opGlob: "glob", opChdir: "env::set_current_dir std::env::set_current_dir",
	},
	as: []equivalent{{"std::fs::rename", "mv 1 2"}, {"fs::rename", "mv 1 2"}, {"fs::copy", "cp 1 2"}, {"std::fs::copy", "cp 1 2"}},
}

var cCalls = language{
	comments: "//", block: true, lines: true,
	calls: [ops]string{
		opDelete: "unlink remove std::remove fs::remove std::filesystem::remove", opRmdir: "rmdir", opWipe: "std::filesystem::remove_all fs::remove_all filesystem::remove_all", opOpen: "fopen", opRun: "system popen std::system", opExec: "execl execlp execle execv execvp",
		opChdir: "chdir", opEnv: "getenv std::getenv", opSame: "std::string fs::path std::filesystem::path .c_str .string", opTemp: "mkdtemp mkstemp tmpnam fs::temp_directory_path std::filesystem::temp_directory_path", opHere: "fs::current_path",
	},
	as: []equivalent{{"rename", "mv 1 2"}, {"truncate", "truncate -s 2 1"}, {"chmod", "chmod 2 1"}, {"symlink", "ln -s 1 2"}},
}

var javaCalls = language{
	comments: "//", block: true, lines: true, args: "args",
	calls: [ops]string{
		opDelete: "Files.delete Files.deleteIfExists .delete .deleteOnExit", opWipe: "FileUtils.deleteDirectory FileUtils.cleanDirectory FileUtils.deleteQuietly .deleteRecursively", opRead: "Files.readString Files.readAllLines Files.readAllBytes", opWrite: "Files.writeString Files.write FileWriter FileOutputStream",
		opRun: ".exec", opArgv: "ProcessBuilder", opSame: "Path.of .toPath .toFile .toAbsolutePath", opJoin: "File java.io.File Paths.get", opEnv: "System.getenv System.getProperty", opItems: "List.of Arrays.asList Set.of Stream.of", opTemp: "Files.createTempDirectory Files.createTempFile File.createTempFile", opWalk: "Files.walk", opList: "Files.list Directory.GetFiles",
	},
	as: []equivalent{{"Files.move", "mv 1 2"}, {"Files.copy", "cp 1 2"}},
}

// otherCalls are those of languages that are seldom used for a line: Elixir, Swift, Groovy, Kotlin, Scala, Dart, C#, Zig.
var otherCalls = language{
	comments: "// #", block: true, lines: true,
	calls: [ops]string{
		opDelete: "File.rm .delete .deleteSync .deleteFile File.Delete Files.delete Files.deleteIfExists os.remove", opWipe: "File.rm_rf .deleteDir .deleteRecursively .deleteTree Directory.Delete .removeItem FileManager.default.removeItem os.remove.all",
		opRead: "File.read", opWrite: "File.write .write", opRun: "System.shell .execute .exec os.system Process.Start ProcessStartInfo", opArgv: "System.cmd Process.run Process.runSync Process.start ProcessBuilder", opSame: "URL Directory Path.of Path.expand", opJoin: "Path.join File java.io.File Paths.get Path.Combine",
		opEnv: "System.get_env System.getenv System.getProperty Environment.GetEnvironmentVariable", opHome: "System.user_home NSHomeDirectory", opTemp: "File.createTempFile Directory.systemTemp.createTempSync Path.GetTempFileName Path.GetTempPath", opGlob: "Path.wildcard", opList: "File.ls! File.ls Directory.GetFiles Directory.EnumerateFiles Directory.GetDirectories", opMap: "Enum.each Enum.map", opItems: "Seq List Array List.of Arrays.asList listOf arrayOf mutableListOf",
	},
	as: []equivalent{{"File.rename", "mv 1 2"}, {"File.cp", "cp 1 2"}},
}

// plainCalls are those of languages whose calls need no brackets: Haskell, Nim, OCaml.
var plainCalls = language{
	comments: "# --", lines: true, bare: true,
	calls: [ops]string{
		opDelete: "removeFile Sys.remove Unix.unlink", opWipe: "removeDir removeDirectoryRecursive removePathForcibly", opRmdir: "removeDirectory Sys.rmdir",
		opRun: "execShellCmd execCmd execCmdEx Sys.command Unix.system callCommand", opWrite: "writeFile", opHome: "getHomeDir getHomeDirectory", opTemp: "getTempDir createTempDir",
	},
}

// sources are the texts that programs run without a compiler's step between, by their endings. The words of runs tell
// that they do: a program that does nothing else needs none.
var sources = [...]struct {
	ending, programs, runs string
	lang                   *language
}{
	{".dart", "dart", "run", &otherCalls},
	{".kts", "kotlinc", "-script", &otherCalls},
	{".sc .scala", "scala-cli", "run", &otherCalls},
	{".csx", "dotnet-script csi", "", &otherCalls},
	{".csx .cs", "dotnet", "script run", &otherCalls},
	{".hs", "runghc runhaskell", "", &plainCalls},
	{".ml", "ocaml", "", &plainCalls},
	{".nim", "nim", "r -r --run", &plainCalls},
	{".cr", "crystal", "run", &rubyCalls},
	{".zig", "zig", "run", &otherCalls},
	{".rs", "rust-script", "", &rustCalls},
}

// fromSource reads the text that such a program runs. What else it is told to do is read like any tool's.
func (r *reader) fromSource(c *shell.Command) {
	for n, a := range c.Args {
		for i := range sources {
			s := &sources[i]
			if ext := filepath.Ext(a.Text); ext == "" || !in(c.Name, s.programs) || !in(ext, s.ending) || s.runs != "" && n > 0 && !hasArg(c.Args[:n], strings.Fields(s.runs)...) {
				continue
			}
			r.changes = true
			r.scriptFile(c, a, s.lang, words(c.Args[n+1:]))
			return
		}
	}
	if c.Name == "dotnet" && len(c.Args) > 0 && c.Args[0].Text == "run" {
		dir := "."
		for _, v := range split(c.Args, " --project ").values("--project") {
			if dir = v.Text; filepath.Ext(dir) != "" {
				dir = filepath.Dir(dir)
			}
		}
		r.folder(c, dir, ".cs", &otherCalls)
	}
	r.grammar(c)
}

// folder reads the texts of a folder that are run as one program, its tests aside.
func (r *reader) folder(c *shell.Command, dir, ending string, lang *language) {
	args := words(c.Args[min(2, len(c.Args)):])
	names, _ := filepath.Glob(filepath.Join(r.w.abs(dir, r.dir(c)), "*"+ending)) // a folder that cannot be read has none
	for _, n := range names[:min(len(names), maxFiles)] {
		if !strings.HasSuffix(n, "_test"+ending) {
			r.scriptFile(c, shell.Word{Text: n, Known: true}, lang, args)
		}
	}
	for i, n := 0, len(r.files); i < n; i++ { // what the line itself writes there
		if f := &r.files[i]; f.known && strings.HasSuffix(f.path, ending) && filepath.Dir(f.path) == r.w.abs(dir, r.dir(c)) && Absent(f.path) {
			r.scriptFile(c, shell.Word{Text: f.path, Known: true}, lang, args)
		}
	}
}

// cargo reads the build script that building starts, and the program that cargo run does.
func (r *reader) cargo(c *shell.Command, sub string) {
	if !in(sub, "run r build b test t check c clippy bench install") {
		return
	}
	a := split(c.Args, " --manifest-path --bin --example -p --package --features ")
	dir, files := ".", []string{"build.rs"}
	for _, v := range a.values("--manifest-path") {
		dir = filepath.Dir(v.Text)
	}
	if in(sub, "run r") {
		files = append(files, "src/main.rs")
		for _, v := range a.values("--bin") {
			files[1] = "src/bin/" + v.Text + ".rs"
		}
		for _, v := range a.values("--example") {
			files[1] = "examples/" + v.Text + ".rs"
		}
	}
	for _, f := range files {
		r.scriptFile(c, shell.Word{Text: filepath.Join(dir, f), Known: true}, &rustCalls, nil)
	}
}

// compilers are the programs that turn a text into one that runs, by the ending of what they read.
var compilers = [...]struct {
	programs, ending string
	lang             *language
	output           string // the program's name where none is given; empty: that of the text
}{
	{"go", ".go", &goCalls, ""},
	{"rustc", ".rs", &rustCalls, ""},
	{"cc gcc clang tcc", ".c", &cCalls, "a.out"},
	{"c++ g++ clang++", ".cpp .cc .cxx", &cCalls, "a.out"},
	{"java", ".java", &javaCalls, ""},
}

// compile reads a text that is run from source, and remembers what a compiler makes of one.
func (r *reader) compile(c *shell.Command) {
	for i := range compilers {
		x := &compilers[i]
		if !in(c.Name, x.programs) {
			continue
		}
		a := split(c.Args, " -o -I -L -l -D -std -C -tags -ldflags -gcflags -cp -classpath ")
		run := c.Name == "java" || a.op(0) == "run" || hasArg(c.Args, "-run")
		for n, o := range a.ops {
			if run && n == 1 && c.Name == "go" && (o.Text == "." || strings.HasPrefix(o.Text, "./") || strings.HasPrefix(o.Text, "../")) && filepath.Ext(o.Text) != ".go" {
				r.folder(c, o.Text, ".go", x.lang)
				return
			}
			if !in(filepath.Ext(o.Text), x.ending) || len(r.files) >= 100 {
				continue
			}
			text, ok := r.scriptText(c, o)
			switch {
			case !ok:
			case run:
				r.deepCode(c, x.lang, text, source{file: o.Text, args: words(a.ops[n+1:])})
				return
			default:
				out := x.output
				if out == "" {
					out = strings.TrimSuffix(filepath.Base(o.Text), filepath.Ext(o.Text))
				}
				if v := a.values("-o"); len(v) > 0 {
					out = v[0].Text
				}
				r.files = append(r.files, file{path: r.written(c, shell.Word{Text: out, Known: true}).real, text: text, known: true, code: x.lang})
			}
		}
	}
}

// compiler reads the compilers that do nothing else. What java is given as an archive is a tool like any other.
func (r *reader) compiler(c *shell.Command) {
	r.changes = true
	r.compile(c)
	if c.Name == "java" && hasArg(c.Args, "-jar") {
		r.grammar(c)
	}
}

// runCompiled reads the text of a program that the line has compiled before.
func (r *reader) runCompiled(c *shell.Command, program string) bool {
	path, ran := r.written(c, shell.Word{Text: program, Known: true}).real, false
	for i := range r.files {
		if f := &r.files[i]; f.code != nil && f.path == path {
			r.deepCode(c, f.code, f.text, source{file: program, args: words(c.Args)})
			ran = true
		}
	}
	return ran
}

// chained are the words that Rust's Command::new(…).arg(…).args([…]) adds.
func (k *call) chained() *value {
	out := &value{}
	for j := k.p.pair[k.i+1] + 1; k.p.lang == &rustCalls && k.p.at(j) == '.' && k.p.at(j+2) == '('; j = k.p.pair[j+2] + 1 {
		if in(k.p.word(j+1), "arg args") && len(out.words) < maxWords {
			for _, a := range k.p.arguments(j + 1) {
				out = out.or(k.p.eval(a.span))
			}
		}
	}
	return out
}
