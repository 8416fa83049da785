package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// form is what the forms of its rows do. A row is a program and the words that must stand among its arguments, in this
// order: alternatives are parted by |, one that ends in * is the beginning of a word, one that begins with * stands
// anywhere in it. With a word behind ! among the arguments the row is silent. A row begins a line and ends it.
type form struct {
	kind ActKind
	tag  Tag
	rows string
}

// forms are those of tools that reach a database, a cloud, a registry or a deployment, where neither a reader of their
// own nor the grammar of verbs sees what they do. The words are those of the tools' manuals. A rehearsal (--dry-run) and
// a test database are silent.
var forms = [...]form{
	{Database, DropData, `
airflow db reset|clean
alembic downgrade base !--sql
artisan migrate:fresh|migrate:reset|migrate:refresh|db:wipe
console doctrine:database:drop|doctrine:schema:drop
convex data clear
dbmate drop
diesel database reset
doctrine schema:drop|*schema-tool:drop
dotnet ef database drop
drizzle-kit drop
drush sql:drop|sql-drop|site:install|site-install
etcdctl del
flyway clean
goose reset|down-to
hasura metadata clear
heroku pg:copy|pg:promote|pg:backups:restore|pg:killall
kafka-consumer-groups --reset-offsets|--delete-offsets|--delete
kafka-consumer-groups.sh --reset-offsets|--delete-offsets|--delete
knex migrate:rollback --all
liquibase drop-all|dropall|drop-all-sql
manage.py flush|reset_db|sqlflush
manage.py migrate zero !--plan
migrate drop
mix ecto.drop|ecto.reset
mongorestore --drop
pg_restore --clean|-c !-l !--list
prisma db push --force-reset|--accept-data-loss
prisma migrate reset
rabbitmqctl force_reset|reset|purge_queue|delete_vhost|delete_user
rails db:drop|db:drop:all|db:reset|db:schema:load|db:structure:load|db:migrate:reset|db:purge|db:truncate_all
rake db:drop|db:drop:all|db:reset|db:schema:load|db:structure:load|db:migrate:reset|db:purge|db:truncate_all
sequelize db:drop|db:migrate:undo:all
sequelize-cli db:drop|db:migrate:undo:all
splunk clean|remove
sqlx database|db drop|reset
typeorm schema:drop
wp db reset|drop|clean|import
`},
	{Publish, Release, `
changeset publish
crane push|copy|delete
deno publish
docker build|bake --push
dotnet nuget push|delete
eas submit
fastlane deliver|release|supply|upload_to_app_store|upload_to_play_store
flit publish
gradle publish|*:publish|publishPlugins|publishAllPublicationsToMavenRepository|publishToSonatype|uploadArchives
gradlew publish|*:publish|publishPlugins|publishAllPublicationsToMavenRepository|publishToSonatype|uploadArchives
hatch publish
helm push
ko publish|apply
lerna publish
mix hex.publish
mvn deploy|release:perform
mvnw deploy|release:perform
npm dist-tag|dist-tags add|rm|set
nx release
oras push|copy
ovsx publish
pdm publish
pod trunk push|delete|deprecate
release-it
semantic-release
skopeo copy|delete|sync docker://*
vsce publish|unpublish
wasm-pack publish
`},
	{Send, Attack, `
arp-scan
crackmapexec
enum4linux
ffuf
gobuster
hydra
kerbrute
masscan
medusa -h|-H|-u
msfconsole
nbtscan
ncrack
netdiscover
netexec
nikto
nmap !localhost !127.0.0.1 !::1 !-V
nxc
responder
sqlmap
wfuzz
wpscan
zmap
`},
	{Infra, VerbDestroy, `
airflow dags|pools|variables|connections|users delete
apt purge|--purge !-s !autoremove
apt-get purge|--purge !-s !autoremove
aws route53 change-resource-record-sets
aws sns unsubscribe
borg compact|recreate|rdelete|repo-delete|break-lock
brew uninstall|remove|rm --zap
circleci context remove-secret|store-secret
grafana-cli plugins uninstall|remove
nsupdate
restic forget|key !list
`},
	{Infra, Destroy, `
ansible -a *-rf|*reboot|*shutdown|*state=absent|*mkfs|*drop
aws ec2 release-address
aws kms schedule-key-deletion|disable-key
helm uninstall|delete|del|un !repo !plugin !registry
kubectl apply --prune
kubectl taint *NoExecute
railway down|delete
virsh undefine|vol-delete|pool-delete|snapshot-delete
`},
	{Infra, Prod, `
ansible-playbook *prod|*production|*prd !--list-hosts !--list-tasks !--syntax-check
dbt run|build --full-refresh *prod
fastly version activate
firebase deploy --only *firestore:rules|*storage|*database
stripe --live !listen !logs !list !retrieve
vercel --prod|--production|promote|rollback !ls !list !logs !inspect
wrangler rollback
`},
	{Install, Unchecked, `
apt --allow-unauthenticated|--force-yes
apt-get --allow-unauthenticated|--force-yes
dnf --nogpgcheck|--setopt=gpgcheck=0
yum --nogpgcheck|--setopt=gpgcheck=0
zypper --no-gpg-checks
`},
	{Infra, Account, `
cargo owner --add|--remove|-a|-r
elasticsearch-reset-password
gsutil iam|acl ch|set
stripe api_keys roll
`},
	{Execute, Attack, `
hashcat
john
linpeas.sh
msfvenom
`},
	{Secret, Capture, `
pbpaste
wl-paste
xclip -o|-out
xsel -o|--output
`},
	{Spawn, Unasked, `
aider --yes-always
amp --dangerously-allow-all
auggie --dangerously-skip-permissions
claude --dangerously-skip-permissions|--allow-dangerously-skip-permissions|bypassPermissions|--permission-mode=bypassPermissions
claude-code --dangerously-skip-permissions|bypassPermissions
codex --dangerously-bypass-approvals-and-sandbox|--yolo|danger-full-access|--sandbox=danger-full-access
copilot --allow-all-tools|--allow-all|--yolo
cursor-agent -f|--force|--yolo
droid --skip-permissions-unsafe
gemini --yolo|-y|yolo|--approval-mode=yolo
opencode --dangerously-skip-permissions
qwen --yolo|-y|yolo|--approval-mode=yolo
`},
	{Infra, Unreviewed, `
cdk deploy never|--require-approval=never
deck gateway sync|reset
deck sync|reset
`},
	{Delete, VerbDestroy, `
gsutil rsync -d|-rd|-dr !-n
mc mirror --remove
rclone sync|deletefile|cleanup|dedupe|rmdirs|move !-n !--interactive !-i
`},
	{Publish, Account, `
npm access public|restricted|grant|revoke|set
npm owner|author add|rm
npm token create|revoke|delete
`},
	{Kill, KillMany, `
pm2 delete|del|kill|stop all
pm2 kill
`},
	{Install, RemotePkg, `
brew install http*
`},
	{Execute, Defence, `
swapoff -a
`},
	{Publish, SkipHooks, `
gh pr merge --admin
`},
	{Secret, KeyFile, `
kubectl get secret|secrets|*secret/ -oyaml|-ojson|yaml|json|*jsonpath|*template|-o=yaml|-o=json
`},
	{Infra, Attack, `
stratus detonate|warmup
`},
	{Infra, Deploy, `
amplify publish|push
ansible-playbook !--check !-C !--list-hosts !--list-tasks !--list-tags !--syntax-check
apprunner deploy
argocd app sync|rollback|set|create|patch
aws amplify start-deployment|start-job
aws apprunner start-deployment|update-service|create-service
aws autoscaling start-instance-refresh
aws cloudformation deploy|create-stack|update-stack|execute-change-set|create-stack-set|update-stack-set
aws cloudfront create-invalidation|update-distribution
aws codepipeline start-pipeline-execution
aws deploy create-deployment
aws ecs update-service|create-service|run-task|deploy
aws eks update-addon|create-addon|update-nodegroup-version|update-cluster-version
aws elasticbeanstalk update-environment|create-environment|swap-environment-cnames
aws lambda update-function-code|publish-version|update-alias|update-function-configuration|create-function
az containerapp|webapp|functionapp|spring|staticwebapp|logicapp up|deploy|deployment|update|restart|create|swap|publish !list !show
az deployment create !what-if
bx deploy
cap deploy|production|staging|*:deploy !deploy:check
cdk deploy|import|watch
cdktf deploy|apply
cf push|restage|restart|deploy
chalice deploy
clever deploy|restart
convex deploy
copilot deploy
deployctl deploy
devspace deploy
docker service update|create|scale|rollback
docker stack deploy|up
doctl apps create-deployment|update|create
doctl serverless deploy
dokku ps:rebuild|ps:restart|git:sync|git:from-image|deploy
eas update|submit
eb deploy|swap|create|clone
expo publish
fastly compute publish|deploy
fastly version activate
firebase deploy|hosting:clone|hosting:channel:deploy
fission fn|function update|create
flux reconcile|resume
fly deploy|launch|m|machine|machines|scale|restart|releases !list !ls !status !show !logs
flyctl deploy|launch|machine|machines|scale|restart|releases !list !ls !status !show !logs
gcloud deploy|update-traffic|set-iam-policy|rolling-action|promote|migrate !list !describe !describe-traffic
gcloud run|functions|app|deploy services|jobs|versions|releases update|replace|create|execute|start|stop
gh workflow run *deploy|*release|*publish|*production
gh-pages -d|--dist
git push heroku|dokku|production|prod|live|piku|clever|scalingo|platform
glab ci|pipeline run|trigger
helm upgrade|install|rollback|uninstall
helmfile apply|sync|destroy
heroku container:release|builds:create|releases:rollback|rollback|pipelines:promote|ps:restart|restart|ps:scale|ps:stop
hugo deploy
ionic deploy
jf rt upload|u
kamal deploy|redeploy|rollback|setup|app|env|upgrade
kapp deploy|app-change
kn service create|update|apply
kubectl apply|create|patch|replace|scale|set|edit|autoscale|expose|run|annotate|label
kubectl rollout restart|undo|pause|resume
mike deploy
mkdocs gh-deploy
modal deploy
netlify deploy|build:trigger|sites:create
nomad job|run|deployment run|promote|revert|*.nomad|*.hcl
oc apply|create|patch|replace|rollout|new-app|start-build|set !status !history
okteto deploy|up|pipeline
opentofu apply
platform push|environment:push|deploy
pm2 deploy
porter apply|update
pulumi up|update|refresh|import
railway up|redeploy|deploy
render deploys|services create|restart
sam deploy|sync
scalingo deploy|restart
serverless deploy|rollback
skaffold run|deploy
sls deploy|rollback
spin deploy
sst deploy
supabase functions|db deploy|push
surge
terraform apply|import
terragrunt apply|run-all
tk apply
tofu apply
upsun push|deploy
vercel !ls !list !logs !inspect !env !dev !build !link !login !logout !whoami !pull !help !domains !dns !certs !projects !project !teams !switch !git !init !telemetry
vercel deploy|redeploy|alias
waypoint up|deploy|release
werf converge
wrangler deploy|publish
wrangler pages deploy|publish
wrangler versions deploy|upload
zappa deploy|update|rollback
`},
}

