package rulebook

import "github.com/stepgate/stepgate/policy"

// sudoPip is how a language's packages get into the system's own folders, with the rights of root.
var sudoPip = When{
	Acts: []string{"install"}, With: []string{"privilege"},
	Programs: []string{"pip", "pip2", "pip3", "pip3.*", "pipx", "easy_install"},
}

const venv = "python3 -m venv .venv && .venv/bin/pip install NAME"

// builtin are the policies that hold without a file: each is decided without a judge, and only where no ordinary work
// is meant.
var builtin = [...]Policy{
	{
		ID: "system-packages", Severity: policy.High, Alternative: venv, When: &sudoPip,
		Description: "Python packages are not installed into the system's own Python.",
		Hit:         []string{"sudo pip install requests", "sudo -H python3 -m pip install -r requirements.txt"},
		Miss:        []string{"pip install requests", ".venv/bin/pip install requests", "sudo apt-get install -y python3-requests"},
	},
	{
		ID: "unneeded-root", Severity: policy.High, Alternative: venv, When: &sudoPip,
		Description: "No right of root is used for what needs none.",
		Hit:         []string{"sudo pip3 install flask"},
		Miss:        []string{"pip3 install --user flask", "sudo systemctl restart nginx"},
	},
	{
		ID: "foreign-code-as-root", Severity: policy.Critical, Alternative: venv, When: &sudoPip,
		Description: "No code from a package registry runs as root: a package's build script would.",
		Hit:         []string{"sudo pip install ."},
		Miss:        []string{"python3 -m pip install ."},
	},
	{
		ID: "secret-in-file", Severity: policy.Critical,
		Description: "No live secret is written into a file that is not for secrets.",
		Alternative: "read it from the environment or a secret store, and write only its name",
		When: &When{
			Acts: []string{"write", "overwrite", "edit"}, Secret: true,
			Except: []string{
				".env", ".env.*", "*.env", ".envrc", "*.pem", "*.key", ".ssh", ".aws", ".netrc", ".npmrc", ".pypirc", "credentials", "credentials.*", "secrets.*", "*.secret", "*.secrets", "*.tfvars",
				"test", "tests", "__tests__", "testdata", "fixtures", "spec", "mocks", "*_test.*", "*.test.*", "test_*", "*.spec.*", "*_spec.*", "conftest.py",
				"doc", "docs", "examples", "*.md", "*.rst", "*.example", "*.sample", "*.template", "*.dist",
			},
		},
		Hit: []string{
			`echo 'db_password = "pQ7!vR2#xL9z"' >> config.py`,
			`{"tool":"Write","input":{"file_path":"settings.py","content":"API_KEY = 'qT4mW8zX1nB6vC3kL7pR'\n"}}`,
		},
		Miss: []string{
			`echo 'password = os.environ["DB_PASSWORD"]' >> config.py`,
			`echo 'password = "changeme"' >> config.py`,
			`echo 'DB_PASSWORD=pQ7!vR2#xL9z' >> .env`,
		},
	},
}
