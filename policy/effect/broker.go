package effect

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// brokers are clients of queues, topics, caches and stores of objects whose things are told by name.
const brokers = "celery consul etcdctl kafka-consumer-groups kafka-consumer-groups.sh kafka-delete-records kafka-topics kafka-topics.sh mc nats pulsar-admin rabbitmqadmin rabbitmqctl rpk s3cmd temporal vault"

// brokerValued are their flags that take a value, as far as one may stand before a name.
const brokerValued = " -address --address -http-addr --endpoints --namespace -namespace -mount -h -H --host --bootstrap-server -b --broker --brokers -s --server -X -P --port -u -U --user -p --password -A --app --group --topic --topics -t -Q --queue --queues -q --vhost -V --profile --stream --config --command-config -c -n --node "

// brokerNouns stand between the verb and the name.
const brokerNouns = "topic topics queue queues exchange stream consumer vhost group"

// trialThing: the name of something that tests make and throw away: orders-test, test.orders, test:*, local/raw-test/2024.
// Unlike a database, a queue or a topic may be called test alone.
func trialThing(name string) bool {
	for part := range strings.FieldsFuncSeq(name, func(c rune) bool { return strings.ContainsRune("/:.*", c) }) {
		if in(part, "test tests testing e2e") || trialName(part) {
			return !prod(name)
		}
	}
	return trialName(strings.ReplaceAll(name, ".", "_"))
}

// trialQueues: all that a client of a broker is told to empty or delete is named as a thing of tests, and no server is
// named but one of this machine.
func (r *reader) trialQueues(c *shell.Command, name string, args []shell.Word) bool {
	if c.Remote && !viaAny(c, "docker", "podman", "docker-compose") {
		return false
	}
	a := split(args, brokerValued)
	for _, env := range [...]string{"CONSUL_HTTP_ADDR", "VAULT_ADDR", "ETCDCTL_ENDPOINTS", "TEMPORAL_ADDRESS", "RPK_BROKERS", "NATS_URL"} {
		if v, set := r.environ(env); set && !isLocal(host(v)) {
			return false
		}
	}
	for _, v := range a.values("-address", "--address", "-http-addr", "--endpoints", "-h", "-H", "--host", "--bootstrap-server", "-b", "--broker", "--brokers", "-s", "--server", "-X") {
		hosts := strings.TrimPrefix(v.Text, "brokers=")
		for h := range strings.SplitSeq(hosts, ",") {
			if _, at, ok := strings.Cut(h, "://"); ok {
				h = at
			}
			if h != v.Text && strings.Contains(h, "=") || !isLocal(h) && !c.Remote {
				return false
			}
		}
	}
	things := words(a.values("--topic", "--topics", "-t", "-Q", "--queue", "--queues", "--stream", "--namespace"))
	verb := false
	for _, o := range a.ops {
		switch low := strings.ToLower(o.Text); {
		case !o.Known:
			return false
		case !verb:
			first, _, _ := strings.Cut(low, "_")
			verb = first == "del" || in(first, destroying) || in(first, removing)
		case !in(low, brokerNouns):
			things = append(things, strings.TrimPrefix(o.Text, "name="))
		}
	}
	for _, list := range things {
		for t := range strings.SplitSeq(list, ",") {
			if !trialThing(t) {
				return false
			}
		}
	}
	return len(things) > 0
}

// trialKeys: the keys that are deleted are those that the command before found by a pattern of tests.
func (r *reader) trialKeys(c *shell.Command) bool {
	if c.Stage == 0 || r.at == 0 || c.Remote || r.cmds[r.at-1].Group != c.Group {
		return false
	}
	found := false
	for _, w := range r.cmds[r.at-1].Args {
		if strings.Contains(w.Text, "*") {
			if !w.Known || prod(w.Text) || !in(firstPart(w.Text), "test tests testing e2e") {
				return false
			}
			found = true
		}
	}
	return found && r.cmds[r.at-1].Name == c.Name
}

// firstPart is a key up to its first mark.
func firstPart(key string) string {
	if i := strings.IndexAny(key, ":._-/"); i >= 0 {
		return key[:i]
	}
	return key
}

