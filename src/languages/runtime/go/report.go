package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

type key struct {
	Package string `json:"package"`
	Target  string `json:"target"`
	Name    string `json:"name"`
}

type frame struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function,omitempty"`
}

type failure struct {
	Type    string  `json:"type"`
	Message string  `json:"message"`
	Frames  []frame `json:"frames"`
	Text    string  `json:"text"`
}

// output takes whole lines.
type output interface {
	WriteString(text string) (int, error)
	Close() error
}

// report sends JSON lines through the run's channel, or with candidates appends them to a file of its own; each at once, so that a
// killed run keeps what it had.
type report struct {
	mutex  sync.Mutex
	file   output
	counts map[string]int
}

func openReport(r *request, name string) (*report, error) {
	if len(r.Candidates) == 0 {
		made, err := openChannel(r, name)
		return &report{file: made, counts: map[string]int{}}, err
	}
	for number := 1; ; number++ {
		path := filepath.Join(r.Report, fmt.Sprintf("%s-%d-%d.jsonl", name, os.Getpid(), number))
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err == nil {
			return &report{file: file, counts: map[string]int{}}, nil
		}
		if !os.IsExist(err) {
			return nil, err
		}
	}
}

func (r *report) write(event interface{}) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(event); err != nil {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	_, _ = r.file.WriteString(text.String())
}

func (r *report) start() {
	r.write(map[string]interface{}{"event": "run-started", "framework": "go-test"})
}

func (r *report) found(tests []key) {
	for start := 0; start < len(tests); start += 500 {
		end := start + 500
		if end > len(tests) {
			end = len(tests)
		}
		r.write(map[string]interface{}{"event": "tests-found", "tests": tests[start:end]})
	}
}

func (r *report) started(test key) {
	r.write(struct {
		Event string `json:"event"`
		Test  key    `json:"test"`
	}{"test-started", test})
}

func (r *report) ended(test key, status string, durationMs float64, why *failure) {
	r.mutex.Lock()
	r.counts[status]++
	r.mutex.Unlock()
	if status != "failed" && status != "errored" {
		why = nil
	}
	if why != nil && why.Frames == nil {
		// A list without members is no null.
		copied := *why
		copied.Frames = []frame{}
		why = &copied
	}
	r.write(struct {
		Event      string   `json:"event"`
		Test       key      `json:"test"`
		Status     string   `json:"status"`
		DurationMs float64  `json:"durationMs"`
		Failure    *failure `json:"failure,omitempty"`
	}{"test-ended", test, status, durationMs, why})
}

func (r *report) targetFailed(pkg string, target string, why *failure) {
	r.write(map[string]interface{}{"event": "target-failed", "package": pkg, "target": target, "failure": why})
}

func (r *report) coverage(test key, lines map[string]string) {
	r.write(map[string]interface{}{"event": "coverage", "test": test, "lines": lines})
}

func (r *report) end() {
	r.write(map[string]interface{}{"event": "run-ended", "counts": r.counts})
	_ = r.file.Close()
}

const longestText = 4000

func shorten(text string) string {
	text = strings.ToValidUTF8(text, "�")
	if len(text) <= longestText {
		return text
	}
	half := longestText / 2
	return strings.ToValidUTF8(text[:half], "") + "\n[…]\n" + strings.ToValidUTF8(text[len(text)-half:], "")
}
