package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// place is where a package's failures are looked up.
type place struct {
	root   string
	folder string
}

var (
	panicLine = regexp.MustCompile(`^(?:panic|fatal error): `)
	logLine   = regexp.MustCompile(`^\s+([\w.\-]+\.go):(\d+): ?(.*)$`)
	// The dump of a signal adds registers.
	traceLine   = regexp.MustCompile(`^\t(.+\.go):(\d+)(?: \+0x[0-9a-f]+)?(?: fp=0x[0-9a-f]+ sp=0x[0-9a-f]+ pc=0x[0-9a-f]+)?$`)
	callLine    = regexp.MustCompile(`^(?:created by )?([^\s(].*?)(?:\([^()]*(?:\{[^)]*)?\)|\(\.\.\.\))?(?: in goroutine \d+)?$`)
	headLine    = regexp.MustCompile(`^goroutine \d+ .*\[.*\]:$`)
	errorTrace  = regexp.MustCompile(`^\s*Error Trace:\s*(.*)$`)
	testifyLine = regexp.MustCompile(`^\s+(Error|Test|Messages):\s*(.*)$`)
	fileLine    = regexp.MustCompile(`([^\s:]+\.go):(\d+)`)
)

// describeFailure reads what a failed test printed: an assertion library's block, or the lines of t.Error and t.Fatal.
func describeFailure(at place, output []string) *failure {
	text := shorten(strings.Join(output, "\n"))
	if message, frames, isTestify := readTestify(at, output); isTestify {
		return &failure{Type: "AssertionError", Message: message, Frames: frames, Text: text}
	}
	messages := []string{}
	frames := []frame{}
	for index, line := range output {
		match := logLine.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		message := match[3]
		// The lines that go on with it are indented deeper.
		for _, next := range output[index+1:] {
			if logLine.MatchString(next) || !strings.HasPrefix(next, "        ") {
				break
			}
			message += "\n" + strings.TrimSpace(next)
		}
		messages = append(messages, message)
		if file := at.find(match[1]); file != "" && len(frames) == 0 {
			line, _ := strconv.Atoi(match[2])
			frames = append(frames, frame{File: file, Line: line})
		}
	}
	message := shorten(strings.Join(messages, "\n"))
	if len(messages) == 0 {
		message = lastLine(output, "the test failed without a message")
	}
	return &failure{Type: "AssertionError", Message: message, Frames: frames, Text: text}
}

// readTestify takes the first block apart that starts with "Error Trace:", whose calls stand innermost first.
func readTestify(at place, output []string) (string, []frame, bool) {
	start := -1
	for index, line := range output {
		if errorTrace.MatchString(line) {
			start = index
			break
		}
	}
	if start == -1 {
		return "", nil, false
	}
	frames := []frame{}
	message := []string{}
	field := "Trace"
	for _, line := range output[start:] {
		content := strings.TrimSpace(line)
		if match := testifyLine.FindStringSubmatch(line); match != nil {
			field, content = match[1], strings.TrimSpace(match[2])
		} else if strings.HasPrefix(line, "--- ") || logLine.MatchString(line) && field != "Trace" {
			break
		}
		switch field {
		case "Trace":
			if match := fileLine.FindStringSubmatch(content); match != nil {
				if file := at.find(match[1]); file != "" {
					number, _ := strconv.Atoi(match[2])
					frames = append([]frame{{File: file, Line: number}}, frames...)
				}
			}
		case "Error", "Messages":
			if content != "" {
				message = append(message, content)
			}
		}
	}
	return shorten(strings.Join(message, "\n")), frames, true
}

// find is the path of a file that output names, relative to the root: "" where there is none such.
func (at place) find(name string) string {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(at.folder, name)
		if _, err := os.Stat(path); err != nil {
			return ""
		}
	}
	return relative(at.root, path)
}

// describeDeath reads a panic or a fatal error; nil where the output holds none.
func describeDeath(at place, output []string) *failure {
	start := -1
	for index, line := range output {
		if panicLine.MatchString(line) {
			start = index
			break
		}
	}
	if start == -1 {
		return nil
	}
	tail := output[start:]
	kind, message, _ := strings.Cut(tail[0], ": ")
	message = strings.TrimSuffix(strings.TrimSuffix(message, " [recovered, repanicked]"), " [recovered]")
	for _, line := range tail[1:] {
		if line == "" || headLine.MatchString(line) || panicLine.MatchString(strings.TrimSpace(line)) {
			break
		}
		message += "\n" + line
	}
	stacks := readStacks(at, tail)
	frames := []frame{}
	if len(stacks) > 0 {
		frames = stacks[0].frames
	}
	return &failure{Type: kind, Message: shorten(message), Frames: frames, Text: shorten(strings.Join(tail, "\n"))}
}

type stack struct {
	// Outermost first.
	frames []frame
	text   string
}

// readStacks reads the goroutines of a dump. What runs the panic and what runs the tests is left out.
func readStacks(at place, lines []string) []stack {
	stacks := []stack{}
	for index := 0; index < len(lines); index++ {
		if !headLine.MatchString(lines[index]) {
			continue
		}
		found := stack{}
		end := index + 1
		for ; end < len(lines) && lines[end] != "" && !headLine.MatchString(lines[end]); end++ {
			match := traceLine.FindStringSubmatch(lines[end])
			if match == nil {
				continue
			}
			called := strings.TrimSpace(lines[end-1])
			name := called
			if named := callLine.FindStringSubmatch(called); named != nil {
				name = named[1]
			}
			if name == "panic" || strings.HasPrefix(called, "panic(") {
				// What stands before it is the handling of the panic.
				found.frames = nil
				continue
			}
			if strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "testing.") || strings.HasPrefix(called, "created by ") {
				continue
			}
			number, _ := strconv.Atoi(match[2])
			if number < 1 {
				continue
			}
			entry := frame{File: relative(at.root, match[1]), Line: number, Function: name[strings.LastIndex(name, "/")+1:]}
			found.frames = append([]frame{entry}, found.frames...)
		}
		found.text = strings.Join(lines[index:end], "\n")
		stacks = append(stacks, found)
		index = end - 1
	}
	return stacks
}

func lastLine(output []string, otherwise string) string {
	for index := len(output) - 1; index >= 0; index-- {
		if trimmed := strings.TrimSpace(output[index]); trimmed != "" {
			return shorten(trimmed)
		}
	}
	return otherwise
}