// emulated: a tool of a cloud speaks to a stand-in on this machine: by the address it is given, or by its name.
func emulated(c *shell.Command) bool {
	urls := words(split(c.Args, " --endpoint-url --endpoint --endpoint_url ").values("--endpoint-url", "--endpoint", "--endpoint_url"))
	for _, e := range c.Env {
		if url, ok := strings.CutPrefix(e.Text, "AWS_ENDPOINT_URL="); ok && len(urls) == 0 {
			urls = append(urls, url)
		}
	}
	for _, u := range urls {
		if !isLocal(host(u)) {
			return false
		}
	}
	return (len(urls) > 0 || in(c.Name, "awslocal samlocal")) && !anyProd(words(c.Args)) && !c.Remote
}

// boxed: the command runs in a container of a compose project of this folder that has its data for itself: the files of
// the project mount nothing, or are a test's by their name; or in a container that is called as one of tests.
func (r *reader) boxed(c *shell.Command) bool {
	plain := contains(c.Via, "docker exec")
	if !c.Remote || !plain && !contains(c.Via, "docker compose exec") && !contains(c.Via, "docker-compose exec") || viaAny(c, "ssh", "kubectl") || speaksFar(c.Args) {
		return false
	}
	for i := min(r.at, len(r.cmds)) - 1; i >= 0; i-- {
		p := &r.cmds[i]
		if !in(p.Name, "docker docker-compose") {
			continue
		}
		if plain {
			ops := split(p.Args, dockerValued).ops
			return !p.Remote && len(ops) > 1 && ops[0].Text == "exec" && ops[1].Known && testParts(ops[1].Text)
		}
		own := p.Args // those behind exec are the inner command's
		for j, w := range own {
			if w.Text == "exec" {
				own = own[:j]
				break
			}
		}
		files, ok := r.composeFiles(p, split(own, dockerValued))
		for _, f := range files {
			if t := r.written(p, shell.Word{Text: f, Known: true}); !testFile(filepath.Base(f)) || t.place != InProject {
				ok = ok && selfContained(smallFile(t.real), "volumes:")
			}
		}
		return ok && len(files) > 0
	}
	return false
}

// speaksFar: a client is told of a server with a full name, which no container of the project has.
func speaksFar(args []shell.Word) bool {
	for i, w := range args {
		h := host(w.Text)
		if named := strings.Contains(w.Text, "://") || i > 0 && in(args[i-1].Text, "-h -H --host -S --server"); named && (!w.Known || strings.Contains(h, ".") && !isLocal(h)) || strings.HasPrefix(w.Text, "--host=") || strings.Contains(w.Text, "host=") {
			return true
		}
	}
	return false
}

// testParts: a part of the name of a container, a volume or a cluster says that it is for tests.
func testParts(name string) bool {
	for _, part := range nameParts(name) {
		if in(part, "test tests testing e2e ci") {
			return !prod(name)
		}
	}
	return false
}

// testContainers: the containers or volumes that are picked have the label that a library for tests gives its own.
func testContainers(args []shell.Word) bool {
	for _, w := range args {
		if strings.HasPrefix(strings.TrimPrefix(w.Text, "--filter="), "label=org.testcontainers") {
			return true
		}
	}
	return false
}

// trialVolume: a volume of tests: its name says so, or begins with the name of a project that a compose file of tests in
// this folder has.
func (r *reader) trialVolume(c *shell.Command, name string) bool {
	if name == "" || prod(name) || c.Remote {
		return false
	}
	if testParts(name) {
		return true
	}
	files, _ := filepath.Glob(filepath.Join(r.dir(c), "*compose*.y*ml")) // a folder that cannot be read has none
	for _, f := range files[:min(len(files), 20)] {
		if !testFile(filepath.Base(f)) {
			continue
		}
		for line := range strings.Lines(smallFile(f)) {
			project, ok := strings.CutPrefix(line, "name:")
			if project = strings.Trim(project, " \"'\r\n"); ok && project != "" && strings.HasPrefix(name, project+"_") {
				return true
			}
		}
	}
	return false
}
