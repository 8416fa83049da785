package effect

import (
	"sort"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// toolDeeds are forms of tools that reach a database, a cloud, a registry or a deployment, where neither a reader of
// their own nor the grammar of verbs sees what they do. Sorted by program; the words are those of the tools' manuals. A
// rehearsal (--dry-run) and a test database are silent.
var toolDeeds = [...]deed{
	{"airflow", "db reset|clean", "", Database, DropData},
	{"airflow", "dags|pools|variables|connections|users delete", "", Infra, VerbDestroy},
	{"alembic", "downgrade base", "--sql", Database, DropData},
	{"ansible", "-a *-rf|*reboot|*shutdown|*state=absent|*mkfs|*drop", "", Infra, Destroy},
	{"ansible-playbook", "*prod|*production|*prd", "--list-hosts --list-tasks --syntax-check", Infra, Prod},
	{"apt", "purge|--purge", "", Infra, VerbDestroy},
	{"apt-get", "purge|--purge", "", Infra, VerbDestroy},
	{"artisan", "migrate:fresh|migrate:reset|migrate:refresh|db:wipe", "", Database, DropData},
	{"aws", "kms schedule-key-deletion|disable-key", "", Infra, Destroy},
	{"aws", "ec2 release-address", "", Infra, Destroy},
	{"aws", "route53 change-resource-record-sets", "", Infra, VerbDestroy},
	{"aws", "sns unsubscribe", "", Infra, VerbDestroy},
	{"borg", "compact|recreate|rdelete|repo-delete|break-lock", "", Infra, VerbDestroy},
	{"brew", "uninstall|remove|rm --zap", "", Infra, VerbDestroy},
	{"cargo", "owner --add|--remove|-a|-r", "", Infra, Account},
	{"cdk", "deploy never|--require-approval=never", "", Infra, Unreviewed},
	{"changeset", "publish", "", Publish, Release},
	{"circleci", "context remove-secret|store-secret", "", Infra, VerbDestroy},
	{"console", "doctrine:database:drop|doctrine:schema:drop", "", Database, DropData},
	{"convex", "data clear", "", Database, DropData},
	{"crane", "push|copy|delete", "", Publish, Release},
	{"dbmate", "drop", "", Database, DropData},
	{"dbt", "run|build --full-refresh *prod", "", Infra, Prod},
	{"deck", "sync|reset", "", Infra, Unreviewed},
	{"deck", "gateway sync|reset", "", Infra, Unreviewed},
	{"deno", "publish", "", Publish, Release},
	{"diesel", "database reset", "", Database, DropData},
	{"docker", "build|bake --push", "", Publish, Release},
	{"doctrine", "schema:drop|*schema-tool:drop", "", Database, DropData},
	{"dotnet", "nuget push|delete", "", Publish, Release},
	{"dotnet", "ef database drop", "", Database, DropData},
	{"drizzle-kit", "drop", "", Database, DropData},
	{"drush", "sql:drop|sql-drop|site:install|site-install", "", Database, DropData},
	{"eas", "submit", "", Publish, Release},
	{"elasticsearch-reset-password", "", "", Infra, Account},
	{"etcdctl", "del", "", Database, DropData},
	{"fastlane", "deliver|release|supply|upload_to_app_store|upload_to_play_store", "", Publish, Release},
	{"fastly", "version activate", "", Infra, Prod},
	{"firebase", "deploy --only *firestore:rules|*storage|*database", "", Infra, Prod},
	{"flit", "publish", "", Publish, Release},
	{"flyway", "clean", "", Database, DropData},
	{"gh", "pr merge --admin", "", Publish, SkipHooks},
	{"goose", "reset|down-to", "", Database, DropData},
	{"gradle", "publish|*:publish|publishPlugins|publishAllPublicationsToMavenRepository|publishToSonatype|uploadArchives", "", Publish, Release},
	{"gradlew", "publish|*:publish|publishPlugins|publishAllPublicationsToMavenRepository|publishToSonatype|uploadArchives", "", Publish, Release},
	{"grafana-cli", "plugins uninstall|remove", "", Infra, VerbDestroy},
	{"gsutil", "rsync -d|-rd|-dr", "-n", Delete, VerbDestroy},
	{"gsutil", "iam|acl ch|set", "", Infra, Account},
	{"hasura", "metadata clear", "", Database, DropData},
	{"hatch", "publish", "", Publish, Release},
	{"helm", "uninstall|delete|del|un", "repo plugin registry", Infra, Destroy},
	{"helm", "push", "", Publish, Release},
	{"heroku", "pg:copy|pg:promote|pg:backups:restore|pg:killall", "", Database, DropData},
	{"kafka-consumer-groups", "--reset-offsets|--delete-offsets|--delete", "", Database, DropData},
	{"kafka-consumer-groups.sh", "--reset-offsets|--delete-offsets|--delete", "", Database, DropData},
	{"knex", "migrate:rollback --all", "", Database, DropData},
	{"ko", "publish|apply", "", Publish, Release},
	{"kubectl", "apply --prune", "", Infra, Destroy},
	{"kubectl", "taint *NoExecute", "", Infra, Destroy},
	{"kubectl", "get secret|secrets|*secret/ -oyaml|-ojson|yaml|json|*jsonpath|*template|-o=yaml|-o=json", "", Secret, KeyFile},
	{"lerna", "publish", "", Publish, Release},
	{"liquibase", "drop-all|dropall|drop-all-sql", "", Database, DropData},
	{"manage.py", "flush|reset_db|sqlflush", "", Database, DropData},
	{"manage.py", "migrate zero", "--plan", Database, DropData},
	{"mc", "mirror --remove", "", Delete, VerbDestroy},
	{"migrate", "drop", "", Database, DropData},
	{"mix", "ecto.drop|ecto.reset", "", Database, DropData},
	{"mix", "hex.publish", "", Publish, Release},
	{"mongorestore", "--drop", "", Database, DropData},
	{"mvn", "deploy|release:perform", "", Publish, Release},
	{"mvnw", "deploy|release:perform", "", Publish, Release},
	{"npm", "owner|author add|rm", "", Publish, Account},
	{"npm", "token create|revoke|delete", "", Publish, Account},
	{"npm", "access public|restricted|grant|revoke|set", "", Publish, Account},
	{"npm", "dist-tag|dist-tags add|rm|set", "", Publish, Release},
	{"nsupdate", "", "", Infra, VerbDestroy},
	{"nx", "release", "", Publish, Release},
	{"oras", "push|copy", "", Publish, Release},
	{"ovsx", "publish", "", Publish, Release},
	{"pdm", "publish", "", Publish, Release},
	{"pg_restore", "--clean|-c", "-l --list", Database, DropData},
	{"pm2", "delete|del|kill|stop all", "", Kill, KillMany},
	{"pm2", "kill", "", Kill, KillMany},
	{"pod", "trunk push|delete|deprecate", "", Publish, Release},
	{"prisma", "migrate reset", "", Database, DropData},
	{"prisma", "db push --force-reset|--accept-data-loss", "", Database, DropData},
	{"rabbitmqctl", "force_reset|reset|purge_queue|delete_vhost|delete_user", "", Database, DropData},
	{"rails", "db:drop|db:drop:all|db:reset|db:schema:load|db:structure:load|db:migrate:reset|db:purge|db:truncate_all", "", Database, DropData},
	{"railway", "down|delete", "", Infra, Destroy},
	{"rake", "db:drop|db:drop:all|db:reset|db:schema:load|db:structure:load|db:migrate:reset|db:purge|db:truncate_all", "", Database, DropData},
	{"rclone", "sync|deletefile|cleanup|dedupe|rmdirs|move", "-n --interactive -i", Delete, VerbDestroy},
	{"release-it", "", "", Publish, Release},
	{"restic", "forget|key", "list", Infra, VerbDestroy},
	{"semantic-release", "", "", Publish, Release},
	{"sequelize", "db:drop|db:migrate:undo:all", "", Database, DropData},
	{"sequelize-cli", "db:drop|db:migrate:undo:all", "", Database, DropData},
	{"skopeo", "copy|delete|sync docker://*", "", Publish, Release},
	{"splunk", "clean|remove", "", Database, DropData},
	{"sqlx", "database|db drop|reset", "", Database, DropData},
	{"stripe", "--live", "listen logs list retrieve", Infra, Prod},
	{"stripe", "api_keys roll", "", Infra, Account},
	{"typeorm", "schema:drop", "", Database, DropData},
	{"vercel", "--prod|--production|promote|rollback", "ls list logs inspect", Infra, Prod},
	{"virsh", "undefine|vol-delete|pool-delete|snapshot-delete", "", Infra, Destroy},
	{"vsce", "publish|unpublish", "", Publish, Release},
	{"wasm-pack", "publish", "", Publish, Release},
	{"wp", "db reset|drop|clean|import", "", Database, DropData},
	{"wrangler", "rollback", "", Infra, Prod},
}

// tools adds what toolDeeds says about a command, under whatever runner it is started.
func (r *reader) tools(c *shell.Command) {
	name, args := started(c)
	i := sort.Search(len(toolDeeds), func(i int) bool { return toolDeeds[i].program >= name })
	for ; i < len(toolDeeds) && toolDeeds[i].program == name; i++ {
		d := &toolDeeds[i]
		if !d.stands(args) {
			continue
		}
		if ws := words(args); dry(ws) || d.kind == Database && testData(c, ws) {
			return
		}
		r.changes = true
		how := d.found(args)
		r.add(Act{Kind: d.kind, Tag: d.tag, Program: name, Place: d.place(), Target: d.subject(args, how), How: clip(how, 40)})
		return
	}
	if in(name, migrators) && liveData(c, args) {
		r.add(Act{Kind: Database, Tag: Prod, Program: name, How: "migrates the production database"})
	}
}

// migrators change the shape of a database; where the environment says that it is the live one, that is worth a question.
const migrators = "rails rake artisan manage.py prisma knex sequelize sequelize-cli typeorm alembic flyway liquibase mix goose dbmate drizzle-kit"

// liveData: the command migrates, and its environment is production.
func liveData(c *shell.Command, args []shell.Word) bool {
	live := false
	for _, e := range c.Env {
		name, val, _ := strings.Cut(e.Text, "=")
		live = live || strings.HasSuffix(name, "_ENV") && prod(val)
	}
	moves := false
	for i, a := range args {
		low := strings.ToLower(a.Text)
		live = live || strings.HasPrefix(low, "--env=") && prod(low[6:]) || i > 0 && args[i-1].Text == "--env" && prod(low)
		moves = moves || strings.Contains(low, "migrate") || strings.Contains(low, "upgrade") || strings.Contains(low, "seed")
	}
	return live && moves && !dry(words(args))
}

// place: what is published goes elsewhere.
func (d *deed) place() Place {
	if d.kind == Publish {
		return Remote
	}
	return Nowhere
}

// found are the words among the arguments that made the deed stand.
func (d *deed) found(args []shell.Word) string {
	var out []string
	rest := d.words
	for _, a := range args {
		want, after, _ := strings.Cut(rest, " ")
		if want != "" && oneOf(a.Text, want) {
			out, rest = append(out, a.Text), after
		}
	}
	return strings.Join(out, " ")
}

// subject is what a reason calls the thing: a secret's store, or the last word that is no flag and not told as the verb.
func (d *deed) subject(args []shell.Word, how string) string {
	if d.tag == KeyFile {
		return "what " + d.program + " keeps"
	}
	if n := len(args); n > 0 && !strings.HasPrefix(args[n-1].Text, "-") && !strings.HasSuffix(how, args[n-1].Text) {
		return clip(args[n-1].Text, 60)
	}
	return ""
}

// started gives the program that a runner starts and its arguments: php artisan, python manage.py, npx prisma,
// pnpm prisma; for all other commands the command itself.
func started(c *shell.Command) (string, []shell.Word) {
	args := c.Args
	switch c.Name {
	case "php", "python", "python3", "ruby", "node":
		if len(args) > 1 && args[0].Text == "-m" {
			args = args[1:]
		}
	case "bundle":
		if len(args) > 1 && args[0].Text == "exec" {
			args = args[1:]
		}
	case "npx", "pnpx", "bunx", "pnpm", "yarn", "bun":
		for len(args) > 1 && (strings.HasPrefix(args[0].Text, "-") || in(args[0].Text, "exec dlx x")) {
			args = args[1:]
		}
	default:
		return c.Name, args
	}
	if len(args) == 0 || strings.HasPrefix(args[0].Text, "-") {
		return c.Name, c.Args
	}
	name := args[0].Text
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	if i := strings.IndexByte(name, '@'); i > 0 {
		name = name[:i] // prisma@5
	}
	if in(name, "publish") { // yarn publish is the package manager's own verb
		return c.Name, c.Args
	}
	return name, args[1:]
}

// testData: the command is for the database that tests make and throw away.
func testData(c *shell.Command, ws []string) bool {
	for _, e := range c.Env {
		if isTestEnv(e.Text) {
			return true
		}
	}
	for i, w := range ws {
		if isTestEnv(w) || i > 0 && in(ws[i-1], "-e --env --environment") && in(w, "test testing ci") {
			return true
		}
	}
	return false
}

// isTestEnv: NAME_ENV=test, --env=testing.
func isTestEnv(s string) bool {
	name, val, ok := strings.Cut(s, "=")
	return ok && in(val, "test testing ci") && strings.HasSuffix(strings.ToLower(name), "env")
}
