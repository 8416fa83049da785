package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// The grammar of tools: most command-line tools that reach something important speak in nouns and verbs. A destructive
// verb is one of the first words, alone or as a part of a hyphenated word (delete-stack), never a part of another word.

// destroying verbs, hard ones: what they name is gone.
const destroying = "delete destroy drop purge terminate wipe flush nuke obliterate erase expunge decommission deregister dropdb delete-all reset-db deprovision undeploy"

// removing verbs are ordinary in package managers and editors; they count with a flag that forces, or a word that means
// that people depend on it.
const removing = "remove rm rb reset prune revoke disable uninstall clear truncate archive rollback cancel stop detach evict unlink restart scale down off rotate"

// looking verbs, or flags, make the rest of the words data.
const looking = "list ls get describe status plan diff show view info inspect help version search find explain logs log watch preview validate check lint test export query whoami history tail events top stats cat read fetch dry-run completion doc docs"

// gone before the verb: subjects that are only notes of the tool itself.
const ownNotes = "cache label alias profile context history config completion snapshot-test branch worktree lock"

// toolNotes are such subjects of one tool alone.
const toolNotes = "helm/repo helm/plugin helm/registry heroku/plugins vagrant/plugin vagrant/box aws/configure gcloud/components az/extension flux/completion supabase/link wp/rewrite wp/transient"

// nouns begin a destructive command of tools that name the thing first, though they are looking verbs elsewhere.
const nouns = "logs events export docs health test history tail stats"

// amid are the words that may stand before the verb in one hyphenated word: batch-delete-image, force-delete.
const amid = "batch bulk force admin repo db mass hard"

// localTools make and drop what is on this machine, for development: what they drop is made again by them.
const localTools = "kind k3d minikube colima ctlptl vcluster simctl avdmanager ollama jupyter asdf nvm pyenv rbenv rustup todo task"

// tools that are known to reach a cloud, a database, a cluster or a deployment: a removing verb alone is enough there.
const remoteTools = "aws az gcloud gsutil bq doctl linode-cli hcloud flyctl fly heroku vercel netlify railway render supabase firebase wrangler cf eksctl kops helm argocd flux velero vault consul nomad boundary op doppler infisical chamber sops restic borg rclone mc s3cmd azcopy rabbitmqctl rabbitmqadmin kafka-topics kafka-topics.sh kafka-consumer-groups kafka-configs nats pd stripe twilio auth0 okta ldcli unleash circleci glab bk buildkite-agent jenkins-cli ansible ansible-playbook kubectx oc openshift istioctl linkerd nerdctl ctr crictl virsh multipass vagrant packer lxc incus zfs zpool lvremove vgremove pvremove btrfs mdadm cryptsetup cqlsh influx etcdctl elasticsearch-keystore fastly cloudflared deck kong ibmcloud oci yc scw exo tsh sf sfdx cdk sam serverless sls amplify copilot eb pulumi pscale neonctl turso atlas atlascli mongocli snowsql snow dbt databricks datadog-ci sentry-cli newrelic linkerd rsc gitlab-runner gh-actions supervisorctl launchpad cargo-release algolia apigeecli grafana-cli split airflow dagster prefect temporal tctl minio weaviate qdrant mongoatlas steampipe teleport tsh civo vultr-cli upcloud exoscale ovh aliyun tccli huaweicloud koyeb porter qovery northflank deta cleavr ploi forge envoyer appwrite nhost hasura pocketbase xata fauna convex upstash prisma-cloud launchdarkly flagsmith statsig posthog segment"

// grammar reads a program it has no reader for.
func (r *reader) grammar(c *shell.Command) {
	if strings.HasPrefix(c.Name, "mkfs.") {
		r.disk(c)
		return
	}
	if r.fromSourced(c) {
		return
	}
	r.puts(c)
	ws := words(c.Args)
	if c.Path != "" || isScript(c.Name) {
		r.runFile(c)
	}
	if c.Path == "" && viaAny(c, "cmd") {
		r.shellFile(c, shell.Word{Text: c.Name + ".bat", Known: true}, nil)
	}
	r.changes = r.changes || !r.readOnly(c)
	r.fetchedBy(c)
	if isText(c.Name) || dry(ws) || in(c.Name, localTools) && !hasArg(c.Args, "--all") && !anyProd(ws) {
		return
	}
	r.queries(c)
	verb := destructive(c.Name, ws)
	if verb == "" {
		if verb = changes(c.Name, ws); verb != "" {
			r.tell(Infra, Prod, verb, prodWord(ws))
		}
		return
	}
	if throwaway(ws) || testData(c, ws) || emulated(c) {
		r.tell(Infra, "", "ends what was made to be thrown away", "")
		return
	}
	r.add(Act{Kind: Infra, Tag: VerbDestroy, Target: clip(objectOf(ws, verb), 60), How: clip(verb, 30), Force: forcedWords(ws)})
}

