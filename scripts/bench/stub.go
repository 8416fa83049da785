package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
)

// newJudge starts a server on loopback that gives a clean answer to every question, and counts requests.
func newJudge() (*httptest.Server, *atomic.Int64) {
	var asked atomic.Int64
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil || r.Method != http.MethodPost {
			http.Error(w, "POST a request", http.StatusBadRequest)
			return
		}
		asked.Add(1)
		answer, err := cleanAnswer(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer) // a client that is gone misses it
	})), &asked
}

// cleanAnswer answers no to each yes/no question, the best level to each score and the first option to each choice.
func cleanAnswer(body []byte) ([]byte, error) {
	var req struct {
		Questions map[string]struct {
			Type     string
			Criteria json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, err
	}
	answers := map[string]any{}
	for name, q := range req.Questions {
		switch q.Type {
		case "noul":
			answers[name] = map[string]any{"type": "noul", "noul": .05}
		case "score":
			answers[name] = map[string]any{
				"type": "score", "score": 4, "confidence": .8,
				"legend":        map[string]string{"0": "0", "1": "1", "2": "2", "3": "3", "4": "4"},
				"probabilities": map[string]float64{"0": 0, "1": 0, "2": 0, "3": 0, "4": 1},
			}
		case "choice":
			var options map[string]any
			if err := json.Unmarshal(q.Criteria, &options); err != nil {
				return nil, err
			}
			p := map[string]float64{}
			choice := ""
			for o := range options {
				if choice == "" || o < choice {
					choice = o
				}
				p[o] = 0
			}
			p[choice] = 1
			answers[name] = map[string]any{"type": "choice", "choice": choice, "confidence": .8, "probabilities": p}
		}
	}
	return json.Marshal(map[string]any{
		"model": "stub", "answers": answers, "usage": map[string]int{"input_tokens": 800, "output_tokens": 60},
	})
}
