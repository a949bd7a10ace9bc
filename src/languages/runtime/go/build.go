package main

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// block is what the go command says about the build of one package.
type block struct {
	importPath string
	vet        bool
	lines      []string
}

var (
	blockHead   = regexp.MustCompile(`^# (\[)?([^\s\]]+)\]?(?: \[[^\]]*\])?$`)
	verdict     = regexp.MustCompile(`^(?:ok|FAIL|---|\?|PASS)\s*(?:\t|$)`)
	failedBuild = regexp.MustCompile(`^FAIL\t(\S+)(?: \(cached\))? \[(?:build|setup) failed\]`)
	complaint   = regexp.MustCompile(`^(?:vet: )?([^\s:][^:]*\.(?:go|s|c|h|mod)):(\d+)(?::\d+)?: (.*)$`)
)

// readBuild takes what "go test" printed apart: the blocks of what could not be built, and the packages with such tests.
func readBuild(output string) ([]block, []string) {
	blocks := []block{}
	failed := []string{}
	open := false
	for _, line := range strings.Split(output, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if match := failedBuild.FindStringSubmatch(line); match != nil {
			failed = append(failed, match[1])
		}
		if match := blockHead.FindStringSubmatch(line); match != nil {
			path := strings.TrimSuffix(strings.TrimSuffix(match[2], ".test"), "_test")
			if last := len(blocks) - 1; match[1] != "" && last >= 0 && open && len(blocks[last].lines) == 0 {
				// "# package" and "# [package]" stand before one block of vet.
				blocks[last].vet = true
				continue
			}
			blocks = append(blocks, block{importPath: path, vet: match[1] != ""})
			open = true
		} else if verdict.MatchString(line) {
			open = false
		} else if open && line != "" {
			last := len(blocks) - 1
			blocks[last].lines = append(blocks[last].lines, line)
		}
	}
	return blocks, failed
}

// reportBuild says of each package whose tests could not be built what the compiler says, or vet.
func (p *plan) reportBuild(written *report, c *call, output string) {
	blocks, failed := readBuild(output)
	if len(p.Request.Candidates) > 0 {
		p.reportComplaints(c, blocks)
		return
	}
	directory := filepath.Join(p.Request.Root, c.Directory)
	for _, pkg := range p.Packages {
		if !contains(failed, pkg.ImportPath) {
			continue
		}
		why := describeBuild(place{root: p.Request.Root, folder: directory}, blocks, pkg.ImportPath)
		targets := []string{}
		for _, wanted := range p.wantedKeys(pkg) {
			if !contains(targets, wanted.Target) {
				targets = append(targets, wanted.Target)
			}
		}
		if len(targets) == 0 && len(pkg.Files) > 0 {
			targets = pkg.Files[:1]
		}
		for _, target := range targets {
			written.targetFailed(p.keyOf(pkg, target, "").Package, target, why)
		}
	}
}

// describeBuild takes the package's own block, else those of the packages that it may depend on.
func describeBuild(at place, blocks []block, importPath string) *failure {
	own := []block{}
	for _, one := range blocks {
		if one.importPath == importPath {
			own = append(own, one)
		}
	}
	if len(own) == 0 {
		own = blocks
	}
	why := &failure{Type: "BuildError", Message: "the tests of the package cannot be built", Frames: []frame{}}
	messages := []string{}
	text := []string{}
	for _, one := range own {
		text = append(text, "# "+one.importPath)
		text = append(text, one.lines...)
		if one.vet && len(messages) == 0 {
			why.Type = "VetError"
		}
		for _, line := range one.lines {
			match := complaint.FindStringSubmatch(line)
			if match == nil {
				continue
			}
			messages = append(messages, line)
			if file := at.find(match[1]); file != "" && len(why.Frames) == 0 && strings.HasSuffix(file, ".go") {
				if number, _ := strconv.Atoi(match[2]); number > 0 {
					why.Frames = []frame{{File: file, Line: number}}
				}
			}
		}
		if len(messages) == 0 && len(one.lines) > 0 {
			messages = append(messages, strings.Join(one.lines, "\n"))
		}
	}
	if len(messages) > 0 {
		why.Message = shorten(strings.Join(messages, "\n"))
	}
	why.Text = shorten(strings.Join(text, "\n"))
	return why
}
