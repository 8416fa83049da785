package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// What leaves the machine by tools that are no mail and no curl: to a bucket, a gist, a release, a peer, or to whoever
// asks a server that was started here.

// copiers take sources and, last, a destination: what they send are the sources, where the destination is elsewhere.
const copiers = `
aws s3 cp|sync|mv
azcopy copy|cp|sync
gcloud storage cp|mv|rsync
gsutil cp|mv|rsync
mc cp|mirror|mv
oci os object put
rclone copy|copyto|sync|move|moveto|bisync
s3cmd put|sync
s5cmd cp|mv|sync
`

// uploaders send every file that they are given.
const uploaders = `
aws lambda|s3api|glacier publish-layer-version|update-function-code|put-object|upload-archive
az storage upload|upload-batch
b2 upload-file|file|sync
croc
ffsend upload
gh gist create|edit
gh issue|pr|release|discussion create|comment|edit|upload|review
glab snippet|issue|mr|release create|note|upload|update
hf upload
huggingface-cli upload
ipfs add
mail
mailx
mutt
ncftpput
oci os object put
pastebinit
sendmail
slackcat
swift upload
telegram-send
transfer
vercel blob put
wormhole send
magic-wormhole send
wrangler r2|kv put
`

// uploads reads a command that sends files away.
func (r *reader) uploads(c *shell.Command, name string, args []shell.Word) {
	how, copies := row(copiers, name, args)
	if !copies {
		var ok bool
		if how, ok = row(uploaders, name, args); !ok {
			return
		}
	}
	if dry(words(args)) {
		return
	}
	to := ""
	sources := args
	if copies {
		ops := split(args, " --profile --region --exclude --include --project --account --acl --storage-class --transfers --checkers --config ").ops
		if len(ops) < 2 {
			return
		}
		if to = ops[len(ops)-1].Text; !strings.Contains(to, ":") && !(name == "mc" && !strings.ContainsAny(to[:1], "./~")) {
			return
		}
		sources = ops[:len(ops)-1]
	}
	if to == "" {
		to = name
	}
	i := r.tellRemote(Send, "", strings.TrimSpace(name+" "+how), to)
	r.changes = true
	for _, s := range sources {
		text := s.Text
		if _, val, ok := strings.Cut(text, "="); ok && strings.HasPrefix(text, "-") {
			text = val
		}
		text = strings.TrimPrefix(strings.TrimPrefix(text, "file://"), "fileb://")
		text = strings.TrimPrefix(text, "@")
		if text == "" || strings.HasPrefix(text, "-") || strings.Contains(text, "://") || strings.ContainsAny(text, " \n") {
			r.sentWord(i, s)
			continue
		}
		r.sendsFile(c, i, shell.Word{Text: text, Known: s.Known, Glob: s.Glob})
	}
	if a := &r.acts[i]; copies && a.Tag == "" && strings.Contains(how, "sync") && r.isSite(sources) {
		a.Tag = Deploy
	}
}

// sendsFile notes what kind of file or folder it is that leaves.
func (r *reader) sendsFile(c *shell.Command, act int, w shell.Word) {
	t := r.written(c, w)
	if t.real == "" {
		return
	}
	a := &r.acts[act]
	a.sends(r.secret(t.real))
	if r.holdsKeys(t.real) {
		a.sends(KeyFile)
	}
	if a.Tag == "" && (t.place == Home || t.place == Root) {
		a.Tag = TreeSent
	}
}

// isSite: what is sent is what a build puts together for others to see.
func (r *reader) isSite(sources []shell.Word) bool {
	for _, s := range sources {
		if in(strings.Trim(s.Text, "./"), "dist build public out site _site www htdocs storybook-static") {
			return true
		}
	}
	return false
}

// row looks for a row of a table of rows as those of the forms.
func row(rows, name string, args []shell.Word) (how string, ok bool) {
	f := form{rows: rows}
	return f.stands(name, args)
}

// servers give a folder to whoever asks, and by what flags they are told which. A - in front of the flags says that the
// first word without a flag names it too.
var servers = [...]struct{ program, flags string }{
	{"http-server", "- "}, {"serve", "- "}, {"live-server", "- "}, {"miniserve", "- "}, {"darkhttpd", "- "}, {"static-server", "- "}, {"servor", "- "},
	{"caddy", "--root -r"}, {"http.server", "-d --directory"}, {"SimpleHTTPServer", ""}, {"php", "-t"}, {"httpd", "-h"}, {"twistd", "--path"}, {"webfsd", "-r"},
}