// isText: programs whose words are data and that reach nothing.
func isText(name string) bool {
	return in(name, "echo printf grep rg ag ack fd ls cat head tail sort uniq wc cut tr test [ [[ true false : expr seq date sleep basename dirname realpath readlink pwd cd pushd popd which type command whoami id uname hostname man info less more diff cmp comm jq yq file stat du df ps history read local declare typeset set unset shift return exit trap wait mkdir brew apt apt-get dpkg yum dnf pacman code open xdg-open say tput clear stty logger notify-send jest vitest pytest tox eslint prettier tsc webpack vite rollup gofmt rustfmt black ruff mypy pylint flake8 isort")
}

// fetchedBy: a tool is told to run or install a program that stands on a server: tool run https://example.com/x.sh.
func (r *reader) fetchedBy(c *shell.Command) {
	for i, a := range c.Args {
		if strings.HasPrefix(a.Text, "http") && strings.Contains(a.Text, "://") && isProgram(a.Text) && i > 0 && in(c.Args[i-1].Text, "run exec eval source install") {
			r.add(Act{Kind: Opaque, Tag: PipeRemote, Target: host(a.Text), How: clip(c.Name+" "+c.Args[i-1].Text, 40)})
		}
	}
}

// queries judges the SQL that a tool without a reader of its own is given as one word: mytool sql "drop table x".
func (r *reader) queries(c *shell.Command) {
	if hasArg(c.Args, "--local") {
		return
	}
	for _, a := range c.Args {
		verb, _, ok := strings.Cut(strings.TrimLeft(a.Text, " \n\t("), " ")
		if ok && in(strings.ToLower(verb), "drop truncate delete update alter") {
			if f := strings.Fields(strings.ToLower(bareSQL(a.Text))); sqlShape(f) {
				r.statements(c.Name, a.Text)
			}
		}
	}
}

// sqlShape tells a statement from a sentence that begins with the same verb.
func sqlShape(f []string) bool {
	switch f[0] {
	case "drop", "truncate", "alter":
		return in(at(f, 1), "table database schema keyspace user role owned") && len(f) < 12
	case "delete":
		return at(f, 1) == "from"
	}
	return at(f, 2) == "set"
}

// texts are flags whose value is a person's words, whatever they are.
const texts = "--description --message --comment --reason --title --note --notes --body --label --annotation --author"

// dry: the words ask for a rehearsal or for help.
func dry(ws []string) bool {
	for i, w := range ws {
		if i > 0 && in(ws[i-1], texts) {
			continue
		}
		if strings.IndexByte(w, ':') > 0 && rehearses(w) || in(w, "--dry-run --dryrun --help -h --version --check --what-if --whatif --noop --plan --dry_run --simulate --diff help") || strings.HasPrefix(w, "--dry-run=") && w != "--dry-run=false" && w != "--dry-run=none" {
			return true
		}
	}
	return false
}

// rehearses: a tool's own arguments, in YAML or JSON, ask for a rehearsal: "{dry_run: true}".
func rehearses(w string) bool {
	w = strings.NewReplacer(" ", "", `"`, "", "'", "", "-", "_").Replace(strings.ToLower(w))
	return strings.Contains(w, "dry_run:true") || strings.Contains(w, "dryrun:true")
}

// destructive finds the verb. The first looking verb ends the search: what follows are its objects.
func destructive(name string, ws []string) string {
	remote := in(name, remoteTools)
	seen, look := 0, lastLook(ws)
	for i, w := range ws {
		if i > 0 && isFlag(ws[i-1]) && i < look {
			continue // a flag's value, before a verb that looks: az --query delete vm show
		}
		if strings.HasPrefix(w, "-") {
			if f := strings.TrimLeft(w, "-"); in(f, "delete destroy purge") && remote {
				return w
			}
			continue
		}
		if seen++; seen > 4 || strings.ContainsAny(w, "/ .=@") && seen > 1 {
			continue
		}
		low := strings.ToLower(w)
		if seen == 1 && (in(low, ownNotes) && !(remote && in(low, "branch history lock")) || in(name+"/"+low, toolNotes)) {
			return ""
		}
		if seen == 1 && remote && in(low, nouns) {
			continue
		}
		parts := strings.FieldsFunc(low, func(c rune) bool { return c == '-' || c == ':' || c == '_' })
		for i, part := range parts {
			first := i == 0 || strings.Contains(low, ":") || i == 1 && in(parts[0], amid)
			switch {
			case in(part, looking) && i == 0:
				return ""
			case in(part, destroying) && first:
				if remote || seen <= 3 && (forcedWords(ws) || anyProd(ws) || knownNoun(ws)) {
					return low
				}
			case in(part, removing) && first && (remote && !in(part, "stop restart down off scale clear disable cancel archive rollback uninstall rotate detach") || forcedWords(ws) && anyProd(ws)):
				return low
			}
		}
	}
	return ""
}

