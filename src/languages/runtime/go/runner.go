package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// runner is the second half: it runs one package's test binary for one request.
type runner struct {
	plan      *plan
	pkg       testPackage
	choice    choice
	binary    string
	arguments []string
	env       []string
	report    *report
	at        place
	// By file and name: what was reported already, since a binary may be started again.
	started map[string]bool
	ended   map[string]string
	// Failed because of a subtest that ended the process, whatever they say themselves later.
	doomed map[string]*failure
	broken bool
	deaths int
	// Passes of a process that has not ended yet, where tests are asked for by name: its end decides whether they count.
	held []heldEnd
	// Nil where test binaries do not tell when M.Run ends.
	ends *endWatch
	// Why what was reported cannot be what the tests did, or "".
	forged string
	// Called when a process of the binary has ended; may be nil.
	afterProcess func()
}

type heldEnd struct {
	name, status string
	seconds      float64
}

// mostDeaths bounds how often a binary is started again after a test took it with it.
const mostDeaths = 100

// runBinary is what "go test" calls in place of a test binary, in the package's folder.
func runBinary(planPath string, binary string, arguments []string) int {
	made, err := readPlan(planPath)
	if err != nil {
		fmt.Fprintln(os.Stderr, "millwright:", err)
		return 125
	}
	folder, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "millwright:", err)
		return 125
	}
	r := &runner{plan: made, binary: binary, arguments: arguments, env: withoutOurs(os.Environ())}
	for _, pkg := range made.Packages {
		if same(pkg.Folder, folder) {
			r.pkg = pkg
		}
	}
	r.at = place{root: made.Request.Root, folder: folder}
	r.choice = choose(made.Request.Selection, r.pkg)
	r.reset()
	if len(made.Request.Candidates) > 0 {
		return r.runCandidates()
	}
	return r.runTests()
}

func (r *runner) reset() {
	r.started, r.ended, r.doomed = map[string]bool{}, map[string]string{}, map[string]*failure{}
	r.broken, r.deaths = false, 0
}

