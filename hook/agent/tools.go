package agent

import (
	"slices"
	"strings"
)

// Capability is the kind of a tool, common to all agents.
type Capability string

const (
	Shell  Capability = "shell"  // runs a command line
	Write  Capability = "write"  // creates or changes files
	Read   Capability = "read"   // reads files or lists them
	Search Capability = "search" // searches names or contents
	Fetch  Capability = "fetch"  // reads from the network
	Task   Capability = "task"   // hands work to a subagent
	Plan   Capability = "plan"   // keeps the agent's own notes, to-dos and questions
	Other  Capability = "other"  // anything else, MCP tools among them
)

// Dialects of a command line, as Call.Dialect says them.
const (
	POSIX      = ""
	PowerShell = "powershell"
	Cmd        = "cmd"
)

// shape says how a tool's input is to be read, where its capability alone does not tell.
type shape uint8

const (
	plain   shape = iota
	updates       // a part of a file is given
	patch         // the input is a patch in the apply_patch form
	editor        // "command" says what is done: view, create, str_replace, insert
	deletes       // the named files are deleted
	moves         // the named file is moved
	copies        // the named file is copied
	folder        // the named folders are made
	workdir       // the call runs in the folder that "workdir" names
	ps            // the command line is PowerShell's
	bat           // the command line is cmd.exe's
)

// tool is one row of the table. Names are folded (lower case, no separators).
type tool struct {
	name       string
	capability Capability
	shape      shape
	mcp        bool // says enough to believe it of an MCP server's tool as well
}

// tools is sorted by name. Claude Code's and Codex's own tools stand beside common names in other agents.
var tools = [...]tool{
	{"agent", Task, plain, false},
	{"appendfile", Write, updates, true},
	{"applypatch", Write, patch, true},
	{"askuserquestion", Plan, plain, false},
	{"bash", Shell, plain, true},
	{"bashoutput", Plan, plain, false},
	{"catfile", Read, plain, true},
	{"closeagent", Plan, plain, false},
	{"cmd", Shell, bat, true},
	{"codebasesearch", Search, plain, true},
	{"containerexec", Shell, workdir, false},
	{"copyfile", Write, copies, true},
	{"createdirectory", Write, folder, true},
	{"createfile", Write, plain, true},
	{"deletedirectory", Write, deletes, true},
	{"deletefile", Write, deletes, true},
	{"directorytree", Read, plain, true},
	{"edit", Write, updates, false},
	{"editfile", Write, updates, true},
	{"editnotebook", Write, updates, true},
	{"enterplanmode", Plan, plain, false},
	{"exec", Shell, plain, false},
	{"execcommand", Shell, workdir, true},
	{"execute", Shell, plain, false},
	{"executecommand", Shell, plain, true},
	{"executeshell", Shell, plain, true},
	{"exitplanmode", Plan, plain, false},
	{"fetch", Fetch, plain, false},
	{"fetchurl", Fetch, plain, false},
	{"fileread", Read, plain, true},
	{"filesearch", Search, plain, true},
	{"filewrite", Write, plain, true},
	{"findfiles", Search, plain, true},
	{"getfileinfo", Read, plain, true},
	{"glob", Search, plain, false},
	{"grep", Search, plain, false},
	{"grepfiles", Search, plain, true},
	{"grepsearch", Search, plain, true},
	{"insertedit", Write, updates, true},
	{"killbash", Plan, plain, false},
	{"killshell", Plan, plain, false},
	{"listagents", Plan, plain, false},
	{"listalloweddirectories", Read, plain, true},
	{"listdir", Read, plain, true},
	{"listdirectory", Read, plain, true},
	{"listdirectorywithsizes", Read, plain, true},
	{"listfiles", Read, plain, true},
	{"localshell", Shell, workdir, false},
	{"ls", Read, plain, false},
	{"makedirectory", Write, folder, true},
	{"mkdir", Write, folder, true},
	{"monitor", Shell, plain, false},
	{"movefile", Write, moves, true},
	{"multiedit", Write, updates, true},
	{"notebookedit", Write, updates, false},
	{"notebookread", Read, plain, false},
	{"openfile", Read, plain, true},
	{"overwritefile", Write, plain, true},
	{"powershell", Shell, ps, true},
	{"pwsh", Shell, ps, true},
	{"read", Read, plain, false},
	{"readfile", Read, plain, true},
	{"readimage", Read, plain, true},
	{"readmanyfiles", Read, plain, true},
	{"readmediafile", Read, plain, true},
	{"readmultiplefiles", Read, plain, true},
	{"readnotebook", Read, plain, true},
	{"readtextfile", Read, plain, true},
	{"removefile", Write, deletes, true},
	{"renamefile", Write, moves, true},
	{"replace", Write, updates, false},
	{"replaceinfile", Write, updates, true},
	{"requestuserinput", Plan, plain, false},
	{"runbash", Shell, plain, true},
	{"runcommand", Shell, plain, true},
	{"runinterminal", Shell, plain, true},
	{"runshell", Shell, plain, true},
	{"runshellcommand", Shell, plain, true},
	{"runterminalcmd", Shell, plain, true},
	{"runterminalcommand", Shell, plain, true},
	{"savefile", Write, plain, true},
	{"search", Search, plain, false},
	{"searchcode", Search, plain, false},
	{"searchfilecontent", Search, plain, true},
	{"searchfiles", Search, plain, true},
	{"searchreplace", Write, updates, true},
	{"shell", Shell, workdir, true},
	{"shellcommand", Shell, workdir, true},
	{"spawnagent", Task, plain, false},
	{"strreplace", Write, updates, true},
	{"strreplacebasededittool", Write, editor, true},
	{"strreplaceeditor", Write, editor, true},
	{"task", Task, plain, false},
	{"taskcreate", Plan, plain, false},
	{"taskget", Plan, plain, false},
	{"tasklist", Plan, plain, false},
	{"taskoutput", Plan, plain, false},
	{"taskstop", Plan, plain, false},
	{"taskupdate", Plan, plain, false},
	{"terminal", Shell, plain, true},
	{"texteditor", Write, editor, true},
	{"todoread", Plan, plain, false},
	{"todowrite", Plan, plain, false},
	{"toolsearch", Plan, plain, false},
	{"updatefile", Write, updates, true},
	{"updateplan", Plan, plain, false},
	{"urlfetch", Fetch, plain, false},
	{"viewfile", Read, plain, true},
	{"viewimage", Read, plain, true},
	{"wait", Plan, plain, false},
	{"waitagent", Plan, plain, false},
	{"webfetch", Fetch, plain, false},
	{"websearch", Fetch, plain, false},
	{"write", Write, plain, false},
	{"writefile", Write, plain, true},
	{"writenotebook", Write, plain, true},
	{"writestdin", Shell, plain, false},
	{"writetofile", Write, plain, true},
}

