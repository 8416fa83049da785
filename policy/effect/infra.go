package effect

import (
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/policy/shell"
)

const dockerValued = " -H --host --context -c -f --file -p --project-name --profile --env-file -v --volume -e --env --name -w --workdir -u --user --mount --network -l --label --filter --format --entrypoint --platform -t --tag --signal --time "

const dockerRunValued = " -H --host --context --env-file -v --volume -e --env --name -w --workdir -u --user --mount --network -l --label --entrypoint --platform -p --publish -m --memory --cpus --gpus --add-host -h --hostname --restart --shm-size --tmpfs --ulimit --device "

func (r *reader) docker(c *shell.Command) {
	a := split(c.Args, dockerValued)
	ws := words(a.ops)
	sub, verb := at(ws, 0), at(ws, 1)
	switch {
	case sub == "compose":
		r.composeVerb(c, a, verb)
	case in(sub, "volume") && in(verb, "rm remove prune"):
		r.dropVolumes(c, verb, ws[2:])
	case sub == "system" && verb == "prune":
		act := Act{Kind: Infra, How: "system prune", NoLoss: true}
		if hasArg(c.Args, "--volumes") { // -af takes no value here
			act.Tag, act.NoLoss = DropVolume, false
		}
		r.add(act)
	case sub == "rm" || sub == "container" && verb == "rm":
		r.dockerRm(c, split(c.Args, " -H --host --context "))
	case in(sub, "swarm stack service secret config node") && in(verb, "rm remove leave prune"):
		r.tell(Infra, Destroy, sub+" "+verb, at(ws, 2))
	case sub == "push", sub == "image" && verb == "push":
		push := Act{Kind: Publish, Tag: Release, Target: clip(ws[len(ws)-1], 60), How: "push", Place: Remote}
		if ownRegistry(push.Target) {
			push.Tag = ""
		}
		r.add(push)
	case sub == "run" || sub == "create":
		r.dockerRun(c, a)
	case in(sub, "ps images logs inspect version info stats top port diff history search events") || in(verb, "ls list inspect"):
	default: // images, containers and networks can be made again
		r.add(Act{Kind: Infra, How: sub, NoLoss: sub == "rmi" || in(sub, "image container network builder buildx") && in(verb, "rm remove prune")})
	}
}

// dropVolumes: those of tests are made to be thrown away.
func (r *reader) dropVolumes(c *shell.Command, verb string, names []string) {
	spare := len(names) > 0
	if verb == "prune" {
		spare = testContainers(c.Args) && !c.Remote
	}
	for _, n := range names {
		spare = spare && (verb == "prune" || r.trialVolume(c, n))
	}
	if spare {
		r.add(Act{Kind: Infra, How: "volume " + verb, NoLoss: true})
		return
	}
	r.tell(Infra, DropVolume, "volume "+verb, at(names, 0))
}

// ownRegistry: an image goes to a registry that only its owner's machines read from, under a name that is not said to be
// what production runs.
func ownRegistry(image string) bool {
	host, name, ok := strings.Cut(image, "/")
	if !ok || prod(name) || hasSuffix(name, ":latest", ":stable") || !strings.Contains(name, ":") {
		return false
	}
	port, _, _ := strings.Cut(host, ":")
	return in(port, "localhost 127.0.0.1") || hasSuffix(host, ".azurecr.io", ".pkg.dev", ".internal", ".local") || strings.Contains(host, ".dkr.ecr.")
}

// dockerRm: a container can be made again, the volumes that go with it cannot. Its -f and -v take no value.
func (r *reader) dockerRm(c *shell.Command, a argv) {
	act := Act{Kind: Infra, How: "rm", NoLoss: true}
	if from := r.at - 1; from >= 0 && c.Stage > 0 && r.cmds[from].Group == c.Group && r.cmds[from].Name == "docker" && testContainers(r.cmds[from].Args) {
		r.add(act)
		return
	}
	if a.has("-v", "--volumes") || a.has("-f", "--force") && !allKnown(a.ops) {
		act.Tag, act.Target, act.NoLoss = DropVolume, clip(a.op(len(a.ops)-1), 60), false
	}
	r.add(act)
}

func allKnown(ws []shell.Word) bool {
	for _, w := range ws {
		if !w.Known {
			return false
		}
	}
	return true
}

