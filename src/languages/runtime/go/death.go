package main

import (
	"fmt"
	"strings"
)

// death is how a session ended that did not come to its end.
type death struct {
	// The tests that it is blamed on; none where nothing ran, or where it cannot be told from the others that ran.
	culprits []string
	why      *failure
	// What ran then, without the culprits.
	others []string
}

// close reports what is held, and explains the end of the process; nil where it ended as it should.
func (s *session) close(end ending) *death {
	if s.finished && end.stopped == "" {
		s.flush()
		return nil
	}
	if end.stopped == stopAsked {
		s.flush()
		return &death{others: keysOf(s.running, s.paused)}
	}
	found := &death{why: s.explain(end), culprits: s.culprits}
	if end.stopped == "" {
		found.culprits = s.blame(found.why)
	}
	if found.why.Type == "panic" && strings.HasPrefix(found.why.Message, "test timed out after ") {
		s.culprits = found.culprits
		found.why.Type, found.why.Message = "TimeoutError", "the test took longer than its time limit"
		found.why.Frames = s.framesOfCulprit()
	}
	guilty := map[string]bool{}
	for _, name := range found.culprits {
		guilty[name] = true
		s.failed[name] = found.why
	}
	for _, m := range s.held {
		// Ended by its own fault before, unless it is a culprit or one holds it.
		isAbove := false
		for name := range guilty {
			isAbove = isAbove || name == m.name || strings.HasPrefix(name, m.name+"/")
		}
		if !isAbove {
			s.end(m, s.describe(m.name))
		}
	}
	s.held = nil
	for _, name := range keysOf(s.running, s.paused) {
		if !guilty[name] {
			found.others = append(found.others, name)
		}
	}
	return found
}

// blame finds the test whose panic ended the process: the one whose failure was said last, else the only one that ran, or
// those whose functions the stack names.
func (s *session) blame(why *failure) []string {
	if len(s.held) > 0 {
		last := s.held[len(s.held)-1]
		culprit := last.name
		for _, m := range s.held {
			if topOf(m.name) == topOf(last.name) && len(m.name) > len(culprit) {
				culprit = m.name
			}
		}
		return []string{culprit}
	}
	leaves := s.leaves()
	if len(leaves) < 2 {
		return leaves
	}
	named := []string{}
	for _, name := range leaves {
		if strings.Contains(why.Text, "."+topOf(name)+"(") || strings.Contains(why.Text, "."+topOf(name)+".") {
			named = append(named, name)
		}
	}
	if len(named) == 1 {
		return named
	}
	return nil
}

func (s *session) explain(end ending) *failure {
	text := shorten(strings.Join(s.tail, "\n"))
	if end.stopped == stopTimeout || end.stopped == stopMemory {
		why := &failure{Type: "TimeoutError", Frames: s.framesOfCulprit(), Text: text}
		why.Message = fmt.Sprintf("the test took longer than %s", s.limit)
		if end.stopped == stopMemory {
			why.Type, why.Message = "MemoryError", fmt.Sprintf("the test took more than %d MiB of memory", mostMemory>>20)
		}
		return why
	}
	if why := describeDeath(s.at, s.tail); why != nil {
		return why
	}
	message := fmt.Sprintf("the test process ended with exit code %d while this test ran", end.exitCode)
	if end.exitCode < 0 {
		message = "the test process was killed by a signal while this test ran"
	}
	if last := lastLine(s.tail, ""); last != "" {
		message += ": " + last
	}
	return &failure{Type: "Crash", Message: message, Frames: []frame{}, Text: text}
}

// framesOfCulprit is the stack of the goroutine that runs the test, in the dump that the process wrote at its end.
func (s *session) framesOfCulprit() []frame {
	best, chosen := 0, []frame{}
	for _, found := range readStacks(s.at, s.tail) {
		value := 0
		for _, name := range s.culprits {
			if strings.Contains(found.text, "."+topOf(name)+"(") || strings.Contains(found.text, "."+topOf(name)+".func") {
				value = 2
			}
		}
		if strings.Contains(found.text, "testing.tRunner(") && !strings.Contains(found.text, "testing.(*T).Run(") {
			value++
		}
		if value > best && len(found.frames) > 0 {
			best, chosen = value, found.frames
		}
	}
	return chosen
}
