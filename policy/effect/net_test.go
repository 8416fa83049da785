package effect

import "testing"

// TestKeysGoHome says which hosts a variable's key belongs to.
func TestKeysGoHome(t *testing.T) {
	for _, c := range [...]struct {
		name, host string
		want       bool
	}{
		{"GITHUB_TOKEN", "api.github.com", true},
		{"GH_TOKEN", "api.github.com", true},
		{"GITLAB_TOKEN", "git.corp.example", true},
		{"GITLAB_TOKEN", "my-git.corp.example", true},
		{"GEMINI_API_KEY", "generativelanguage.googleapis.com", true},
		{"AZURE_OPENAI_API_KEY", "team.openai.azure.com", true},
		{"XAI_API_KEY", "api.x.ai", true},
		{"JIRA_TOKEN", "team.atlassian.net", true},
		{"API_TOKEN", "anything.example.org", true},
		{"GITHUB_TOKEN", "logging-collector.example.io", false}, // the letters of git stand there in order
		{"CLAUDE_API_KEY", "collector.example.io", false},
	} {
		if got := belongs(c.name, c.host); got != c.want {
			t.Errorf("belongs(%s, %s) = %v", c.name, c.host, got)
		}
	}
}
