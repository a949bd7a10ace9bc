package main

import (
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

func coverFlags(made *plan) []string {
	return []string{"-cover", "-covermode=set", "-coverpkg=" + strings.Join(sortedKeys(made.Folders), ",")}
}

// cover runs each test function in a process of its own, for its profile; of one that failed, its failed subtests too.
func (r *runner) cover() {
	profile := filepath.Join(filepath.Dir(r.plan.StopFile), "profile-"+strconv.Itoa(os.Getpid()))
	lines := newLineTable(r.plan.Folders)
	covered := map[string]map[int]bool{}
	r.afterProcess = func() {
		lines.read(profile, r.at.root, covered)
		_ = os.Remove(profile)
	}
	note := func(name string) {
		if len(covered) > 0 && r.isWanted(name) {
			r.report.coverage(r.keyOf(name), formatLines(covered))
		}
		for file := range covered {
			delete(covered, file)
		}
	}
	for _, current := range r.choice.steps {
		for _, alone := range current.single() {
			if r.isStopped() {
				return
			}
			r.runSteps([]step{alone}, r.profileFlags(profile))
			note(alone.tops[0])
			for _, name := range r.subtestsToCover(alone.tops[0]) {
				r.runQuietly(name, r.profileFlags(profile))
				note(name)
			}
		}
	}
}

// profileFlags let the binary end by itself before we end it: a killed process leaves no profile.
func (r *runner) profileFlags(profile string) []string {
	limit := r.plan.Request.limit()
	return []string{"-test.coverprofile=" + profile, "-test.timeout=" + (limit * 9 / 10).String()}
}

const mostCoveredSubtests = 60

// subtestsToCover are those that failed, or were asked for by name.
func (r *runner) subtestsToCover(top string) []string {
	names := []string{}
	for name, status := range r.ended {
		if strings.HasPrefix(name, top+"/") && r.isWanted(name) && (status == "failed" || !r.isWanted(top)) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	if len(names) > mostCoveredSubtests {
		names = names[:mostCoveredSubtests]
	}
	return names
}

// runQuietly runs one subtest whose outcome is known already.
func (r *runner) runQuietly(name string, extra []string) {
	quiet := &listener{started: func(string) {}, ended: func(string, string, float64, *failure) {}}
	_, _, _ = r.start(step{tops: []string{topOf(name)}, pattern: patternOfSubtests([]string{name})}, extra, quiet)
}

// single takes a step apart into one for each function.
func (s step) single() []step {
	if len(s.tops) == 1 && s.pattern != "" {
		return []step{s}
	}
	alone := []step{}
	for _, top := range s.tops {
		alone = append(alone, step{tops: []string{top}, pattern: patternOf([]string{top})})
	}
	return alone
}
