package effect

// op is what a call of a program text means: an act, or a value that another call may be given.
type op uint8

const (
	none op = iota

	// acts
	opDelete // a file
	opRmdir  // an empty folder: nothing is lost
	opWipe   // a whole tree
	opEmpty  // what lies in a folder
	opRead   // a file
	opOpen   // a file, with a mode
	opWrite  // a file, whole
	opAppend // to a file
	opRun    // a shell line, or a list of words
	opArgv   // words, one an argument or in a list
	opExec   // a program, then its words from the program's own name on
	opEval   // text as code
	opChdir  // where relative names start from now on
	opMap    // another call, for each of a list
	opSave   // a table to a file, which is a loss where it was read from there
	opFar    // a line on another machine, or by a tool that keeps tasks

	// values
	opSame // its first argument, as far as paths go
	opJoin // its arguments, joined as a path
	opHome
	opTemp
	opHere
	opGlob // the files that a pattern names
	opList // the names in a folder
	opWalk // all that lies below a folder
	opEnv  // a variable of the environment
	opDecode
	opWords // the words of a shell line
	opDir   // the folder of a path
	opItems // its arguments, as a list

	ops
)

// language is how one interpreter's texts are spelt. A real parser per language would be surer, but each that is kept
// well costs more than the whole hook: a tokenizer that knows strings, brackets and bindings finds what a call touches.
type language struct {
	comments string // the beginnings of a comment that ends with its line
	// calls name the functions of each op, blank-separated. One that begins with a dot is a method, whose object comes first.
	calls [ops]string
	// as names functions that are shell commands under another name; digits stand for arguments.
	as []equivalent
	// args is how the words after the script are called; env how the variables of the environment are.
	args, env string

	block  bool // /* … */ is a comment
	lines  bool // a string in plain quotes ends with its line
	bare   bool // a call needs no brackets
	sigil  bool // names begin with $ or @, and stand in strings
	hash   bool // #{…} in a string is code
	ticks  bool // `…` runs a shell line
	dotted bool // . joins strings
}

// equivalent is a call that does what a shell command does.
type equivalent struct{ call, line string }

var pythonCalls = language{
	comments: "#", lines: true, args: "sys.argv", env: "os.environ",
	calls: [ops]string{
		opDelete: "os.remove os.unlink unlink remove pathlib.Path.unlink .unlink .remove_p send2trash", opRmdir: "os.rmdir os.removedirs rmdir .rmdir",
		opWipe: "shutil.rmtree rmtree .rmtree dir_util.remove_tree distutils.dir_util.remove_tree remove_tree",
		opRead: ".read_text .read_bytes", opOpen: "open io.open codecs.open gzip.open os.open aiofiles.open .open", opWrite: ".write_text .write_bytes numpy.savetxt", opSave: ".to_csv .to_parquet .to_excel .to_json .to_pickle .to_feather .write_csv .write_parquet .write_json .write_excel",
		opFar: ".exec_command .sudo .run",
		opRun: "os.system os.popen system popen subprocess.getoutput subprocess.getstatusoutput getoutput getstatusoutput commands.getoutput asyncio.create_subprocess_shell create_subprocess_shell pexpect.run pexpect.spawn .system .local " +
			"subprocess.call subprocess.run subprocess.Popen subprocess.check_output subprocess.check_call run call check_output check_call Popen pty.spawn",
		opArgv: "asyncio.create_subprocess_exec create_subprocess_exec", opExec: "os.execvp os.execv os.execl os.execlp os.execve os.execvpe os.posix_spawn os.posix_spawnp",
		opEval: "exec eval builtins.exec builtins.eval runpy.run_path", opChdir: "os.chdir chdir contextlib.chdir", opMap: "map",
		opSame: "str Path pathlib.Path PurePath pathlib.PurePath PosixPath os.path.abspath os.path.realpath os.path.normpath os.path.expanduser expanduser os.path.expandvars os.fspath os.fsencode os.fsdecode abspath realpath " +
			"bytes dict json.dumps list sorted set tuple reversed iter frozenset compile shlex.quote quote enumerate tqdm .resolve .absolute .expanduser .strip .rstrip .lstrip .encode .decode .as_posix .copy .splitlines .read",
		opJoin: "os.path.join posixpath.join .joinpath", opHome: "Path.home pathlib.Path.home", opHere: "os.getcwd Path.cwd pathlib.Path.cwd getcwd",
		opTemp: "tempfile.mkdtemp tempfile.gettempdir tempfile.mkstemp tempfile.mktemp tempfile.TemporaryDirectory tempfile.NamedTemporaryFile mkdtemp gettempdir mkstemp TemporaryDirectory NamedTemporaryFile",
		opGlob: "glob.glob glob.iglob iglob .glob", opList: "os.listdir listdir os.scandir scandir .iterdir", opWalk: "os.walk os.fwalk walk .rglob .walk",
		opEnv: "os.getenv os.environ.get getenv environ.get os.environ.pop", opWords: "shlex.split .split", opDir: "os.path.dirname dirname",
		opDecode: "base64.b64decode b64decode base64.urlsafe_b64decode base64.decodebytes base64.b32decode base64.b85decode base64.a85decode bytes.fromhex binascii.unhexlify binascii.a2b_base64 unhexlify a2b_base64 codecs.decode zlib.decompress gzip.decompress lzma.decompress bz2.decompress marshal.loads",
	},
	as: []equivalent{
		{"os.chmod", "chmod 2 1"}, {"os.chown", "chown 2 1"}, {"os.lchown", "chown 2 1"}, {"shutil.chown", "chown 2 1"}, {"os.kill", "kill -2 1"}, {"os.killpg", "kill -2 1"},
		{"os.symlink", "ln -s 1 2"}, {"os.link", "ln 1 2"}, {"os.truncate", "truncate -s 2 1"}, {"shutil.move", "mv 1 2"}, {"os.rename", "mv 1 2"}, {"os.renames", "mv 1 2"}, {"os.replace", "mv 1 2"},
		{"move", "mv 1 2"}, {"shutil.copy", "cp 1 2"}, {"shutil.copy2", "cp 1 2"}, {"shutil.copyfile", "cp 1 2"}, {"copyfile", "cp 1 2"}, {"shutil.copytree", "cp -r 1 2"}, {"copytree", "cp -r 1 2"},
		{".chmod", "chmod 2 1"}, {".rename", "mv 1 2"}, {".symlink_to", "ln -s 2 1"}, {".hardlink_to", "ln 2 1"}, {".touch", "touch 1"}, {"urllib.request.urlretrieve", "curl -o 2 1"}, {"urlretrieve", "curl -o 2 1"},
		{"wget.download", "wget 1"}, {"requests.delete", "curl -X DELETE 1"}, {"httpx.delete", "curl -X DELETE 1"}, {"os.mkfifo", "touch 1"}, {"sh.rm", "rm 1 2 3 4"},
	},
}