// serves finds a server that gives away the home folder, or one with secrets in it.
func (r *reader) serves(c *shell.Command, name string, args []shell.Word) {
	ws := words(args)
	switch {
	case name == "php" && !contains(ws, "-S"), name == "caddy" && at(ws, 0) != "file-server":
		return
	}
	for i := range servers {
		s := &servers[i]
		if s.program != name {
			continue
		}
		bound := false
		a := split(args, " -p --port -l --listen -b --bind -a --host -S "+strings.TrimPrefix(s.flags, "- ")+" ")
		for _, v := range a.values("-b", "--bind", "-a", "--host", "-S", "-l", "--listen") {
			bound = bound || isLocal(v.Text) && !strings.HasPrefix(v.Text, "0.0.0.0")
		}
		dir := shell.Word{Text: ".", Known: true}
		for _, v := range a.values(strings.Fields(s.flags)...) {
			dir = v
		}
		if s.flags == "- " && len(a.ops) > 0 {
			dir = a.ops[0]
		}
		t := r.written(c, dir)
		if !bound && t.real != "" && (t.place == Home || t.place == Root || secretTag(t.real) == KeyFile || r.holdsKeys(t.real)) {
			r.add(Act{Kind: Send, Tag: Tunnel, Target: t.real, Place: t.place, How: clip("serves "+t.real, 60)})
		}
		return
	}
}

// stores print a secret that they keep; the program that needs it is often the next in the pipe. A row's form is that of
// the tables of tools.
const stores = `
aws configure get
aws sts get-session-token|assume-role|get-federation-token
az account get-access-token
bw get password|item|notes|totp
chamber read|export|env
doppler secrets|run get|download|--plain
gcloud auth print-access-token|print-identity-token
gh auth token
git credential fill
git-credential-manager get
glab auth status --show-token
gopass show|cat
heroku auth:token
heroku config
infisical secrets|export
keyring get
lpass show
op read|inject
op item|document get
pass show|ls
rbw get
vault kv get
vault print token
vault read
`

// keepers take a secret to where the program that needs it finds it.
const keepers = `
docker login|secret
doppler secrets upload|set
fly secrets import|set
flyctl secrets import|set
gh secret|variable|auth set|login
heroku config:set
kubectl create secret
netlify env:import|env:set
op item|document create|edit
railway variables
supabase secrets set
vault kv put|patch
vault login|write
vercel env add
wrangler secret put|bulk
`

// stored marks a command that prints what a store of secrets keeps, or all variables.
func (r *reader) stored(c *shell.Command, name string, args []shell.Word) {
	switch how, ok := row(stores, name, args); {
	case ok:
		r.changes = true
		r.tell(Secret, Stored, how, "what "+name+" keeps")
	case name == "printenv" && len(args) == 0, name == "export" && len(args) == 1 && args[0].Text == "-p":
		r.tell(Secret, Environ, "", "the environment")
	}
	if _, ok := row(keepers, name, args); !ok {
		return
	}
	for i := range r.acts {
		if a := &r.acts[i]; a.Command == r.at && a.Kind == Secret && a.Tag == EnvFile {
			a.Kind, a.Tag = Read, "" // it is shown to nobody
		}
	}
}

// handsOn: what a store printed, or the environment, stands in the words of a command that sends. In a header it is how
// that command says who it is, which for a known store is right with its own service alone.
func (r *reader) handsOn(a *Act) {
	c := &r.cmds[a.Command]
	for _, s := range r.acts {
		if s.Kind != Secret || s.Tag != Stored && s.Tag != Environ || !r.standsIn(c, s.Command) {
			continue
		}
		own := s.Tag == Stored && (s.Program != "gh" || strings.Contains(a.Target, "git") || strings.Contains(a.Target, "ghcr"))
		if !own || !inHeader(c) {
			a.Kind = Send
			a.sends(s.Tag)
		}
	}
}

// standsIn: the output of a command, or of the pipeline it begins, stands in the words of another one. A count or a sum of
// it tells nothing.
func (r *reader) standsIn(c *shell.Command, command int) bool {
	if command < 0 || command >= len(r.cmds) {
		return false
	}
	last, group, near := command, r.cmds[command].Group, false
	for _, n := range c.Inputs {
		near = near || n < len(r.cmds) && r.cmds[n].Group == group
	}
	if !near {
		return false
	}
	for n := range r.cmds {
		if r.cmds[n].Group == group {
			last = max(last, n)
		}
	}
	return (containsInt(c.Inputs, command) || containsInt(c.Inputs, last)) && !in(r.cmds[last].Name, "wc md5sum sha1sum sha256sum")
}

// inHeader: all words of a command that hold another one's output are logins.
func inHeader(c *shell.Command) bool {
	for i, w := range c.Args {
		inner := !w.Known && (strings.Contains(w.Text, "$(") || strings.Contains(w.Text, "`"))
		if inner && (i == 0 || !in(c.Args[i-1].Text, "-H --header -u --user --oauth2-bearer -b --cookie -Headers")) {
			return false
		}
	}
	return true
}

func containsInt(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}