// tools adds what the forms say about a command, under whatever runner it is started.
func (r *reader) tools(c *shell.Command) {
	name, args := started(c)
	r.uploads(c, name, args)
	r.stored(c, name, args)
	r.serves(c, name, args)
	r.clearRegistry(c)
	for i := range forms {
		f := &forms[i]
		how, ok := f.stands(name, args)
		if !ok {
			continue
		}
		if ws := words(args); dry(ws) || f.kind == Database && testData(c, ws) {
			return
		}
		r.changes = true
		a := Act{Kind: f.kind, Tag: f.tag, Program: name, Target: subject(args, how), How: clip(how, 40)}
		switch {
		case f.kind == Infra && f.tag == Destroy && throwaway(words(args)):
			a.Tag, a.Target = "", ""
		case f.kind == Publish:
			a.Place = Remote
		case f.tag == KeyFile:
			a.Target = "what " + name + " keeps"
		case f.tag == Deploy && in(name, "terraform tofu opentofu") && r.localCloud(c):
			a.Tag = ""
		case f.tag == Deploy:
			a.Target = stage(words(args))
		}
		r.add(a)
		return
	}
	r.deploys(c, name, args)
	if in(name, migrators) && liveData(c, args) {
		r.add(Act{Kind: Database, Tag: Prod, Program: name, How: "migrates the production database"})
	}
}

