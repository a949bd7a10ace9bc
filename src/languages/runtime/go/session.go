package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// session is one start of a test binary: which tests run, what they print, and which of them it was that ended it.
type session struct {
	at    place
	limit time.Duration
	// Asked now and then; true where the run is to end for a reason of its own.
	stop func() bool

	onStart func(name string)
	onEnd   func(name string, status string, seconds float64, why *failure)

	running map[string]time.Time
	paused  map[string]bool
	failed  map[string]*failure
	output  map[string][]string
	// Failed tests whose end may be the first sign of a panic.
	held     []mark
	current  string
	tail     []string
	lastMark time.Time
	started  int
	finished bool
	culprits []string
	// How each test ended, by the last mark that says so.
	ends map[string]string
	// Of a test that ended in two ways.
	contradiction string
}

const (
	mostLinesOfTest = 400
	mostLinesOfTail = 20000
	// A test binary that takes more is ended: a loop that allocates takes the whole sandbox otherwise.
	mostMemory = 2 << 30
)

// Why a session was ended from outside.
const (
	stopAsked   = "asked"
	stopTimeout = "timeout"
	stopMemory  = "memory"
)

func (s *session) begin() {
	s.running, s.paused = map[string]time.Time{}, map[string]bool{}
	s.failed, s.output = map[string]*failure{}, map[string][]string{}
	s.ends = map[string]string{}
	s.lastMark = time.Now()
}

func (s *session) mark(m mark) {
	s.lastMark = time.Now()
	if m.kind != "FAIL" {
		s.flush()
		s.tail = nil
	}
	for name := parentOf(m.name, s.isRunning); name != ""; name = parentOf(name, s.isRunning) {
		s.running[name] = s.lastMark
	}
	s.noteEnd(m)
	switch m.kind {
	case "RUN":
		s.started++
		s.running[m.name] = s.lastMark
		s.current = m.name
		s.onStart(m.name)
	case "PAUSE":
		delete(s.running, m.name)
		s.paused[m.name] = true
	case "CONT", "NAME":
		s.current = m.name
		if s.paused[m.name] {
			delete(s.paused, m.name)
			s.running[m.name] = s.lastMark
		}
	case "FAIL":
		delete(s.running, m.name)
		s.held = append(s.held, m)
		s.current = m.name
	case "PASS", "SKIP":
		delete(s.running, m.name)
		s.onEnd(m.name, map[string]string{"PASS": "passed", "SKIP": "skipped"}[m.kind], m.seconds, nil)
		delete(s.output, m.name)
	case "END":
		s.finished = true
	}
}

// noteEnd finds the test for which code under test spoke before the framework did.
func (s *session) noteEnd(m mark) {
	if m.kind != "PASS" && m.kind != "FAIL" && m.kind != "SKIP" {
		return
	}
	if before, known := s.ends[m.name]; known && before != m.kind {
		s.contradiction = fmt.Sprintf("%s was said to end with %s and with %s", m.name, before, m.kind)
	}
	s.ends[m.name] = m.kind
}

func (s *session) isRunning(name string) bool {
	_, running := s.running[name]
	return running
}

func (s *session) line(text string) {
	if len(s.output[s.current]) < mostLinesOfTest {
		s.output[s.current] = append(s.output[s.current], text)
	}
	if len(s.tail) < mostLinesOfTail {
		s.tail = append(s.tail, text)
	}
}

// flush reports the failed tests that did not end the process.
func (s *session) flush() {
	held := s.held
	s.held = nil
	for _, m := range held {
		s.end(m, s.describe(m.name))
	}
}

func (s *session) describe(name string) *failure {
	if len(strings.TrimSpace(strings.Join(s.output[name], ""))) == 0 {
		// It failed because a test in it did: the first of them by name.
		first := ""
		for other := range s.failed {
			if strings.HasPrefix(other, name+"/") && (first == "" || other < first) {
				first = other
			}
		}
		if first != "" {
			return s.failed[first]
		}
	}
	return describeFailure(s.at, s.output[name])
}

func (s *session) end(m mark, why *failure) {
	s.failed[m.name] = why
	s.onEnd(m.name, "failed", m.seconds, why)
}

// check says whether the process has to be ended, and remembers because of which tests.
func (s *session) check(pid int) string {
	if s.stop() {
		return stopAsked
	}
	now := time.Now()
	late := s.lateLeaves(now)
	if len(late) > 0 {
		s.culprits = late
		return stopTimeout
	}
	// Nothing runs: what comes before the first test, between two, or after the last one.
	if len(s.running) == 0 && now.Sub(s.lastMark) > s.limit {
		return stopTimeout
	}
	if residentBytes(pid) > mostMemory {
		s.culprits = s.leaves()
		return stopMemory
	}
	return ""
}

// leaves are the running tests that do not only wait for others.
func (s *session) leaves() []string {
	found, waiting := []string{}, []string{}
	for name := range s.running {
		if s.hasBelow(name, s.isRunning, len(s.running)) {
			continue
		}
		isPaused := func(other string) bool { return s.paused[other] }
		if s.hasBelow(name, isPaused, len(s.paused)) {
			waiting = append(waiting, name)
		} else {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		return waiting
	}
	return found
}

func (s *session) hasBelow(name string, is func(string) bool, count int) bool {
	if count == 0 {
		return false
	}
	for other := range s.running {
		if is(other) && strings.HasPrefix(other, name+"/") {
			return true
		}
	}
	for other := range s.paused {
		if is(other) && strings.HasPrefix(other, name+"/") {
			return true
		}
	}
	return false
}

func (s *session) lateLeaves(now time.Time) []string {
	late := []string{}
	for _, name := range s.leaves() {
		if now.Sub(s.running[name]) > s.limit {
			late = append(late, name)
		}
	}
	return late
}

func residentBytes(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func keysOf(times map[string]time.Time, flags map[string]bool) []string {
	names := []string{}
	for name := range times {
		names = append(names, name)
	}
	for name := range flags {
		names = append(names, name)
	}
	return names
}
