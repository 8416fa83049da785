package effect

import (
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
)

const trialSetup = committed + ` && mkdir -p web api rails far mixed k8s && printf 'DATABASE_URL="postgres://app:app@localhost:5432/app_dev?x=1"\nTEST_DATABASE_URL=postgres://app@127.0.0.1/app_test\n' > web/.env && cp web/.env mixed/ &&
printf 'DATABASE_URL=postgres://app@db.example.com/app_dev\nTEST_DATABASE_URL=postgres://app@db.example.com/app_test\n' > far/.env && printf 'DATABASE_URL=postgres://app@db.example.com/app\n' > mixed/.env.local && printf 'DATABASE_URL=file:./dev.db\n' > api/.env && printf 'DATABASE_URL=postgres://u@localhost/app_production\n' > k8s/.env &&
printf 'kind: Deployment\n' > k8s/deploy.yaml && printf 'kind: PersistentVolumeClaim\n' > k8s/pvc.yaml && printf '5f4dcc3b5aa765d61d8327deb882cf99\n' > hashes.txt && cp web/.env web/.env.test && cp far/.env web/.env.far && mkdir -p cloud && printf 'provider "aws" {\n  endpoints { sqs = "http://localhost:4566" }\n}\n' > cloud/main.tf && printf 'root:$6$abc$def:19000::::::\n' > accounts.txt`