var nodeCalls = language{
	comments: "//", block: true, lines: true, args: "process.argv", env: "process.env",
	calls: [ops]string{
		opDelete: "unlinkSync unlink fs.unlinkSync fs.unlink Deno.remove Deno.removeSync .delete .unlink", opRmdir: "rmdirSync rmdir fs.rmdirSync fs.rmdir",
		opWipe: "rmSync rm fs.rmSync fs.rm rimraf rimrafSync rimraf.sync rimraf.rimraf rimraf.rimrafSync removeSync fs.removeSync fs.remove del del.sync deleteSync deleteAsync trash-cli.rm", opEmpty: "fs.emptyDirSync fs.emptyDir emptyDirSync emptyDir",
		opRead: "readFileSync readFile fs.readFileSync fs.readFile fs.createReadStream createReadStream Deno.readTextFile Deno.readTextFileSync Deno.readFile .text .bytes .arrayBuffer", opWrite: "writeFileSync writeFile fs.writeFileSync fs.writeFile fs.createWriteStream createWriteStream truncateSync fs.truncateSync fs.truncate fs.outputFileSync fs.outputFile fs.writeJsonSync fs.writeJson Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Bun.write",
		opAppend: "appendFileSync appendFile fs.appendFileSync fs.appendFile", opRun: "execSync exec child_process.execSync child_process.exec cp.execSync cp.exec execaCommand execaCommandSync execa.command shell.exec shelljs.exec $ Bun.$ bun.$ zx.$ execa.$",
		opArgv: "spawnSync spawn execFileSync execFile child_process.spawnSync child_process.spawn child_process.execFileSync child_process.execFile cp.spawnSync cp.spawn cp.execFileSync execa execaSync Bun.spawn Bun.spawnSync Deno.Command Deno.run",
		opEval: "eval Function vm.runInNewContext vm.runInThisContext vm.runInContext setTimeout", opChdir: "process.chdir",
		opSame: "String fileURLToPath url.fileURLToPath Object.values JSON.stringify Object.entries Bun.file path.resolve path.normalize fs.realpathSync resolve normalize decodeURIComponent encodeURIComponent Array.from .toString .trim .slice .values .sort .reverse", opJoin: "path.join path.posix.join join",
		opHome: "os.homedir homedir", opHere: "process.cwd Deno.cwd", opTemp: "os.tmpdir tmpdir fs.mkdtempSync mkdtempSync fs.mkdtemp mkdtemp Deno.makeTempDir Deno.makeTempDirSync tmp.dirSync tmp.fileSync",
		opGlob: "glob.sync globSync glob.globSync glob.glob glob fg.sync fg globby globby.sync fast-glob.sync fast-glob", opList: "fs.readdirSync readdirSync fs.readdir readdir Deno.readDirSync Deno.readDir",
		opDecode: "atob", opWords: ".split", opDir: "path.dirname dirname",
	},
	as: []equivalent{
		{"fs.chmodSync", "chmod 2 1"}, {"fs.chmod", "chmod 2 1"}, {"fs.chownSync", "chown 2 1"}, {"fs.copyFileSync", "cp 1 2"}, {"fs.copyFile", "cp 1 2"}, {"fs.cpSync", "cp -r 1 2"}, {"fs.cp", "cp -r 1 2"}, {"fs.copySync", "cp -r 1 2"},
		{"fs.renameSync", "mv 1 2"}, {"fs.rename", "mv 1 2"}, {"fs.moveSync", "mv 1 2"}, {"fs.move", "mv 1 2"}, {"copyFileSync", "cp 1 2"}, {"renameSync", "mv 1 2"}, {"cpSync", "cp -r 1 2"}, {"fs.symlinkSync", "ln -s 1 2"}, {"fs.symlink", "ln -s 1 2"},
		{"chmodSync", "chmod 2 1"}, {"process.kill", "kill -2 1"}, {"shell.rm", "rm 1 2 3 4"}, {"shelljs.rm", "rm 1 2 3 4"}, {"shell.mv", "mv 1 2 3"}, {"shelljs.mv", "mv 1 2 3"}, {"shell.chmod", "chmod 1 2 3"}, {"axios.delete", "curl -X DELETE 1"},
		{"Deno.rename", "mv 1 2"}, {"Deno.copyFile", "cp 1 2"}, {"Deno.chmod", "chmod 2 1"},
	},
}