func same(a string, b string) bool {
	if a == b {
		return true
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// withoutOurs keeps what only concerns us from the tests, which may start processes of their own.
func withoutOurs(env []string) []string {
	kept := []string{}
	for _, variable := range env {
		if !strings.HasPrefix(variable, planVariable+"=") {
			kept = append(kept, variable)
		}
	}
	return kept
}

func (r *runner) runTests() int {
	made, err := openReport(r.plan.Request, "go-package")
	if err != nil {
		fmt.Fprintln(os.Stderr, "millwright:", err)
		return 125
	}
	r.report = made
	r.report.start()
	if r.plan.TellsEnd {
		r.ends, _ = watchEnds(r.binary)
	}
	if r.plan.Request.Coverage {
		r.cover()
	} else {
		r.runSteps(r.apartByName(r.choice.steps), nil)
	}
	if r.forged != "" {
		// Without its last line the report counts for nothing.
		fmt.Fprintln(os.Stderr, "millwright:", r.forged)
		return 1
	}
	r.report.end()
	failing := r.broken
	for _, status := range r.ended {
		failing = failing || status == "failed"
	}
	if failing {
		return 1
	}
	return 0
}

// mostApart bounds how many tests get a process of their own.
const mostApart = 16

// apartByName gives each test that was asked for a process of its own, whose exit code speaks for it alone. In a shuffled run they
// stay together.
func (r *runner) apartByName(steps []step) []step {
	count := 0
	for _, current := range steps {
		count += len(current.tops)
	}
	isShuffled := strings.Contains(strings.Join(r.arguments, " "), "-test.shuffle=")
	if r.plan.Request.Selection.Kind != "tests" || isShuffled || count > mostApart {
		return steps
	}
	alone := []step{}
	for _, current := range steps {
		alone = append(alone, current.single()...)
	}
	return alone
}

// runSteps runs the steps, and what is left of one again when a test ended its process.
func (r *runner) runSteps(steps []step, extra []string) {
	queue := append([]step{}, steps...)
	for len(queue) > 0 && !r.isStopped() {
		current := queue[0]
		queue = append(r.runStep(current, extra), queue[1:]...)
	}
}

func (r *runner) isStopped() bool {
	_, err := os.Stat(r.plan.StopFile)
	return err == nil
}

// runStep starts the binary once, and returns the steps that are still to be made.
func (r *runner) runStep(current step, extra []string) []step {
	s, end, err := r.start(current, extra, &listener{
		started: r.noteStart,
		ended:   r.hear,
	})
	if err != nil {
		r.failPackage(current, &failure{Type: "Crash", Message: err.Error(), Frames: []frame{}, Text: err.Error()})
		return nil
	}
	death := s.close(end)
	if death == nil {
		if why := r.distrust(s); why != "" {
			r.refuse(current, why)
			return nil
		}
		if end.exitCode == 0 || len(s.failed) > 0 {
			r.release()
		} else {
			r.held = nil
			message := fmt.Sprintf("the tests passed, and yet the test binary ended with exit code %d: %s", end.exitCode, lastLine(s.tail, "no word why"))
			text := shorten(strings.Join(s.tail, "\n"))
			r.failPackage(current, &failure{Type: "Crash", Message: message, Frames: []frame{}, Text: text})
		}
		return nil
	}
	held := r.held
	r.held = nil
	if end.stopped == stopAsked {
		for _, each := range held {
			r.noteNotRun(each.name)
		}
		for _, name := range death.others {
			r.noteNotRun(name)
		}
		return nil
	}
	return r.recover(current, s, death)
}

// distrust says why a process that seems to have ended well did not; "".
func (r *runner) distrust(s *session) string {
	if s.contradiction != "" {
		return s.contradiction
	}
	if r.ends == nil {
		return ""
	}
	return r.ends.why()
}

// refuse fails the tests of a process that somebody else than the framework spoke for.
func (r *runner) refuse(current step, why string) {
	r.held = nil
	if r.plan.Request.Selection.Kind != "tests" {
		r.forged, r.broken = why, true
		return
	}
	r.failPackage(current, &failure{Type: "Crash", Message: why, Frames: []frame{}, Text: why})
}

func (r *runner) release() {
	for _, each := range r.held {
		r.noteEnd(each.name, each.status, each.seconds, nil)
	}
	r.held = nil
}

// recover blames tests for the end of their process, and plans to run the others again.
func (r *runner) recover(current step, s *session, death *death) []step {
	r.deaths++
	ran := s.started > 0
	if !ran || r.deaths > mostDeaths {
		r.failPackage(current, death.why)
		return nil
	}
	if len(death.culprits) == 0 && len(death.others) == 0 {
		// Between two tests, or behind the last one.
		r.failPackage(current, death.why)
	}
	skipped := append([]string{}, current.skipped...)
	for _, name := range death.culprits {
		r.noteEnd(name, "failed", 0, death.why)
		for parent := name; strings.Contains(parent, "/"); {
			parent = parent[:strings.LastIndex(parent, "/")]
			r.doom(parent, death.why)
		}
		if strings.Contains(name, "/") {
			skipped = append(skipped, name)
		}
	}
	if r.plan.Request.StopAtFirstFailure {
		for _, name := range death.others {
			r.noteNotRun(name)
		}
		return nil
	}
	return r.remaining(current, skipped, death)
}

func (r *runner) remaining(current step, skipped []string, death *death) []step {
	open := []string{}
	for _, top := range current.tops {
		if !r.hasEnded(top) {
			open = append(open, top)
		}
	}
	if len(open) == 0 {
		return nil
	}
	isSubtests := current.pattern != "" && strings.Contains(current.pattern, "/")
	if (len(skipped) > len(current.skipped) || isSubtests) && !canSkip() {
		// The rest of a function cannot be run without the subtest: it stays as it is.
		for name, why := range r.doomed {
			if contains(open, name) {
				r.noteEnd(name, "failed", 0, why)
			}
		}
		return r.remaining(step{tops: open, pattern: patternOf(open)}, nil, death)
	}
	if isSubtests {
		if len(skipped) == len(current.skipped) {
			return nil
		}
		return []step{{tops: current.tops, pattern: current.pattern, skipped: skipped}}
	}
	if len(death.culprits) > 0 || len(open) == 1 || len(death.others) == 0 {
		if len(death.culprits) == 0 && len(open) == len(current.tops) {
			// Nothing was gained: who is to blame cannot be told.
			for _, name := range open {
				r.noteEnd(name, "failed", 0, death.why)
			}
			return nil
		}
		return []step{{tops: open, pattern: patternOf(open), skipped: skipped}}
	}
	return r.apart(open, death)
}

// apart runs alone each of the tests that ran when one of them ended the process.
func (r *runner) apart(open []string, death *death) []step {
	suspects := []string{}
	for _, name := range death.others {
		if top := topOf(name); contains(open, top) && !contains(suspects, top) {
			suspects = append(suspects, top)
		}
	}
	steps := []step{}
	rest := []string{}
	for _, top := range open {
		if contains(suspects, top) {
			steps = append(steps, step{tops: []string{top}, pattern: patternOf([]string{top})})
		} else {
			rest = append(rest, top)
		}
	}
	if len(rest) > 0 {
		steps = append(steps, step{tops: rest, pattern: patternOf(rest)})
	}
	return steps
}

func canSkip() bool {
	return goMinor() >= 20
}

func goMinor() int {
	var major, minor int
	if _, err := fmt.Sscanf(runtime.Version(), "go%d.%d", &major, &minor); err != nil || major > 1 {
		return 99
	}
	return minor
}