// The database of tests, and what else stands on this machine for trying, is there to be thrown away. The same command
// that is aimed elsewhere is told of.
func TestTrials(t *testing.T) {
	t.Parallel()
	heeded(t, newLab(t, trialSetup), []string{
		"dropdb app", "dropdb test", "dropdb -h db.example.com app_test", "PGHOST=db.example.com dropdb app_test", "dropdb test_prod", "ssh box dropdb app_test", "dropdb $NAME", "dropdb latest", "dropdb contest",
		"psql -d app_dev -c 'drop schema public cascade'", "psql -h db.example.com app_test -c 'drop table t'", "psql postgres://u@db.example.com/app_test -c 'truncate t'", "psql 'host=db.example.com dbname=app_test' -c 'drop table t'",
		`psql app_test -c '\c app' -c 'drop table t'`, "psql app_test -c 'drop database app'", "psql app_test -c 'drop user app'", "psql app_test <<'X'\n\\c app\ndrop table t;\nX", "mysql -h127.0.0.1 -e 'drop database app'", "mysql app_test -e 'use app; drop table t'",
		"pg_restore --clean -d app x.dump", "mongosh mongodb://localhost/app --eval 'db.dropDatabase()'", `mongosh app_test --eval 'db.getSiblingDB("app").dropDatabase()'`,
		"source web/.env && psql $TEST_DATABASE_URL -c 'drop table t'", "cd far && psql $TEST_DATABASE_URL -c 'drop table t'", "cd web && psql $DATABASE_URL -c 'drop table t'",
		"goose postgres postgres://u@db.example.com/app_test reset", "cd far && npx prisma migrate reset --force", "cd mixed && npx prisma migrate reset --force", "npx prisma migrate reset --force", "cd k8s && npx prisma migrate reset --force",
		"cd web && DATABASE_URL=postgres://u@db.example.com/x npx prisma migrate reset --force", "cd web && export DATABASE_URL=postgres://u@db.example.com/x && npx prisma migrate reset --force",
		"cd web && cp ../far/.env .env && npx prisma migrate reset --force", "cd web && source ../far/.env && migrate -database $DATABASE_URL drop -f", "cd web && dotenv -e .env.live -- prisma migrate reset --force", "cd web && RAILS_ENV=production rails db:drop",
		"cd web && dotenv -e .env.far -- prisma migrate reset --force", "cd web && npx dotenv -e .env.nowhere -- prisma migrate reset --force", "terraform apply -auto-approve", "cd cloud && terraform -chdir=../far apply -auto-approve", "cd cloud && terraform -chdir=../far destroy -auto-approve", "cd cloud && terraform destroy -state=../far/x.tfstate", "kubectl --context kind-latest delete ns shop", "rmmod foo", "ssh root@box.example.com -p 2222 rmmod foo", "ssh root@localhost rmmod foo", "ssh -p 2222 root@localhost true; rmmod foo", "ssh -J box -p 2222 root@localhost rmmod foo", "apt-get purge nginx",
		"kubectl delete deploy api", "kubectl --context prod delete deploy api", "kubectl --context kind-dev delete pvc data", "kubectl --context kind-dev delete ns shop", "kubectl --context kind-dev --server https://k8s.example.com delete deploy api", "kubectl --context kind-dev delete -f k8s/pvc.yaml", "helm uninstall api --kube-context live", "kubectl --context kind-dev delete deploy,pvc -l app=x", "wp post delete --force 12",
		"sqlmap -u http://shop.example.com/?id=1", "ffuf -u http://shop.example.com/FUZZ -x http://127.0.0.1:8080 -w w", "gobuster dir -u http://localhost.example.com -w w", "sqlmap -m urls.txt -u http://localhost", "sqlmap -u http://localhost/?id=1 --os-shell",
		"john /etc/shadow", "john accounts.txt", "hashcat -m 1800 /tmp/h.txt w.txt", "tcpdump -i eth0", "tcpdump -i any", "tcpdump -w x.pcap",
	}, []string{
		"dropdb app_test", "dropdb --if-exists test_app && createdb test_app", "dropdb -h localhost -U app app_test_2", "docker compose exec -T db dropdb -U app app_test", "dropdb -h /var/run/postgresql app_test",
		"psql -h localhost -U app -d app_test -c 'drop schema public cascade; create schema public;'", "psql postgres://u:p@127.0.0.1:5433/app_test -c 'truncate t'", "psql app_test -c 'delete from t'", "psql -c 'drop database if exists app_test'",
		"mysql -h127.0.0.1 -uroot -proot -e 'DROP DATABASE IF EXISTS app_test; CREATE DATABASE app_test'", "mysqladmin drop -f app_test", "pg_restore --clean --if-exists -d app_test x.dump",
		"mongosh --quiet mongodb://localhost:27017/app_test --eval 'db.dropDatabase()'", "cd web && . ./.env && psql $TEST_DATABASE_URL -c 'truncate t'",
		"goose -dir m postgres postgres://u@localhost/app_test reset", "cd web && goose -dir m postgres $TEST_DATABASE_URL reset", "cd web && dbmate -e TEST_DATABASE_URL drop",
		"cd web && npx prisma migrate reset --force", "cd api && npx prisma db push --force-reset", "cd web && npx dotenv -e .env.test -- prisma migrate reset --force", "cd cloud && terraform apply -auto-approve", "terraform -chdir=cloud destroy -auto-approve", "ssh -p 2222 -o StrictHostKeyChecking=no root@localhost 'rmmod foo; insmod /root/foo.ko'", "kubectl --context kind-ci-e2e delete ns shop --wait=false", "sudo apt-get autoremove --purge -y", "cd web && source .env && migrate -path m -database \"$DATABASE_URL\" drop -f", "DATABASE_URL=postgres://u@localhost/app_dev npx prisma migrate reset --force",
		"kubectl --context kind-dev delete deploy api", "kubectl --context minikube delete pod -l app=api --force", "kubectl --context minikube delete deploy,svc -l app=x", "wp transient delete --all", "wp cache flush && wp rewrite flush --hard", "kubectl --context kind-dev delete -f k8s/deploy.yaml", "helm uninstall api -n dev --kube-context k3d-dev", "kubectl --context kind-dev drain kind-dev-worker --ignore-daemonsets",
		"sqlmap -u 'http://localhost:8080/?id=1' --batch --dbs", "ffuf -u http://127.0.0.1:8080/FUZZ -w w -mc 200", "gobuster dir -u http://localhost:8080 -w w", "nikto -h http://localhost:8080", "john --format=raw-md5 --wordlist=w hashes.txt", "hashcat -m 0 -a 0 hashes.txt w.txt", "tcpdump -i lo -nn port 8080",
	})
}