// changing verbs act on something that runs; on production they are worth a question.
const changingVerbs = "deploy redeploy restart rollback undo promote scale migrate release apply upgrade update restore rotate failover stop suspend pause set unset import seed reset sync patch"

// changes finds a changing verb of a tool that reaches a running system, where a word says that it is production.
func changes(name string, ws []string) string {
	if !in(name, remoteTools) && !in(name, "kubectl helm") || !anyProd(ws) {
		return ""
	}
	for i, w := range ws {
		if i > 0 && isFlag(ws[i-1]) && ws[i-1] != "--prod" || strings.HasPrefix(w, "-") {
			continue
		}
		for _, part := range strings.FieldsFunc(strings.ToLower(w), func(c rune) bool { return c == ':' || c == '-' }) {
			switch {
			case in(part, looking):
				return ""
			case in(part, changingVerbs):
				return part
			}
		}
	}
	return ""
}

// prodTarget: the name of a make target or package script that changes production: deploy-prod, db:migrate:production.
func prodTarget(name string) bool {
	if !prod(name) {
		return false
	}
	for _, part := range strings.FieldsFunc(strings.ToLower(name), func(c rune) bool { return strings.ContainsRune(":-_./", c) }) {
		if in(part, changingVerbs) || in(part, destroying) {
			return true
		}
	}
	return false
}

func prodWord(ws []string) string {
	for _, w := range ws {
		if prod(w) {
			return w
		}
	}
	return ""
}

// isFlag: a flag that may take the next word.
func isFlag(w string) bool {
	return strings.HasPrefix(w, "-") && !strings.Contains(w, "=") && w != "--"
}

// lastLook is where the last word stands that looks; -1 for none.
func lastLook(ws []string) int {
	for i := len(ws) - 1; i >= 0; i-- {
		if in(ws[i], looking) {
			return i
		}
	}
	return -1
}

// live marks what the command does outside the disk where it is told that this is production.
func (r *reader) live(c *shell.Command, from int) {
	known, live := false, false
	for i := from; i < len(r.acts); i++ {
		switch a := &r.acts[i]; a.Kind {
		case Infra, Database, Publish, Send:
			if !known {
				known, live = true, anyProd(words(c.Args)) || anyProd(words(c.Env))
			}
			a.Prod = live
		}
	}
}

// throwaway: the name of an environment that is made to be thrown away, and no word of one that people depend on.
func throwaway(ws []string) bool {
	found := false
	for _, w := range ws {
		before := ""
		for _, part := range strings.FieldsFunc(strings.ToLower(w), func(c rune) bool { return strings.ContainsRune("-_/.:=@", c) }) {
			if in(part, "prod production prd live main master") {
				return false
			}
			found = found || in(part, "preview ephemeral sandbox scratch") || request(before, part)
			before = part
		}
	}
	return found
}

// request: two parts of a name, or the second alone, are a pull request's number: pr-12, mr12.
func request(before, part string) bool {
	if len(part) > 2 && in(part[:2], "pr mr") {
		before, part = part[:2], part[2:]
	}
	return in(before, "pr mr") && isDigits(part)
}

// forcedWords: nobody will be asked, or everything is meant.
func forcedWords(ws []string) bool {
	for _, w := range ws {
		if in(w, "--force -f --yes -y --all --no-confirm --noconfirm --assume-yes --auto-approve --non-interactive --skip-confirmation --no-prompt --quiet -q --confirm --production --prod --cascade --recursive --hard --permanently --force-delete") || strings.HasPrefix(w, "--confirm=") || strings.HasPrefix(w, "--force=") {
			return true
		}
	}
	return false
}

func anyProd(ws []string) bool {
	for _, w := range ws {
		if prod(w) {
			return true
		}
	}
	return false
}

// knownNoun: what is destroyed is something that holds data or serves people.
func knownNoun(ws []string) bool {
	for _, w := range ws {
		for _, part := range strings.FieldsFunc(strings.ToLower(w), func(c rune) bool { return c == '-' || c == ':' || c == '_' || c == '/' }) {
			if in(strings.TrimSuffix(part, "s"), "db database table schema cluster instance bucket volume namespace stack environment env server project account tenant user role policy queue topic index zone record domain snapshot backup secret key vault deployment service droplet vm node disk app site organization org team repo repository pipeline collection keyspace") {
				return true
			}
		}
	}
	return false
}

// objectOf is what the verb is told to work on: the first word behind it that is no flag.
func objectOf(ws []string, verb string) string {
	for i, w := range ws {
		if !strings.EqualFold(w, verb) {
			continue
		}
		for _, o := range ws[i+1:] {
			if !strings.HasPrefix(o, "-") {
				return o
			}
		}
		break
	}
	return ""
}
