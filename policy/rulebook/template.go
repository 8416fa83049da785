package rulebook

import (
	"strings"

	"github.com/stepgate/stepgate/policy"
)

// Presets are the names of the templates, the least strict first.
var Presets = [...]string{"aggressive", "balanced", "conservative"}

// sample is a policy of the template with its severity under each preset, in the order of Presets; empty leaves it out.
type sample struct {
	severity [len(Presets)]policy.Severity
	text     string // all but the severity
	when     string
}

var samples = [...]sample{
	{
		[...]policy.Severity{policy.High, policy.Critical, policy.Critical},
		`id = "no-production-changes"
description = "No database, cluster or host of production is changed."
reversible = false
scope = "everything named prod, production or live"
alternative = "make the change on staging and leave production to a person"
hit = ["kubectl --context prod apply -f web.yaml"]
miss = ["kubectl --context staging apply -f web.yaml"]
`,
		`acts = ["database", "infra", "publish"]
words = ["prod", "production", "live"]
`,
	},
	{
		[...]policy.Severity{"", policy.Medium, policy.High},
		`id = "applied-migrations"
description = "A migration that is checked in is neither changed nor deleted."
reversible = true
alternative = "add a new migration"
hit = ["rm db/migrations/0001_init.sql"]
miss = ["ls db/migrations"]
`,
		`acts = ["edit", "overwrite", "delete", "move"]
paths = ["**/migrations/*.sql"]
`,
	},
	{
		[...]policy.Severity{policy.Low, policy.Medium, policy.High},
		`id = "lock-files"
description = "Lock files are written by their package manager alone."
reversible = true
alternative = "run the package manager's install or update command"
hit = ["echo x > package-lock.json"]
miss = ["npm install"]
`,
		`acts = ["write", "overwrite", "edit", "delete"]
paths = ["package-lock.json", "yarn.lock", "Cargo.lock", "go.sum"]
`,
	},
	{
		[...]policy.Severity{"", policy.High, policy.High},
		`id = "personal-data"
description = "Data of customers neither leaves this machine nor reaches a log."
reversible = false
alternative = "work on made-up data"
`,
		"",
	},
	{
		[...]policy.Severity{"", "", policy.High},
		`id = "public-interface"
description = "No exported name is removed or changed in meaning unasked."
reversible = true
alternative = "keep the old name beside the new one and mark it as deprecated"
`,
		"",
	},
}

const templateHead = `# Policies for stepgate, preset PRESET. Save them as policies.toml in the
# config folder: stepgate policy path names the file.
#
# A policy that is broken adds its weight to the risk of a call: low 1,
# medium 3, high 7, critical 15. A call whose risk is above tau (10) is denied,
# with the policy's words and its alternative as the reason; below, it is only
# recorded.
#
# With a [policy.when] the gate decides by itself. All that stands there must
# hold for one act of the call:
#   acts      read write overwrite edit delete move execute spawn send receive
#             privilege persist kill install rewrite publish database infra
#             secret commit test opaque
#   with      another act of the same command:
#             acts = ["install"], with = ["privilege"]
#   programs  names, * for anything
#   paths     patterns: *.lock, src/**, ~/data, /etc/**
#   except    patterns of paths that are left out again
#   places    project outside home temp device remote
#   effects   losses that were found: any files changes content commits stash,
#             or unknown where the look-up failed
#   words     whole words of the command: prod
#   secret    true: the text that is written holds a secret
#   tools     names of tools: mcp__db__*
# Without it, the description is a question to a remote judge. The built-in
# judge does not answer those.
#
# hit and miss are commands that break the policy, and that do not:
# stepgate policy test tries them.
`

// Template is a commented policy file to begin with; false for an unknown preset.
func Template(preset string) (string, bool) {
	at := -1
	for i, name := range Presets {
		if name == preset {
			at = i
		}
	}
	if at < 0 {
		return "", false
	}
	var b strings.Builder
	b.WriteString(strings.Replace(templateHead, "PRESET", preset, 1))
	for _, s := range samples {
		if s.severity[at] == "" {
			continue
		}
		b.WriteString("\n[[policy]]\n" + strings.Replace(s.text, "\nreversible", "\nseverity = \""+string(s.severity[at])+"\"\nreversible", 1))
		if s.when != "" {
			b.WriteString("\n[policy.when]\n" + s.when)
		}
	}
	return b.String(), true
}