// dockerRun looks for containers that are as good as the host: its root or home mounted, or its kernel's rights.
func (r *reader) dockerRun(c *shell.Command, a argv) {
	r.tell(Infra, "", "docker run", "")
	// Without a command it is the image's own shell, most likely; -t takes no value here.
	if run := split(c.Args, dockerRunValued); run.has("-i", "--interactive") && run.has("-t", "--tty") && len(run.ops) == 2 {
		r.tell(Spawn, Typed, "", "")
	}
	if a.has("--privileged") {
		r.tell(Privilege, SetUID, "docker run --privileged", "the host")
	}
	for _, v := range a.values("-v", "--volume", "--mount") {
		src, _, _ := strings.Cut(strings.TrimPrefix(v.Text, "type=bind,"), ":")
		for _, p := range strings.Split(src, ",") {
			p = strings.TrimPrefix(strings.TrimPrefix(p, "source="), "src=")
			if p == "/" || p == "/etc" {
				r.tell(Privilege, SetUID, "docker run -v "+p, p)
			}
		}
	}
}

func (r *reader) compose(c *shell.Command) {
	a := split(c.Args, dockerValued)
	r.composeVerb(c, a, a.op(0))
}

func (r *reader) composeVerb(c *shell.Command, a argv, verb string) {
	switch {
	case verb == "down" && a.has("-v", "--volumes") && (r.namelessVolumes(c, a) || r.trialProject(c, a)):
		r.add(Act{Kind: Infra, How: "compose down", NoLoss: true})
	case verb == "down" && a.has("-v", "--volumes"), verb == "rm" && a.has("-v"):
		r.tell(Infra, DropVolume, "compose "+verb+" -v", "")
	case in(verb, "ps logs config images ls top version port events"):
	default: // containers are made again
		r.add(Act{Kind: Infra, How: "compose " + verb, NoLoss: verb == "rm"})
	}
}

// namelessVolumes: the compose files give no volume a name, so that the containers alone hold what goes; or they are a
// test's by their name.
func (r *reader) namelessVolumes(c *shell.Command, a argv) bool {
	files, ok := r.composeFiles(c, a)
	for _, f := range files {
		t := r.written(c, shell.Word{Text: f, Known: true})
		if testFile(filepath.Base(f)) && t.place == InProject {
			continue
		}
		ok = ok && selfContained(smallFile(t.real), "\nvolumes:")
	}
	return ok && len(files) > 0
}

// trialProject: the line calls the project one of tests, and so the volumes; the compose files call none by another name.
func (r *reader) trialProject(c *shell.Command, a argv) bool {
	names := words(a.values("-p", "--project-name"))
	for _, e := range c.Env {
		if v, ok := strings.CutPrefix(e.Text, "COMPOSE_PROJECT_NAME="); ok && len(names) == 0 {
			names = []string{v}
		}
	}
	if len(names) != 1 || !trialName(names[0]) {
		return false
	}
	files, ok := r.filesOfCompose(c, a)
	for _, f := range files {
		text := smallFile(r.written(c, shell.Word{Text: f, Known: true}).real)
		_, volumes, _ := strings.Cut("\n"+text, "\nvolumes:")
		ok = ok && selfContained(text, "\nvolumes: {") && !strings.Contains(volumes, "name:")
	}
	return ok && len(files) > 0
}

// composeFiles are the compose files of this folder, or those that are named. A project that is named, or another
// machine, is not looked at.
func (r *reader) composeFiles(c *shell.Command, a argv) (files []string, ok bool) {
	if a.has("-p", "--project-name") {
		return nil, false
	}
	return r.filesOfCompose(c, a)
}

func (r *reader) filesOfCompose(c *shell.Command, a argv) (files []string, ok bool) {
	if a.has("-H", "--host", "-c", "--context", "--profile") || c.Remote {
		return nil, false
	}
	for _, f := range a.values("-f", "--file") {
		files = append(files, f.Text)
	}
	if len(files) > 0 {
		return files, true
	}
	for _, n := range [...]string{"compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "compose.override.yaml", "docker-compose.override.yml"} {
		if !Absent(filepath.Join(r.dir(c), n)) {
			files = append(files, n)
		}
	}
	return files, true
}

// selfContained: a compose file says all by itself, and has no such key.
func selfContained(text, key string) bool {
	return text != "" && text[0] != '{' && !strings.Contains("\n"+text, key) && !strings.Contains(text, "\ninclude:") && !strings.Contains(text, "extends:")
}

