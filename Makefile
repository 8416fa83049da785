# The few commands of the daily loop; CONTRIBUTING.md says when to use which.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: build test lint bench e2e collector page docs

build: ## the programs, as they are released, into dist/
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o dist/ ./cmd/stepgate ./cmd/stepgate-hook ./cmd/stepgate-otlp

test: ## what README's quick start runs, with the race detector
	go test -race ./...

lint:
	@files=$$(gofmt -l .); test -z "$$files" || { echo "run gofmt -w on:"; echo "$$files"; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...

bench: ## the whole hook process against a program that copies stdin to stdout
	go run ./scripts/bench

e2e: ## the built hook in the real agents; skips where those are not installed
	go run ./scripts/e2e

collector: ## the export against a real OpenTelemetry collector (a module of its own; the first build takes minutes)
	cd scripts/collector && go run .

page: ## the report's page in Chromium; skips where that is not installed
	cd scripts/page && go run .

docs: ## write the generated tables of docs/ again
	go test -count=1 -run TestTables ./docs -update