// The development database of a Rails project is where its configuration says.
func TestRailsAtHome(t *testing.T) {
	t.Parallel()
	heeded(t, newLab(t, committed+` && mkdir -p near/config far/config && printf 'development:\n  adapter: postgresql\n  database: blog_dev\n  host: localhost\nproduction:\n  url: postgres://u@db.example.com/blog\n' > near/config/database.yml && printf 'development:\n  host: db.example.com\n' > far/config/database.yml &&
for d in lent flow quoted round shared; do mkdir -p $d/config; done && printf 'default: &default\n  adapter: postgresql\n  host: db.example.com\ndevelopment:\n  <<: *default\n  database: blog\n' > lent/config/database.yml && printf 'development: {host: db.example.com}\n' > flow/config/database.yml &&
printf 'development:\n  "host": db.example.com\n' > quoted/config/database.yml && printf 'development: &a\n  <<: *a\n' > round/config/database.yml && printf 'default: &default\n  adapter: postgresql\n  pool: 5\ndevelopment:\n  <<: *default\n  database: blog\nproduction:\n  <<: *default\n  host: db.example.com\n' > shared/config/database.yml`), []string{
		"cd lent && bin/rails db:reset", "cd flow && bin/rails db:reset", "cd quoted && rails db:drop", "cd round && rails db:drop",
		"bin/rails db:drop", "cd far && bin/rails db:drop db:create", "cd near && RAILS_ENV=staging rails db:drop", "cd near && DATABASE_URL=postgres://u@db.example.com/x rails db:drop",
	}, []string{"cd near && bin/rails db:drop db:create", "cd near && bundle exec rake db:reset", "cd shared && rails db:reset"})
}

func TestTrialName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"app_test": true, "test_app": true, "app-test": true, "app_test_12": true, "a_tests": true, "test": false, "": false, "_": false, "test_prod": false, "contest": false, "app_test_results": false, "app": false, "test_1": false,
	} {
		if got := trialName(name); got != want {
			t.Errorf("trialName(%q) = %v, want %v", name, got, want)
		}
	}
}

// What the environment of the agent says comes before the files of the project, unless the line sources them.
func TestTrialsOfTheEnvironment(t *testing.T) {
	t.Parallel()
	l := newLab(t, trialSetup)
	for _, tt := range []struct {
		value, line string
		told        bool
	}{
		{"postgres://u@db.example.com/app", "cd web && npx prisma migrate reset --force", true},
		{"postgres://u@localhost/app_dev", "cd web && npx prisma migrate reset --force", false},
		{"postgres://u@localhost/app_dev?host=db.example.com", "cd web && npx prisma migrate reset --force", true},
		{"postgres://u@localhost/app_dev", "cd far && npx prisma migrate reset --force", false},
		{"postgres://u@localhost/app_dev", `cd far && source .env && migrate -path m -database "$DATABASE_URL" drop -f`, true},
		{"postgres://u@localhost/app_dev", `cd web && source .env && migrate -path m -database "$DATABASE_URL" drop -f`, false},
	} {
		w := l.world()
		w.Env = func(name string) (string, bool) { return tt.value, name == "DATABASE_URL" }
		if p := w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: tt.line, CWD: l.root}); told(p) != tt.told {
			t.Errorf("with DATABASE_URL=%s %q is told of: %v", tt.value, tt.line, told(p))
		}
	}
}

// A server that the environment names for the clients of PostgreSQL is no server of this machine.
func TestTrialsOnServerOfEnvironment(t *testing.T) {
	t.Parallel()
	w := newLab(t, trialSetup).world()
	w.Env = func(name string) (string, bool) { return "db.example.com", name == "PGHOST" }
	for line, want := range map[string]bool{"dropdb app_test": true, "dropdb -h localhost app_test": false} {
		if p := w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: w.Root}); told(p) != want {
			t.Errorf("%q is told of: %v", line, told(p))
		}
	}
}