var perlCalls = language{
	comments: "#", bare: true, sigil: true, ticks: true, dotted: true, args: "@ARGV", env: "$ENV",
	calls: [ops]string{
		opDelete: "unlink", opRmdir: "rmdir", opWipe: "rmtree remove_tree File::Path::rmtree File::Path::remove_tree", opOpen: "open", opRun: "system exec qx", opEval: "eval", opChdir: "chdir",
		opSame: "abs_path Cwd::abs_path realpath map grep sort", opJoin: "catfile catdir File::Spec", opHere: "getcwd cwd", opTemp: "tempdir tempfile", opGlob: "glob bsd_glob", opList: "readdir",
		opDecode: "decode_base64 MIME::Base64::decode_base64 pack", opDir: "dirname",
	},
	as: []equivalent{{"rename", "mv 1 2"}, {"move", "mv 1 2"}, {"copy", "cp 1 2"}, {"symlink", "ln -s 1 2"}, {"link", "ln 1 2"}, {"chmod", "chmod 1 2 3"}, {"chown", "chown 1 3"}, {"kill", "kill -1 2"}, {"truncate", "truncate -s 2 1"}},
}

var rubyCalls = language{
	comments: "#", bare: true, hash: true, ticks: true, args: "ARGV", env: "ENV",
	calls: [ops]string{
		opDelete: "File.delete File.unlink FileUtils.rm FileUtils.rm_f FileUtils.safe_unlink rm rm_f .delete .unlink", opRmdir: "Dir.rmdir Dir.delete Dir.unlink FileUtils.rmdir",
		opWipe: "FileUtils.rm_rf FileUtils.rm_r FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure FileUtils.remove_file rm_rf rm_r remove_dir remove_entry_secure .rmtree",
		opRead: "File.read IO.read File.readlines File.foreach IO.readlines File.binread", opOpen: "File.open open File.new", opWrite: "File.write IO.write File.binwrite", opRun: "system exec spawn Kernel.system Kernel.exec Process.spawn IO.popen Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen3 sh %x",
		opEval: "eval instance_eval class_eval Kernel.eval", opChdir: "Dir.chdir FileUtils.cd", opSame: "File.expand_path File.absolute_path File.realpath Pathname Pathname.new String .to_s .strip .chomp .sort .each .uniq .to_a", opJoin: "File.join .join",
		opHome: "Dir.home", opHere: "Dir.pwd Dir.getwd", opTemp: "Dir.mktmpdir Dir.tmpdir Tempfile.new Tempfile.create", opGlob: "Dir.glob Dir", opList: "Dir.children Dir.entries Dir.each_child .children .entries", opWalk: "Find.find", opEnv: "ENV.fetch",
		opDecode: "Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64 .unpack .unpack1", opWords: "Shellwords.split .split", opDir: "File.dirname",
	},
	as: []equivalent{{"File.rename", "mv 1 2"}, {"FileUtils.mv", "mv 1 2"}, {"FileUtils.move", "mv 1 2"}, {"FileUtils.cp", "cp 1 2"}, {"FileUtils.cp_r", "cp -r 1 2"}, {"FileUtils.ln_s", "ln -s 1 2"}, {"FileUtils.ln_sf", "ln -sf 1 2"}, {"File.symlink", "ln -s 1 2"}, {"FileUtils.chmod", "chmod 1 2"}, {"File.chmod", "chmod 1 2"}, {"FileUtils.chmod_R", "chmod -R 1 2"}, {"FileUtils.chown_R", "chown -R 1 3"}, {"Process.kill", "kill -1 2"}, {"File.truncate", "truncate -s 2 1"}, {"mv", "mv 1 2"}},
}

