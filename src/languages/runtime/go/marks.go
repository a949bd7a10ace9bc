package main

import (
	"regexp"
	"strconv"
	"strings"
)

// mark is what a test binary says about a test between other output: "=== RUN", "--- FAIL: TestX (0.01s)", …
type mark struct {
	// RUN, PAUSE, CONT, NAME, PASS, FAIL, SKIP; END for the last line of a whole run.
	kind    string
	name    string
	seconds float64
}

var (
	statusLine = regexp.MustCompile(`^\s*--- (PASS|FAIL|SKIP|BENCH): (.+) \(([0-9.]+)s\)$`)
	noteLine   = regexp.MustCompile(`^=== (RUN|PAUSE|CONT|NAME|ATTR)\s*(\S*)`)
)

const framing = "\x16"

func readMark(line string) (mark, bool) {
	if match := noteLine.FindStringSubmatch(line); match != nil {
		return mark{kind: match[1], name: match[2]}, true
	}
	if match := statusLine.FindStringSubmatch(line); match != nil {
		seconds, _ := strconv.ParseFloat(match[3], 64)
		return mark{kind: match[1], name: match[2], seconds: seconds}, true
	}
	if line == "PASS" || line == "FAIL" {
		return mark{kind: "END", name: line}, true
	}
	return mark{}, false
}

// piece is a part of a line; a framed one stood behind the byte that test binaries put before marks.
type piece struct {
	text   string
	framed bool
}

// splitFramed takes a line apart at that byte, which may come in the middle of what a test prints.
func splitFramed(line string) []piece {
	if !strings.Contains(line, framing) {
		return []piece{{text: line}}
	}
	pieces := []piece{}
	for index, text := range strings.Split(line, framing) {
		// A framed status line is indented before the byte.
		if index > 0 || strings.TrimSpace(text) != "" {
			pieces = append(pieces, piece{text: text, framed: index > 0})
		}
	}
	return pieces
}

// parentOf is the test that started a subtest: "" for a test of its own. A subtest's own name may hold slashes, so that it
// is the longest known name.
func parentOf(name string, known func(string) bool) string {
	for at := strings.LastIndex(name, "/"); at > 0; at = strings.LastIndex(name[:at], "/") {
		if known(name[:at]) {
			return name[:at]
		}
	}
	return ""
}

func topOf(name string) string {
	return strings.SplitN(name, "/", 2)[0]
}
