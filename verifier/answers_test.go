package verifier

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

const good = `{"model":"jev-1.13.0","answers":{
 "contradicts_plan":{"type":"noul","noul":0.07},"out_of_scope":{"type":"noul","noul":0.1},
 "contradicts_previous":{"type":"noul","noul":0},"should_flag":{"type":"noul","noul":1},
 "intent_consistency":{"type":"score","score":2.31,"confidence":0.58,"legend":{"0":"x"},
  "probabilities":{"0":0.02,"1":0.08,"2":0.55,"3":0.27,"4":0.08}}},
 "usage":{"input_tokens":812,"output_tokens":61}}`

func TestParseAnswers(t *testing.T) {
	v, err := ParseAnswers([]byte(good), standard())
	if err != nil {
		t.Fatal(err)
	}
	a := v.Answers
	if a.ContradictsPlan != .07 || a.OutOfScope != .1 || a.ContradictsPrevious != 0 || a.ShouldFlag != 1 || a.Intent.Score != 2.31 || a.Intent.Probabilities[2] != .55 {
		t.Errorf("answers: %+v", a)
	}
	if v.Model != "jev-1.13.0" || v.InputTokens != 812 || v.OutputTokens != 61 || !v.Note.IsZero() {
		t.Errorf("verdict: %+v", v)
	}
}

func TestParseAnswersTolerates(t *testing.T) {
	for _, c := range []struct{ name, old, new string }{
		{"no usage", `"usage":{"input_tokens":812,"output_tokens":61}`, `"other":[1]`},
		{"usage of another kind", `{"input_tokens":812,"output_tokens":61}`, `"lots"`},
		{"no confidence, no legend", `"confidence":0.58,"legend":{"0":"x"},`, ``},
		{"unknown fields", `"noul":0.07`, `"noul":0.07,"probability":"?"`},
		{"no model", `"model":"jev-1.13.0",`, ``},
		{"rounding past the range", `"noul":1}`, `"noul":1.0000000001}`},
		{"rounding below the range", `"noul":0}`, `"noul":-1e-10}`},
		{"a coarse distribution", `"0":0.02,"1":0.08,"2":0.55,"3":0.27,"4":0.08`, `"0":0.1,"1":0.1,"2":0.6,"3":0.3,"4":0.1`},
	} {
		body := strings.Replace(good, c.old, c.new, 1)
		if body == good {
			t.Fatalf("%s: the case changes nothing", c.name)
		}
		v, err := ParseAnswers([]byte(body), standard())
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, p := range []float64{v.Answers.ShouldFlag, v.Answers.ContradictsPrevious} {
			if p < 0 || p > 1 {
				t.Errorf("%s: %v is out of range", c.name, p)
			}
		}
	}
	v, err := ParseAnswers([]byte(strings.Replace(good, `"usage"`, `"u"`, 1)), standard())
	if err != nil || v.InputTokens != -1 || v.OutputTokens != -1 {
		t.Errorf("missing usage: %+v, %v", v, err)
	}
}

func TestParseAnswersRejects(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"wrong field", `"noul":0.07`, `"probability":0.07`, "contradicts_plan"},
		{"question missing", `"should_flag":{"type":"noul","noul":1},`, ``, "should_flag: is not answered"},
		{"above the range", `"noul":0.07`, `"noul":1.7`, "contradicts_plan"},
		{"below the range", `"noul":0.07`, `"noul":-0.1`, "contradicts_plan"},
		{"in quotes", `"noul":0.07`, `"noul":"0.9"`, "contradicts_plan"},
		{"null", `"noul":0.07`, `"noul":null`, "contradicts_plan"},
		{"a list", `"noul":0.07`, `"noul":[0.07]`, "contradicts_plan"},
		{"infinite", `"noul":0.07`, `"noul":1e999`, "contradicts_plan"},
		{"another case", `"noul":0.07`, `"Noul":0.07`, "contradicts_plan"},
		{"wrong type", `"type":"noul","noul":0.1`, `"type":"score","score":0.1`, "out_of_scope"},
		{"type missing", `"type":"noul","noul":0.1`, `"noul":0.1`, "out_of_scope"},
		{"answer is a number", `{"type":"noul","noul":0.1}`, `0.1`, "out_of_scope"},
		{"answer is null", `{"type":"noul","noul":0.1}`, `null`, "out_of_scope"},
		{"score above", `"score":2.31`, `"score":4.5`, "intent_consistency"},
		{"score missing", `"score":2.31,`, ``, "intent_consistency"},
		{"probabilities missing", `"probabilities"`, `"ps"`, "intent_consistency"},
		{"a list of probabilities", `{"0":0.02,"1":0.08,"2":0.55,"3":0.27,"4":0.08}`, `[0.02,0.08,0.55,0.27,0.08]`, "intent_consistency"},
		{"a level missing", `"3":0.27,`, ``, `level "3"`},
		{"sum too high", `"0":0.02`, `"0":0.12`, "sum to"},
		{"answers missing", `"answers"`, `"results"`, `"answers"`},
		{"answers of another kind", `"answers":{`, `"answers":[],"x":{`, `"answers"`},
		{"half a body", `"usage"`, ``, "not a JSON object"},
	} {
		body := strings.Replace(good, c.old, c.new, 1)
		if body == good {
			t.Fatalf("%s: the case changes nothing", c.name)
		}
		_, err := ParseAnswers([]byte(body), standard())
		if KindOf(err) != BadAnswer || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want a bad answer that names %q", c.name, err, c.want)
		}
	}
	for _, body := range []string{"", "null", "[]", `"x"`, "<html>no</html>", good + "x", good + good} {
		if _, err := ParseAnswers([]byte(body), standard()); KindOf(err) != BadAnswer {
			t.Errorf("%.20q: error %v", body, err)
		}
	}
}