// stands looks for a row of the program whose words stand among the arguments, and gives those words.
func (f *form) stands(name string, args []shell.Word) (how string, ok bool) {
	for from := 1; name != ""; from += len(name) {
		i := strings.Index(f.rows[from:], name)
		if i < 0 {
			break
		}
		from += i
		row, _, _ := strings.Cut(f.rows[from+len(name):], "\n")
		if f.rows[from-1] == '\n' && (row == "" || row[0] == ' ') {
			if how, ok = matches(row, args); ok {
				return how, true
			}
		}
	}
	return "", false
}

// matches compares the words of a row with a command's arguments.
func matches(row string, args []shell.Word) (how string, ok bool) {
	at := 0
	for want := range strings.FieldsSeq(row) {
		no := want[0] == '!'
		from := at
		if no {
			want, from = want[1:], 0
		}
		i := from
		for i < len(args) && !oneOf(args[i].Text, want) {
			i++
		}
		if no != (i == len(args)) {
			return "", false
		}
		if !no {
			how, at = how+" "+args[i].Text, i+1
		}
	}
	return strings.TrimPrefix(how, " "), true
}

// subject is what a reason calls the thing: the last word that is no flag and is not told as the verb.
func subject(args []shell.Word, how string) string {
	if n := len(args); n > 0 && !strings.HasPrefix(args[n-1].Text, "-") && !strings.HasSuffix(how, args[n-1].Text) {
		return clip(args[n-1].Text, 60)
	}
	return ""
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
		if isTestEnv(w) || i > 0 && (in(ws[i-1], "-e --env --environment") && in(w, "test testing ci") || ws[i-1] == "--context" && trialName(w)) {
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