// testFile: one part of a file's name says that it is for tests: docker-compose.test.yml.
func testFile(name string) bool {
	for _, part := range strings.FieldsFunc(strings.ToLower(name), func(c rune) bool { return c == '.' || c == '-' || c == '_' }) {
		if in(part, "test tests testing ci e2e integration") {
			return true
		}
	}
	return false
}

// localCloud: the cloud that is spoken to is a stand-in on this machine: by the environment, or by the one provider that
// the folder's configuration names.
func (r *reader) localCloud(c *shell.Command) bool {
	for _, e := range c.Env {
		if url, ok := strings.CutPrefix(e.Text, "AWS_ENDPOINT_URL="); ok {
			return isLocal(host(url))
		}
	}
	dir, ok := r.stackDir(c)
	if !ok {
		return false
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*.tf")) // a folder that cannot be read has none
	providers, local := 0, false
	for _, n := range names[:min(len(names), 50)] {
		text := smallFile(n)
		providers += strings.Count(text, "provider \"")
		local = local || strings.Contains(text, "://localhost:4566") || strings.Contains(text, "://127.0.0.1:4566") || strings.Contains(text, "localhost.localstack.cloud:4566")
	}
	return local && providers == 1
}

// stackDir is the folder whose configuration a terraform command works on, unless its state is said to be elsewhere.
func (r *reader) stackDir(c *shell.Command) (dir string, ok bool) {
	dir = r.dir(c)
	for _, w := range c.Args {
		if d, is := strings.CutPrefix(w.Text, "-chdir="); is {
			if !w.Known {
				return "", false
			}
			dir = r.w.abs(d, dir)
		}
		if w.Text == "-chdir" || strings.HasPrefix(w.Text, "-state") {
			return "", false
		}
	}
	return dir, !c.Remote
}

// kubeValued are kubectl's flags that take a value.
const kubeValued = " -n --namespace -f --filename -l --selector -o --output --context --kubeconfig --cluster --user -c --container --field-selector --as --replicas --server -s --token --request-timeout "

func (r *reader) kubectl(c *shell.Command) {
	a := split(c.Args, kubeValued)
	if a.has("--dry-run") {
		return
	}
	ws := words(a.ops)
	files := a.values("-f", "--filename")
	switch verb := at(ws, 0); {
	case verb == "scale" && r.later(a, at(ws, 1), "scale"), verb == "delete" && len(files) == 1 && len(ws) == 1 && stateless(r.written(c, files[0]).real) && r.later(a, files[0].Text, "apply create"):
		r.add(Act{Kind: Infra, How: "kubectl " + verb + ", and back"})
	case verb == "delete" && throwaway(ws) && !a.has("--all", "-A", "--all-namespaces"):
		r.tell(Infra, "", "ends a preview", "")
	case verb == "delete" && in(at(ws, 1), "pod pods po") && !anyProd(words(c.Args)) && (madeAgain(a, ws[2:]) || r.podsThatEnded(c, a)):
		r.tell(Infra, "", "kubectl restart of a pod", "")
	case verb == "delete":
		r.add(Act{Kind: Infra, Tag: Destroy, Target: clip(strings.Join(ws[1:], " "), 60), How: "delete"})
	case in(verb, "drain"), verb == "replace" && a.has("--force"), verb == "scale" && toNone(a):
		r.tell(Infra, Destroy, verb, at(ws, 1))
	case in(verb, "get describe logs top explain version api-resources api-versions cluster-info auth diff config wait events"):
	case changes(c.Name, words(c.Args)) != "":
		r.tell(Infra, Prod, verb, prodWord(words(c.Args)))
	default:
		r.tell(Infra, "", "kubectl "+verb, "")
	}
}

// toNone: kubectl scale ends all that runs.
func toNone(a argv) bool {
	for _, n := range a.values("--replicas") {
		if strings.Trim(n.Text, "0") == "" {
			return true
		}
	}
	return false
}

// later: a further kubectl of the line, with one of the verbs, brings back what one with the words a takes, in the same
// place.
func (r *reader) later(a argv, what, verbs string) bool {
	for i := r.at + 1; i < len(r.cmds) && what != ""; i++ {
		p := &r.cmds[i]
		b := split(p.Args, kubeValued)
		if p.Name == "kubectl" && in(b.op(0), verbs) && hasArg(p.Args, what) && !toNone(b) && !b.has("--dry-run") && !anyProd(words(p.Args)) && samePlace(a, b) {
			return true
		}
	}
	return false
}

// samePlace: two kubectl speak to one cluster and namespace.
func samePlace(a, b argv) bool {
	for _, names := range [...][]string{{"-n", "--namespace"}, {"--context"}, {"--cluster"}, {"--kubeconfig"}} {
		x, y := words(a.values(names...)), words(b.values(names...))
		if strings.Join(x, " ") != strings.Join(y, " ") {
			return false
		}
	}
	return true
}

// stateless: a manifest of the project, and no kind in it that holds data or other things.
func stateless(path string) bool {
	text := smallFile(path)
	kinds := 0
	for line := range strings.Lines(text) {
		if kind, ok := strings.CutPrefix(line, "kind:"); ok {
			if kinds++; !in(strings.Trim(kind, " \"'\r\n"), "Deployment Service ConfigMap Ingress Job CronJob Pod ReplicaSet DaemonSet ServiceAccount HorizontalPodAutoscaler NetworkPolicy") {
				return false
			}
		}
	}
	return kinds > 0
}

// madeAgain: the pods are over, or their names are those that a deployment gives, which starts others in their place.
func madeAgain(a argv, pods []string) bool {
	for _, s := range a.values("--field-selector") {
		if in(s.Text, "status.phase=Failed status.phase==Failed status.phase=Succeeded status.phase==Succeeded") {
			return true
		}
	}
	for _, p := range pods {
		parts := strings.Split(p, "-")
		n := len(parts)
		if n < 3 || !generated(parts[n-1], 5, 5) || !generated(parts[n-2], 6, 10) || !strings.ContainsAny(parts[n-2], "2456789") {
			return false
		}
	}
	return len(pods) > 0 && len(pods) <= 3
}

// podsThatEnded: the names of the pods are those that the line itself has picked for being over, in the same place.
func (r *reader) podsThatEnded(c *shell.Command, a argv) bool {
	if !viaAny(c, "xargs", "parallel") || c.Remote {
		return false
	}
	picked, listed := false, false
	for i := range r.cmds[:min(r.at, len(r.cmds))] {
		p := &r.cmds[i]
		if p.Group != c.Group {
			continue
		}
		text := strings.Join(words(p.Args), " ")
		switch {
		case p.Name == "kubectl" && hasArg(p.Args, "get") && hasArg(p.Args, "pod", "pods", "po"):
			listed = samePlace(a, split(p.Args, kubeValued))
			picked = picked || strings.Contains(text, "status.phase=Failed") || strings.Contains(text, "status.phase=Succeeded")
		case in(p.Name, "grep awk egrep") && !hasArg(p.Args, "-v") && !strings.Contains(text, "!"):
			picked = picked || strings.Contains(text, "Evicted") || strings.Contains(text, "Completed") || strings.Contains(text, "CrashLoop") || strings.Contains(text, "Error")
		}
	}
	return picked && listed
}

// generated: the letters are those of Kubernetes' own random names, which have no vowels.
func generated(s string, least, most int) bool {
	return len(s) >= least && len(s) <= most && strings.Trim(s, "bcdfghjklmnpqrstvwxz2456789") == ""
}

func (r *reader) terraform(c *shell.Command) {
	a := split(c.Args, " -chdir -var -var-file -target -out -state ")
	all := " " + strings.Join(words(c.Args), " ") + " "
	auto := strings.Contains(all, "-auto-approve") || strings.Contains(all, "--terragrunt-non-interactive")
	ws := words(a.ops)
	switch sub := at(ws, 0); {
	case sub == "destroy", strings.Contains(all, " -destroy ") && sub == "apply", sub == "run-all" && at(ws, 1) == "destroy":
		i := r.tell(Infra, Destroy, "destroy", "")
		if dir, ok := r.stackDir(c); ok && (emptyState(dir) || r.localCloud(c)) {
			r.acts[i].NoLoss = true
		}
	case sub == "apply" && auto && r.localCloud(c):
		r.tell(Infra, "", "terraform apply", "")
	case in(sub, "apply") && auto, sub == "run-all" && at(ws, 1) == "apply":
		r.tell(Infra, Unreviewed, "apply -auto-approve", "")
	case sub == "state" && in(at(ws, 1), "rm push"), sub == "workspace" && at(ws, 1) == "delete" && !throwaway(ws), sub == "force-unlock", in(sub, "taint"):
		r.add(Act{Kind: Infra, Tag: Destroy, How: sub + " " + at(ws, 1)})
	case in(sub, "plan show validate fmt output version providers graph init console get") || sub == "state" && in(at(ws, 1), "list show pull"):
	default:
		r.tell(Infra, "", "terraform "+sub, "")
	}
}

// emptyState: the state is kept here, and names nothing.
func emptyState(dir string) bool {
	s := gjson.Parse(smallFile(filepath.Join(dir, "terraform.tfstate")))
	n := s.Get("resources")
	return s.Get("version").Exists() && n.IsArray() && len(n.Array()) == 0 && Absent(filepath.Join(dir, ".terraform/terraform.tfstate"))
}

func (r *reader) pulumi(c *shell.Command) {
	a := split(c.Args, " -s --stack -C --cwd -m --message ")
	ws := words(a.ops)
	switch sub := at(ws, 0); {
	case in(sub, "destroy down"), sub == "stack" && at(ws, 1) == "rm", sub == "state" && at(ws, 1) == "delete", sub == "cancel":
		r.add(Act{Kind: Infra, Tag: Destroy, How: strings.TrimSpace(sub + " " + at(ws, 1))})
	case sub == "up" && a.has("-y", "--yes", "-f", "--skip-preview"):
		r.tell(Infra, Unreviewed, "up --yes", "")
	case in(sub, "preview stack whoami about config logs version"):
	default:
		r.changes = true
	}
}

// grants: the part of a repository's settings that an address of the API names decides who may do what.
func grants(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if in(part, "collaborators memberships keys hooks protection invitations") {
			return true
		}
	}
	return false
}

