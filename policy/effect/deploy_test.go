package effect

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
)

// What brings others' service up to date is marked, by the words of the tool or by the name of what is run; what looks,
// builds, rehearses or only bears the word is not.
func TestDeploys(t *testing.T) {
	t.Parallel()
	w := plain(t)
	for name, text := range map[string]string{
		"ship.sh":      "#!/bin/sh\nkubectl apply -f k8s/\n",
		"Makefile":     "up:\n\tflyctl deploy\nbuild:\n\tgo build ./...\n",
		"package.json": `{"scripts":{"go-live":"wrangler deploy","build":"tsc"}}`,
	} {
		if err := os.WriteFile(filepath.Join(w.Root, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	deploys := func(line string) bool {
		for _, a := range w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: w.Root}).Acts {
			if a.Tag == Deploy || a.Tag == Prod || a.Tag == Unreviewed {
				return true
			}
		}
		return false
	}
	for line, want := range map[string]bool{
		"./deploy.sh production": true, "bash scripts/deploy.sh": true, "python3 tools/release.py --all": true, "./manage deploy": true,
		"node scripts/prod-deploy.js": true, "make deploy": true, "make -j4 release": true, "just ship": true, "npm run deploy:prod": true,
		"yarn deploy": true, "pnpm run release": true, "bun run deploy": true, "rake deploy": true, "mytool deploy": true,
		"flyctl deploy --remote-only": true, "gcloud run deploy api --source .": true, "gcloud app deploy -q": true, "helm upgrade --install api ./chart": true,
		"kubectl apply -f k8s/": true, "kubectl rollout restart deploy/api": true, "terraform apply": true, "vercel": true, "npx vercel": true,
		"npx wrangler deploy": true, "aws ecs update-service --cluster c --service s --force-new-deployment": true, "cap production deploy": true,
		"gh workflow run deploy.yml": true, "git push heroku main": true, "docker stack deploy -c s.yml app": true, "ansible-playbook site.yml": true,
		"pulumi up": true, "argocd app sync api": true, "nomad job run api.nomad": true, "./ship.sh": true, "make up": true, "npm run go-live": true,

		"npm test": false, "cat deploy.sh": false, "vim deploy.sh": false, "mkdir deploy": false, "cd deploy": false, "git checkout deploy": false,
		"git commit -m deploy": false, "make test": false, "make build": false, "npm run build": false, "npm run lint:deploy": false, "make release-notes": false,
		"go test ./deploy/...": false, "pytest tests/test_deploy.py": false, "./deploy.sh --dry-run": false, "bash -c 'echo deploy'": false,
		"helm lint chart": false, "helm template c": false, "helm list": false, "kubectl get deploy": false, "kubectl rollout status deploy/api": false,
		"kubectl apply -f k8s --dry-run=client": false, "docker build .": false, "docker compose up -d": false, "terraform plan": false, "vercel ls": false,
		"vercel env pull": false, "flyctl status": false, "flyctl machine list": false, "gcloud run services list": false, "gcloud deploy releases list": false,
		"gh run list": false, "gh workflow run ci.yml": false, "git push origin main": false, "ansible-playbook site.yml --check": false, "pulumi preview": false,
		"cargo build --release": false, "argocd app get api": false, "rm deploy.log": false, "grep -rn deploy src": false, "sls logs -f api": false,
	} {
		if got := deploys(line); got != want {
			t.Errorf("%q: deploys is %v, want %v", line, got, want)
		}
	}
}
