package main

import (
	"path/filepath"
	"regexp"
	"strings"
)

// step is one start of a test binary: some test functions, or some subtests of one.
type step struct {
	tops []string
	// Value of -test.run; "" leaves the choice as the command has it.
	pattern string
	// Subtests that ended the process before, and are left out.
	skipped []string
}

// choice is what of a package's tests was asked for.
type choice struct {
	steps []step
	// Tests that are reported; those that run only to get to them are not.
	wanted func(file string, name string) bool
}

// longestPattern keeps an argument within what Linux takes for one.
const longestPattern = 100000

// choose makes steps of a selection: a step of its own for each function of which only subtests are wanted.
func choose(chosen selection, pkg testPackage) choice {
	if chosen.Kind == "tests" {
		return chooseTests(chosen.Tests, pkg)
	}
	files := map[string]bool{}
	for _, file := range chosen.Files {
		files[file] = true
	}
	wanted := func(file string, name string) bool { return chosen.Kind == "all" || files[file] }
	tops := []string{}
	for _, test := range pkg.Tests {
		if wanted(test.File, test.Name) && !contains(tops, test.Name) {
			tops = append(tops, test.Name)
		}
	}
	if len(tops) == 0 {
		return choice{wanted: wanted}
	}
	if chosen.Kind == "all" {
		return choice{steps: []step{{tops: tops}}, wanted: wanted}
	}
	return choice{steps: []step{{tops: tops, pattern: patternOf(tops)}}, wanted: wanted}
}

func chooseTests(tests [][2]string, pkg testPackage) choice {
	asked := map[string]map[string]bool{}
	for _, test := range tests {
		if asked[test[0]] == nil {
			asked[test[0]] = map[string]bool{}
		}
		asked[test[0]][test[1]] = true
	}
	whole := []string{}
	steps := []step{}
	for _, declared := range pkg.Tests {
		names := asked[declared.File]
		if names[declared.Name] || names[""] {
			if !contains(whole, declared.Name) {
				whole = append(whole, declared.Name)
			}
			continue
		}
		below := []string{}
		for name := range names {
			if strings.HasPrefix(name, declared.Name+"/") {
				below = append(below, name)
			}
		}
		if len(below) > 0 {
			steps = append(steps, step{tops: []string{declared.Name}, pattern: patternOfSubtests(below)})
		}
	}
	if len(whole) > 0 {
		steps = append([]step{{tops: whole, pattern: patternOf(whole)}}, steps...)
	}
	wanted := func(file string, name string) bool {
		names := asked[file]
		for part := name; part != ""; {
			if names[part] {
				return true
			}
			at := strings.LastIndex(part, "/")
			if at < 0 {
				break
			}
			part = part[:at]
		}
		return names[""]
	}
	return choice{steps: steps, wanted: wanted}
}

func contains(list []string, text string) bool {
	for _, one := range list {
		if one == text {
			return true
		}
	}
	return false
}

func patternOf(names []string) string {
	quoted := []string{}
	for _, name := range names {
		quoted = append(quoted, regexp.QuoteMeta(name))
	}
	return "^(" + strings.Join(quoted, "|") + ")$"
}

// patternOfSubtests joins what stands at the same depth, which takes in a few more than were asked for.
func patternOfSubtests(names []string) string {
	depths := [][]string{}
	for _, name := range names {
		for depth, element := range strings.Split(name, "/") {
			if depth == len(depths) {
				depths = append(depths, nil)
			}
			if !contains(depths[depth], element) {
				depths[depth] = append(depths[depth], element)
			}
		}
	}
	parts := []string{}
	for _, elements := range depths {
		parts = append(parts, patternOf(elements))
	}
	pattern := strings.Join(parts, "/")
	if len(pattern) > longestPattern {
		return parts[0]
	}
	return pattern
}

// arguments are those of the test binary, with the step's choice in place of the command's own.
func (s step) arguments(given []string, framed bool) []string {
	kept := []string{}
	ownRun := s.pattern != "" && len(s.pattern) <= longestPattern
	for index, argument := range given {
		if argument == "-args" || !strings.HasPrefix(argument, "-") {
			kept = append(kept, s.added(framed, ownRun)...)
			return append(kept, given[index:]...)
		}
		isRun := strings.HasPrefix(argument, "-test.run=")
		name := strings.SplitN(argument, "=", 2)[0]
		// What a folder for coverage holds already would be counted in with each test.
		isOurs := name == "-test.v" || name == "-test.timeout" || name == "-test.gocoverdir"
		if isOurs || isRun && ownRun {
			continue
		}
		kept = append(kept, argument)
	}
	return append(kept, s.added(framed, ownRun)...)
}

func (s step) added(framed bool, ownRun bool) []string {
	added := []string{"-test.v=true"}
	if framed {
		added[0] = "-test.v=test2json"
	}
	if ownRun {
		added = append(added, "-test.run="+s.pattern)
	}
	if len(s.skipped) > 0 {
		patterns := []string{}
		for _, name := range s.skipped {
			patterns = append(patterns, patternOfSubtests([]string{name}))
		}
		added = append(added, "-test.skip="+strings.Join(patterns, "|"))
	}
	return added
}

// targetOf is the file that declares a test: of a name that two packages of one folder declare, the count-th.
func targetOf(pkg testPackage, root string, name string, count int) string {
	last := ""
	for _, declared := range pkg.Tests {
		if declared.Name != topOf(name) {
			continue
		}
		last = declared.File
		count--
		if count <= 0 {
			break
		}
	}
	if last != "" {
		return last
	}
	if len(pkg.Files) > 0 {
		return pkg.Files[0]
	}
	return filepath.Join(relative(root, pkg.Folder), "_test.go")
}