// gh reads GitHub's and GitLab's tools: what they delete or release.
func (r *reader) gh(c *shell.Command) {
	a := split(c.Args, " -R --repo -t --title -b --body -F --body-file -f --field --raw-field -X --method -H --header -q --jq --json -L --limit -B --base --head -l --label -a --assignee -r --reviewer -m --milestone --template -n --notes --notes-file ")
	ws := words(a.ops)
	noun, verb := at(ws, 0), at(ws, 1)
	method := ""
	for _, m := range a.values("-X", "--method") {
		method = strings.ToUpper(m.Text)
	}
	body := strings.Join(words(c.Args), " ")
	switch {
	case noun == "api" && method == "DELETE":
		r.tellRemote(Send, HTTPDelete, "api -X DELETE", verb)
	case noun == "api" && in(method, "PUT POST PATCH") && grants(verb):
		r.tellRemote(Infra, Account, "api -X "+method, verb)
	case noun == "cache" && verb == "delete": // the next run fills it
		r.add(Act{Kind: Infra, NoLoss: true, How: "cache delete"})
	case in(verb, "delete remove archive") && noun != "label", noun == "repo" && verb == "edit" && strings.Contains(body, "--visibility"):
		r.tell(Infra, VerbDestroy, noun+" "+verb, at(ws, 2))
	case noun == "workflow" && verb == "run" && anyProd(words(c.Args)):
		r.tell(Infra, Prod, "workflow run", prodWord(words(c.Args)))
	case noun == "release" && verb == "create" && !a.has("-d", "--draft"): // a draft is seen by those who may publish it
		r.tellRemote(Publish, Release, "release create", at(ws, 2))
	case in(verb, "list view status diff checks watch download clone") || noun == "status" || noun == "api" && method == "" && len(a.values("-f", "--field", "-F", "--raw-field")) == 0 || noun == "search":
		r.tellRemote(Receive, "", "", "github")
		return
	case in(noun, "auth secret variable ssh-key gpg-key"): // they take a login or a secret, and keep it
		r.add(Act{Kind: Infra, Target: "github", How: strings.TrimSpace(noun + " " + verb)})
	default:
		i := r.add(Act{Kind: Send, Place: Remote, Target: "github", How: strings.TrimSpace(noun + " " + verb)})
		for _, w := range c.Args {
			if LiveSecret(w.Text) {
				r.acts[i].Tag = SecretSent
			}
			r.sentWord(i, w)
		}
	}
}