var phpCalls = language{
	comments: "// #", block: true, sigil: true, ticks: true, dotted: true, args: "$argv", env: "$_ENV $_SERVER",
	calls: [ops]string{
		opDelete: "unlink", opRmdir: "rmdir", opWipe: "File::deleteDirectory Storage::deleteDirectory", opRead: "file_get_contents readfile file fopen_r", opOpen: "fopen", opWrite: "file_put_contents", opRun: "system exec shell_exec passthru popen proc_open pcntl_exec",
		opEval: "eval assert create_function", opChdir: "chdir", opMap: "array_map array_walk", opSame: "realpath trim rtrim strval array_filter array_values", opHere: "getcwd", opTemp: "sys_get_temp_dir tempnam", opGlob: "glob", opList: "scandir", opEnv: "getenv env",
		opDecode: "base64_decode gzinflate gzuncompress str_rot13 hex2bin convert_uudecode", opDir: "dirname",
	},
	as: []equivalent{{"rename", "mv 1 2"}, {"copy", "cp 1 2"}, {"symlink", "ln -s 1 2"}, {"chmod", "chmod 2 1"}, {"chown", "chown 2 1"}, {"posix_kill", "kill -2 1"}, {"touch", "touch 1"}},
}

var luaCalls = language{
	comments: "--", bare: true, dotted: true, args: "arg",
	calls: [ops]string{opDelete: "os.remove", opWipe: "dir.rmtree path.rmdir", opRun: "os.execute io.popen", opOpen: "io.open", opEval: "load loadstring", opEnv: "os.getenv", opTemp: "os.tmpname", opRmdir: "lfs.rmdir", opSame: "ipairs pairs"},
	as:    []equivalent{{"os.rename", "mv 1 2"}},
}

var rCalls = language{
	comments: "#",
	calls:    [ops]string{opDelete: "file.remove", opWipe: "unlink fs::dir_delete dir_delete fs::file_delete file_delete", opRun: "system shell system2", opEval: "eval", opChdir: "setwd", opJoin: "file.path here::here", opSame: "path.expand normalizePath parse", opItems: "c list", opTemp: "tempdir tempfile", opGlob: "Sys.glob", opList: "list.files dir", opEnv: "Sys.getenv", opHere: "getwd", opRead: "readLines readRDS", opWrite: "writeLines saveRDS", opDecode: "base64decode"},
	as:       []equivalent{{"file.rename", "mv 1 2"}, {"file.copy", "cp 1 2"}, {"Sys.chmod", "chmod 2 1"}, {"file.symlink", "ln -s 1 2"}},
}

var juliaCalls = language{
	comments: "#", ticks: true,
	calls: [ops]string{opWipe: "rm Base.rm", opMap: "foreach map", opRun: "run readchomp", opEval: "eval include_string", opChdir: "cd", opJoin: "joinpath", opHome: "homedir", opHere: "pwd", opTemp: "mktempdir tempname tempdir mktemp", opList: "readdir", opWalk: "walkdir", opOpen: "open", opSame: "expanduser abspath realpath string", opWrite: "write", opRead: "readlines"},
	as:    []equivalent{{"mv", "mv 1 2"}, {"cp", "cp -r 1 2"}, {"symlink", "ln -s 1 2"}, {"chmod", "chmod 2 1"}},
}

// means is the op of a call by its whole name, or of a method by its last part.
func (l *language) means(id string) op {
	for o := none + 1; o < ops; o++ {
		if l.calls[o] != "" && in(id, l.calls[o]) {
			return o
		}
	}
	return none
}

// line is the shell command that a call is another name of.
func (l *language) line(id string) string {
	for i := range l.as {
		if l.as[i].call == id {
			return l.as[i].line
		}
	}
	return ""
}