// CapabilityOf tells the kind of a tool by its name alone.
func CapabilityOf(name string) Capability { return lookup(name).capability }

// lookup finds a tool whatever its name's case and separators. An MCP tool (mcp__server__tool) is known by its last
// part, and only where that part names files or a shell: what "search" or "fetch" does there, the server alone knows.
func lookup(name string) tool {
	name = strings.TrimPrefix(name, "functions.")
	last, mcp := mcpTool(name)
	i, ok := slices.BinarySearchFunc(tools[:], fold(last), func(t tool, name string) int { return strings.Compare(t.name, name) })
	if !ok || mcp && !tools[i].mcp {
		return tool{capability: Other}
	}
	return tools[i]
}

// mcpTool splits the tool off the name of an MCP tool.
func mcpTool(name string) (last string, mcp bool) {
	if len(name) < 5 || !strings.EqualFold(name[:5], "mcp__") {
		return name, false
	}
	return name[strings.LastIndex(name, "__")+2:], true
}

// fold gives a name without case and separators: run_terminal_cmd, runTerminalCmd and Run-Terminal-Cmd are one.
func fold(name string) string {
	if len(name) > 64 {
		return name // no known name is that long
	}
	if strings.IndexFunc(name, func(r rune) bool { return r < 'a' || r > 'z' }) < 0 {
		return name
	}
	var buf [64]byte
	b := buf[:0]
	for i := range len(name) {
		switch c := name[i]; c {
		case '_', '-', '.', ' ':
		default:
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			b = append(b, c)
		}
	}
	return string(b)
}

// role is what a member of a tool's input is for.
type role uint8

const (
	noRole   role = iota
	pathRole      // a file or folder, or a list of them
	toRole        // where a file goes
	oldRole       // text that is replaced
	newRole       // text that is written
	editRole      // a list of objects that each spell out an edit
	lineRole      // a command line, or the words of one
	dirRole       // where a command runs
)

// roleOf tells what a member is for by its folded name. Names that different tools use are read in every tool: one too
// many can only make the gate look at more.
func roleOf(name string) role {
	switch name {
	case "filepath", "path", "paths", "file", "filename", "files", "notebookpath", "targetfile", "absolutepath",
		"relativepath", "filepaths", "directory", "dirpath", "folder", "targetnotebook", "pathtofile",
		"source", "sourcepath", "src", "oldpath", "from", "frompath":
		return pathRole
	case "destination", "destinationpath", "dest", "dst", "newpath", "to", "topath":
		return toRole
	case "oldstring", "oldstr", "oldtext", "oldcode", "search":
		return oldRole
	case "content", "contents", "newstring", "newstr", "newtext", "filetext", "newsource", "text", "inserttext", "codeedit",
		"replace", "replacement", "newcode", "newcontent", "filecontent", "codecontent", "data", "diff":
		return newRole
	case "edits", "changes", "replacements", "operations":
		return editRole
	case "command", "cmd", "commandline", "shellcommand", "script", "commands", "chars":
		return lineRole
	case "workdir", "workingdirectory":
		return dirRole
	}
	return noRole
}
