package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"time"
)

// runCalls is the first half: it makes each "go test" of the command, and reports what could not be built.
func runCalls(r *request) int {
	scratch, err := os.MkdirTemp("", "millwright-go-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "millwright:", err)
		return 125
	}
	defer os.RemoveAll(scratch)
	stopBeating := beat(r.Report)
	defer stopBeating()
	code := 0
	for number := range r.Calls {
		failed, err := runCall(r, &r.Calls[number], filepath.Join(scratch, fmt.Sprint(number)))
		if err != nil {
			fmt.Fprintln(os.Stderr, "millwright:", err)
			return 2
		}
		if failed {
			code = 1
		}
		if code != 0 && r.StopAtFirstFailure {
			break
		}
	}
	return code
}

// beat lets a file of the report grow: a build that takes long is no test that hangs.
func beat(folder string) func() {
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(2 * time.Second):
				file, err := os.OpenFile(filepath.Join(folder, "alive"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
				if err == nil {
					_, _ = file.WriteString(".")
					_ = file.Close()
				}
			}
		}
	}()
	return func() { close(done) }
}

func runCall(r *request, c *call, scratch string) (bool, error) {
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return false, err
	}
	env := environment(c.Env)
	packages, folders, err := listPackages(r, c, env)
	if err != nil {
		return false, err
	}
	made := &plan{Request: r, Folders: folders, StopFile: filepath.Join(scratch, "stop")}
	if len(r.Candidates) == 0 && !hasOverlay(c.Flags, env) {
		made.Overlay, made.TellsEnd = overlayTesting(scratch)
	}
	for _, pkg := range packages {
		pkg.Tests = filtered(pkg.Tests, c.Flags)
		if len(choose(r.Selection, pkg).steps) > 0 || r.Selection.Kind == "all" && len(pkg.Tests) > 0 {
			made.Packages = append(made.Packages, pkg)
		}
	}
	written, err := openReport(r, "go-build")
	if err != nil {
		return false, err
	}
	written.start()
	defer written.end()
	if len(made.Packages) == 0 {
		return false, nil
	}
	for _, pkg := range made.Packages {
		written.found(made.wantedKeys(pkg))
	}
	server, err := servePlan(made)
	if err != nil {
		return false, err
	}
	defer server.close()
	output, code := goTest(made, c, server, append(env, planVariable+"="+server.name))
	if code != 0 && wantsModules.MatchString(output) {
		again := environment(c.Env)
		again = append(again, "GOFLAGS="+lookUp(again, "GOFLAGS")+" -mod=mod", planVariable+"="+server.name)
		output, code = goTest(made, c, server, again)
	}
	_, _ = os.Stdout.WriteString(output)
	made.reportBuild(written, c, output)
	return code != 0, nil
}

// What the go command says where it may not write to go.mod or go.sum.
var wantsModules = regexp.MustCompile(`updates to go\.mod needed|missing go\.sum entry|inconsistent vendoring`)

// environment is that of the go command: nothing is fetched, and git is not asked for a version.
func environment(added map[string]string) []string {
	env := os.Environ()
	for name, value := range added {
		env = append(env, name+"="+value)
	}
	flags := lookUp(env, "GOFLAGS")
	if !strings.Contains(flags, "-buildvcs") {
		flags = strings.TrimSpace(flags + " -buildvcs=false")
	}
	return append(env, "GOFLAGS="+flags, "GOPROXY=off", "GOSUMDB=off", "GOTELEMETRY=off")
}

func lookUp(env []string, name string) string {
	value := ""
	for _, variable := range env {
		if strings.HasPrefix(variable, name+"=") {
			value = variable[len(name)+1:]
		}
	}
	return value
}

// goTest runs "go test" with ourselves in place of the test binaries, and returns what it printed.
func goTest(made *plan, c *call, server *planServer, env []string) (string, int) {
	self, err := os.Executable()
	if err != nil {
		return err.Error(), 125
	}
	r := made.Request
	arguments := []string{"test", "-count=1", "-timeout=0", "-exec=" + self}
	arguments = append(arguments, c.Flags...)
	if len(r.Candidates) > 0 {
		arguments = append(arguments, batchFlags(made)...)
	} else if r.Coverage {
		arguments = append(arguments, coverFlags(made)...)
	}
	if made.Overlay != "" {
		arguments = append(arguments, "-overlay="+made.Overlay)
	}
	for _, pkg := range made.Packages {
		arguments = append(arguments, nameOf(pkg, filepath.Join(r.Root, c.Directory)))
	}
	arguments = append(arguments, c.Arguments...)
	command := exec.Command("go", arguments...)
	command.Dir = filepath.Join(r.Root, c.Directory)
	command.Env = env
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		return err.Error(), 125
	}
	server.started(command.Process)
	_ = command.Wait()
	return output.String(), command.ProcessState.ExitCode()
}

// nameOf is how the go command takes a package: a path, or outside of modules and GOPATH its folder.
func nameOf(pkg testPackage, folder string) string {
	if path, err := filepath.Rel(folder, pkg.Folder); err == nil && strings.HasPrefix(pkg.ImportPath, "_/") {
		return "./" + filepath.ToSlash(path)
	}
	return pkg.ImportPath
}

// wantedKeys are the tests of a package's files that were asked for, by name or with all others.
func (p *plan) wantedKeys(pkg testPackage) []key {
	keys := []key{}
	if p.Request.Selection.Kind != "tests" {
		wanted := choose(p.Request.Selection, pkg).wanted
		for _, test := range pkg.Tests {
			if wanted(test.File, test.Name) {
				keys = append(keys, p.keyOf(pkg, test.File, test.Name))
			}
		}
		return keys
	}
	for _, test := range p.Request.Selection.Tests {
		if contains(pkg.Files, test[0]) {
			keys = append(keys, p.keyOf(pkg, test[0], test[1]))
		}
	}
	return keys
}

// filtered leaves out what the command's own -run and -skip leave out.
func filtered(tests []declared, flags []string) []declared {
	kept := tests
	for _, flag := range flags {
		name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if name != "run" && name != "skip" {
			continue
		}
		// A skipped subtest leaves its test.
		if name == "skip" && strings.Contains(value, "/") {
			continue
		}
		pattern, err := regexp.Compile(strings.SplitN(value, "/", 2)[0])
		if err != nil {
			continue
		}
		before := kept
		kept = []declared{}
		for _, test := range before {
			if pattern.MatchString(test.Name) == (name == "run") {
				kept = append(kept, test)
			}
		}
	}
	return kept
}

func sortedKeys(of map[string]string) []string {
	names := []string{}
	for name := range of {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
