package effect

import (
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/shell"
)

// Each group has a meaning, and its rows are in order, one space between words, so that a newcomer finds the place.
func TestFormsAreOrderly(t *testing.T) {
	t.Parallel()
	for _, f := range forms {
		rows := strings.Split(strings.Trim(f.rows, "\n"), "\n")
		if f.kind == "" || f.tag == "" || f.rows != "\n"+strings.Join(rows, "\n")+"\n" {
			t.Errorf("%s %s: rows begin and end with a line break, and stand for something", f.kind, f.tag)
		}
		if !sort.StringsAreSorted(rows) {
			t.Errorf("%s %s: the rows are not in order", f.kind, f.tag)
		}
		for _, r := range rows {
			if r == "" || r != strings.Join(strings.Fields(r), " ") {
				t.Errorf("%s %s: row %q", f.kind, f.tag, r)
			}
		}
	}
}

// Tools that reach a database, a cloud, a registry or a deployment: what destroys, publishes or grants carries a tag
// that a rule asks about; what looks, builds or works on a copy of one's own carries none.
func TestTools(t *testing.T) {
	t.Parallel()
	w := plain(t)
	tags := func(line string) (out []Tag) {
		for _, a := range w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: w.Root}).Acts {
			if a.Tag != "" {
				out = append(out, a.Tag)
			}
		}
		return out
	}
	for line, want := range map[string]Tag{
		// verbs behind a noun, in one word with others, behind a runner
		"aws logs delete-log-group --log-group-name /x":       VerbDestroy,
		"aws ecr batch-delete-image --repository-name x":      VerbDestroy,
		"aws kms schedule-key-deletion --key-id k":            Destroy,
		"firebase database:remove /":                          VerbDestroy,
		"pscale branch delete db main":                        VerbDestroy,
		"php artisan migrate:fresh --seed":                    DropData,
		"python3 manage.py migrate app zero":                  DropData,
		"npx prisma db push --accept-data-loss":               DropData,
		"pnpm prisma migrate reset":                           DropData,
		"bundle exec rake db:schema:load":                     DropData,
		"RAILS_ENV=production rails db:migrate":               Prod,
		"npx sequelize-cli db:migrate:undo:all":               DropData,
		"yarn npm publish":                                    Release,
		"npx lerna publish":                                   Release,
		"./gradlew publish":                                   Release,
		"docker buildx build --push -t a/b .":                 Release,
		"npm dist-tag add x@1 latest":                         Release,
		"npm owner add bob x":                                 Account,
		"helm uninstall app":                                  Destroy,
		"docker rm -fv db":                                    DropVolume,
		"docker rm -f $(docker ps -aq)":                       DropVolume,
		"gh pr merge 12 --admin":                              SkipHooks,
		"gh workflow run deploy.yml -f env=production":        Prod,
		"kubectl rollout undo deploy/api -n production":       Prod,
		"kubectl get secret db -o jsonpath='{.data.pw}'":      KeyFile,
		"wrangler d1 execute db --command 'drop table users'": SQLDrop,
		"othertool sql 'DELETE FROM users'":                   SQLDelete,
		"redis-cli keys '*' | xargs redis-cli DEL":            DropData,
		"sqlite3 app.db '.restore old.db'":                    DropData,
		"curl -X DELETE localhost:7700/indexes/x":             HTTPDelete,
		"curl -X POST https://ci.acme.io/job/x/doDelete":      HTTPDelete,
		"pm2 delete all":                                      KillMany,
		"kind delete cluster --all":                           VerbDestroy,
	} {
		got := tags(line)
		found := false
		for _, g := range got {
			found = found || g == want
		}
		if !found {
			t.Errorf("%q: tags %v, want %s among them", line, got, want)
		}
	}
	for _, line := range []string{
		"aws logs tail /x --follow", "aws logs describe-log-groups", "helm repo remove x", "helm uninstall x --dry-run", "kind delete cluster", "k3d cluster delete dev", "pm2 delete api",
		"RAILS_ENV=test bin/rails db:drop db:create", "rails db:test:prepare", "php artisan migrate --env=testing", "python3 manage.py migrate", "npx prisma migrate deploy", "NODE_ENV=production npm run build",
		"npm publish --dry-run", "yarn npm audit", "gradle publishToMavenLocal", "docker rm -f web", "docker buildx build -t x .", "kubectl get secrets", "kubectl get secret x", "gh pr merge 12 --squash",
		"wrangler d1 execute db --local --command 'drop table users'", "jira create 'Delete the old users'", "othertool sql 'select 1'", "curl -X DELETE http://localhost:3000/items/1",
		"curl -X POST https://api.acme.io/items -d x", "rclone copy a remote:b", "rclone sync a remote:b --dry-run", "restic snapshots", "vercel ls --prod", "stripe listen --live", "task 3 delete",
	} {
		if got := tags(line); len(got) > 0 {
			t.Errorf("%q must carry no tag, got %v", line, got)
		}
	}
}

// A program in a temporary folder could be anybody's: with all rights it is asked about, unless it is a script that can
// be read.
func TestTemporaryProgramWithAllRights(t *testing.T) {
	t.Parallel()
	w := plain(t)
	script := w.Temps[0] + "/script"
	if err := os.WriteFile(script, []byte("#!/bin/sh\nls\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]bool{
		"sudo " + w.Temps[0] + "/unread": true, "sudo -n " + w.Temps[0] + "/unread -i eth0": true, w.Temps[0] + "/unread": false, "sudo " + script: false, "sudo ls " + w.Temps[0]: false,
	} {
		got := false
		for _, a := range w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: w.Root}).Acts {
			got = got || a.Tag == DynamicRun
		}
		if got != want {
			t.Errorf("%q: opaque is %v, want %v", line, got, want)
		}
	}
}

// Lines made to be slow to read: each look at a whole line takes time in proportion to its length. One that took its
// square would outlast the limit of go test; no clock is asked.
func TestLongLinesEnd(t *testing.T) {
	t.Parallel()
	const n = 1 << 20
	for name, read := range map[string]func(string){
		"loop":    func(s string) { loopsForever("while true; do " + s + " done") },
		"hidden":  func(s string) { hidden(s) },
		"key":     func(s string) { strangeKey("example.com", []shell.Word{{Text: s}}) },
		"package": func(s string) { packageName(s) },
		"forms":   func(s string) { forms[0].stands("wp", []shell.Word{{Text: s}, {Text: s}}) },
	} {
		for _, part := range []string{"& ", "(a &) ", "$A_KEY", "\U000E0041", "\U0001F3F4\U000E0041", "\xf3\xa0", "a_b|", "; if x; then "} {
			t.Log(name, part)
			read(strings.Repeat(part, n/len(part)))
		}
	}
}
