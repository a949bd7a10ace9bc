package main

import "os"

// listener hears what the tests of one start say.
type listener struct {
	started func(name string)
	ended   func(name string, status string, seconds float64, why *failure)
}

// start runs the binary once for a step.
func (r *runner) start(current step, extra []string, to *listener) (*session, ending, error) {
	s := &session{
		at:      r.at,
		limit:   r.plan.Request.limit(),
		stop:    r.isStopped,
		onStart: to.started,
		onEnd:   to.ended,
	}
	s.begin()
	framed := goMinor() >= 20
	arguments := append([]string{}, r.arguments...)
	if r.plan.Request.StopAtFirstFailure {
		extra = append([]string{"-test.failfast"}, extra...)
	}
	w := &watched{
		binary:    r.binary,
		arguments: append(extra, current.arguments(arguments, framed)...),
		env:       r.env,
		framed:    framed,
		ends:      r.ends,
		onMark:    s.mark,
		onLine:    s.line,
		check:     s.check,
	}
	end, err := w.run()
	if r.afterProcess != nil {
		r.afterProcess()
	}
	return s, end, err
}

func (r *runner) keyOf(name string) key {
	return r.plan.keyOf(r.pkg, targetOf(r.pkg, r.at.root, name, 1), name)
}

func (p *plan) keyOf(pkg testPackage, target string, name string) key {
	if p.Request.Several {
		return key{Package: pkg.Module, Target: target, Name: name}
	}
	return key{Target: target, Name: name}
}

func (r *runner) isWanted(name string) bool {
	return r.choice.wanted(targetOf(r.pkg, r.at.root, name, 1), name)
}

func (r *runner) hasEnded(name string) bool {
	_, ended := r.ended[name]
	return ended
}

func (r *runner) noteStart(name string) {
	if r.started[name] || r.hasEnded(name) || !r.isWanted(name) {
		return
	}
	r.started[name] = true
	r.report.started(r.keyOf(name))
}

// hear notes how a test ended, now or when its process has.
func (r *runner) hear(name string, status string, seconds float64, why *failure) {
	if status != "failed" && r.plan.Request.Selection.Kind == "tests" {
		r.held = append(r.held, heldEnd{name, status, seconds})
		return
	}
	r.noteEnd(name, status, seconds, why)
}

func (r *runner) noteEnd(name string, status string, seconds float64, why *failure) {
	if r.hasEnded(name) {
		return
	}
	if doom, isDoomed := r.doomed[name]; isDoomed {
		status, why = "failed", doom
	}
	r.ended[name] = status
	if !r.isWanted(name) {
		return
	}
	r.report.ended(r.keyOf(name), status, seconds*1000, why)
	if status == "failed" && r.plan.Request.StopAtFirstFailure {
		r.askToStop()
	}
}

// askToStop ends what other packages run too.
func (r *runner) askToStop() {
	_ = os.WriteFile(r.plan.StopFile, nil, 0o644)
}

func (r *runner) noteNotRun(name string) {
	if r.started[name] && !r.hasEnded(name) {
		r.ended[name] = "not-run"
		r.report.ended(r.keyOf(name), "not-run", 0, nil)
	}
}

func (r *runner) doom(name string, why *failure) {
	if _, known := r.doomed[name]; !known {
		r.doomed[name] = why
	}
}

// failPackage reports what concerns no single test: all that has not ended has failed by it.
func (r *runner) failPackage(current step, why *failure) {
	r.broken = true
	open := 0
	for _, top := range current.tops {
		if !r.hasEnded(top) {
			open++
			r.noteEnd(top, "failed", 0, why)
		}
	}
	if open == 0 && len(r.pkg.Files) > 0 {
		target := targetOf(r.pkg, r.at.root, current.tops[0], 1)
		r.report.targetFailed(r.plan.keyOf(r.pkg, target, "").Package, target, why)
	}
}
