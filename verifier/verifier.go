// Package verifier asks a judge five questions about a pending call and reads the answers strictly.
//
// A broken answer is an error, never a clean verdict. The package knows nothing of agents or of what is done with the
// answers; all free text it is given is masked.
package verifier

import (
	"context"

	"github.com/stepgate/stepgate/redact"
)

// Request is what a judge is told.
type Request struct {
	// Plan is the person's first prompt, zero when there was none; Later are up to three later prompts, oldest first.
	Plan  redact.Text   `json:"plan"`
	Later []redact.Text `json:"later_prompts,omitempty"`
	// History holds up to eight earlier calls, oldest first.
	History []Past  `json:"recent_tool_calls"`
	Call    Pending `json:"current_tool_call"`
	// Facts are what was found on disk and in git, one line each, numbers and masked names.
	Facts []redact.Text `json:"facts,omitempty"`
	// Outlook also asks what the call does to the task as a whole.
	Outlook bool `json:"outlook,omitempty"`
	// Policies are asked as further yes/no questions.
	Policies []Policy `json:"policies,omitempty"`
}

// Past is an earlier call.
type Past struct {
	Tool  string     `json:"tool"`
	Input redact.Doc `json:"args,omitzero"`
	// Outcome is "", "denied", "failed" or "skipped".
	Outcome string `json:"outcome,omitempty"`
}

// Pending is the call that is judged.
type Pending struct {
	Tool  string      `json:"tool"`
	Input redact.Doc  `json:"args"`
	CWD   redact.Text `json:"cwd,omitzero"`
	// Acts are what the call was read as, for judges that can use it.
	Acts redact.Doc `json:"acts,omitzero"`
	// Root is the project's root.
	Root redact.Text `json:"project,omitzero"`
}

// Policy is a rule in words that a judge is asked about.
type Policy struct {
	ID          string      `json:"id"`
	Description redact.Text `json:"description"`
	// Project says that the words are the project's and not the person's: they are shown as something to be judged, and
	// never stand among the instructions.
	Project bool `json:"project,omitempty"`
}

// Answers are a judge's probabilities. All lie in [0,1] but Intent.Score, which lies in [0,4].
type Answers struct {
	ContradictsPlan     float64 `json:"contradicts_plan"`
	OutOfScope          float64 `json:"out_of_scope"`
	ContradictsPrevious float64 `json:"contradicts_previous"`
	ShouldFlag          float64 `json:"should_flag"`
	Intent              Intent  `json:"intent_consistency"`
	// Trajectory is the outlook: what the call does to the task, by the names of the options.
	Trajectory map[string]float64 `json:"trajectory,omitempty"`
	// Policies are the probabilities that each asked policy would be violated.
	Policies map[string]float64 `json:"policies,omitempty"`
}

// Intent is the answer to the fifth question: 0 opposes the plan, 4 is plainly called for.
type Intent struct {
	Score         float64   `json:"score"`
	Probabilities []float64 `json:"probabilities,omitempty"`
}

// YesNo gives the four yes-probabilities with the names of their questions, in the order they are asked.
func (a Answers) YesNo(yield func(question string, p float64) bool) {
	_ = yield(ContradictsPlan, a.ContradictsPlan) &&
		yield(OutOfScope, a.OutOfScope) &&
		yield(ContradictsPrevious, a.ContradictsPrevious) &&
		yield(ShouldFlag, a.ShouldFlag)
}

// Score is the number compared with flag_above and deny_above: the highest of the four yes-probabilities.
func (a Answers) Score() float64 {
	score := 0.0
	for _, p := range a.YesNo {
		score = max(score, p)
	}
	return score
}

// Verdict is a judge's answers and where they came from.
type Verdict struct {
	Answers Answers `json:"answers"`
	// Judge is local, jev, openai or scorer; Model is the name the judge gave.
	Judge string `json:"judge"`
	Model string `json:"model,omitempty"`
	// InputTokens and OutputTokens are -1 when the judge did not say.
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
	// Why gives, for judges that can, the reason for the highest answer in a few words.
	Why redact.Text `json:"why,omitzero"`
	// RequestID is the server's id of the request.
	RequestID string `json:"request_id,omitempty"`
	// Cut says that the judge did not see all of the request: its text was shortened, so a clean answer clears nothing
	// of what was left out.
	Cut bool `json:"cut,omitempty"`
	// Note tells of a flaw in the answer that was survived, such as a score its own probabilities do not give.
	Note redact.Text `json:"note,omitzero"`
}

// Verifier is a judge.
type Verifier interface {
	Verify(ctx context.Context, r Request) (Verdict, error)
}