func TestParseAnswersQuotesLittle(t *testing.T) {
	_, err := ParseAnswers([]byte("<html>"+strings.Repeat("long ", 1000)+"</html>"), standard())
	if err == nil || len(err.Error()) > 300 {
		t.Errorf("error of %d bytes", len(err.Error()))
	}
	if _, err = ParseAnswers(make([]byte, MaxAnswer+1), standard()); KindOf(err) != BadAnswer {
		t.Errorf("too long: %v", err)
	}
}

func TestParseAnswersTakesTheLowerScore(t *testing.T) {
	for _, c := range []struct {
		score string
		want  float64
		note  bool
	}{{"2.31", 2.31, false}, {"2.33", 2.33, false}, {"4", 2.31, true}, {"0.5", .5, true}} {
		v, err := ParseAnswers([]byte(strings.Replace(good, `"score":2.31`, `"score":`+c.score, 1)), standard())
		if err != nil || math.Abs(v.Answers.Intent.Score-c.want) > 1e-9 || v.Note.IsZero() == c.note {
			t.Errorf("score %s: got %v, note %q, error %v", c.score, v.Answers.Intent.Score, v.Note, err)
		}
	}
}

func TestParseAnswersMatchesAnyName(t *testing.T) {
	qs := Questions(Request{Policies: []Policy{{ID: "no prod. please"}, {ID: "säule.1"}}})[5:]
	v, err := ParseAnswers([]byte(`{"answers":{"policy_säule.1":{"type":"noul","noul":0.4},"policy_no prod. please":{"type":"noul","noul":0.3}}}`), qs)
	if err != nil || v.Answers.Policies["no prod. please"] != .3 || v.Answers.Policies["säule.1"] != .4 {
		t.Errorf("policies %v, error %v", v.Answers.Policies, err)
	}
}

// The outlook's answer must be whole like any other.
func TestParseOutlook(t *testing.T) {
	qs := Questions(Request{Outlook: true})[5:]
	body := `{"answers":{"trajectory":{"type":"choice","choice":"neutral","confidence":0.6,"probabilities":{"advances":0.22,"neutral":0.70,"obstacle":0.05,"irreversible":0.03}}}}`
	v, err := ParseAnswers([]byte(body), qs)
	if err != nil || len(v.Answers.Trajectory) != 4 || v.Answers.Trajectory[Irreversible] != .03 {
		t.Fatalf("trajectory %v, error %v", v.Answers.Trajectory, err)
	}
	for name, c := range map[string]struct{ old, new string }{
		"another type":      {`"choice","choice"`, `"noul","choice"`},
		"an option missing": {`,"irreversible":0.03`, ``},
		"out of range":      {`0.03`, `-0.3`},
		"text":              {`0.70`, `"0.70"`},
		"does not sum":      {`0.70`, `0.10`},
		"no distribution":   {`"probabilities":{`, `"p":{`},
	} {
		broken := strings.Replace(body, c.old, c.new, 1)
		if broken == body {
			t.Fatalf("%s: the case changes nothing", name)
		}
		if _, err := ParseAnswers([]byte(broken), qs); KindOf(err) != BadAnswer {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{"jev-1.13.0": "jev-1.13.0", "a b": "", "x\x1b[31m": "", "": "", strings.Repeat("a", 129): "", "ü": ""} {
		if got := Name(in); got != want {
			t.Errorf("Name(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestValid(t *testing.T) {
	ok := Verdict{Answers: Answers{Intent: Intent{Score: 3}, Policies: map[string]float64{"a": .1}, Trajectory: map[string]float64{Neutral: 1}}}
	r := Request{Policies: []Policy{{ID: "a"}}, Outlook: true}
	if err := ok.Valid(r); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Verdict){
		"above":          func(v *Verdict) { v.Answers.OutOfScope = 1.1 },
		"not a number":   func(v *Verdict) { v.Answers.ShouldFlag = math.NaN() },
		"score":          func(v *Verdict) { v.Answers.Intent.Score = 5 },
		"distribution":   func(v *Verdict) { v.Answers.Intent.Probabilities = []float64{2} },
		"policy missing": func(v *Verdict) { v.Answers.Policies = nil },
		"no outlook":     func(v *Verdict) { v.Answers.Trajectory = nil },
		"outlook":        func(v *Verdict) { v.Answers.Trajectory = map[string]float64{Neutral: -1} },
	} {
		v := ok
		change(&v)
		if KindOf(v.Valid(r)) != BadAnswer {
			t.Errorf("%s passes", name)
		}
	}
}

// FuzzParseAnswers: whatever a server says, a verdict without an error holds only numbers in range, one for each question.
func FuzzParseAnswers(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(`{"answers":{}}`))
	f.Add([]byte(strings.Replace(good, "0.07", "1e-400", 1)))
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := ParseAnswers(body, standard())
		if err != nil {
			if KindOf(err) != BadAnswer || len(err.Error()) > 2000 {
				t.Errorf("error of kind %q and %d bytes", KindOf(err), len(err.Error()))
			}
			return
		}
		if err := v.Valid(Request{}); err != nil {
			t.Errorf("accepted, but: %v", err)
		}
		if len(v.Answers.Intent.Probabilities) != 5 || !json.Valid(body) {
			t.Error("accepted without all levels, or without being JSON")
		}
	})
}
