package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

const reportsCoverage = `
func millwrightCoverage() {
	defer func() { _ = recover() }()
	if CoverMode() != "" && *coverProfile != "" {
		coverReport()
	}
}
`

// endVariable names the socket that hears of the end of M.Run. The testing package takes it before any test runs.
const endVariable = "MILLWRIGHT_GO_END"

const tellsEnd = `package testing

import "syscall"

var millwrightPlace = millwrightTake()

func millwrightTake() string {
	name, _ := syscall.Getenv("` + endVariable + `")
	_ = syscall.Unsetenv("` + endVariable + `")
	return name
}

// millwrightEnd waits until its reader has seen from where it was called.
//
//go:noinline
func millwrightEnd() {
	if millwrightPlace == "" {
		return
	}
	socket, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer syscall.Close(socket)
	if syscall.Connect(socket, &syscall.SockaddrUnix{Name: millwrightPlace}) != nil {
		return
	}
	if _, err := syscall.Write(socket, []byte{'.'}); err != nil {
		return
	}
	var answer [1]byte
	for {
		if _, err := syscall.Read(socket, answer[:]); err != syscall.EINTR {
			return
		}
	}
}
`

const runsTests = "func (m *M) Run() (code int) {\n"

// overlayTesting gives the build a testing package that tells us when M.Run ends, and that writes the profile before a test's
// panic ends the process, as it does itself where a test takes too long. "" where this version is written otherwise.
// Says also whether the end is told.
func overlayTesting(scratch string) (string, bool) {
	folder := filepath.Join(runtime.GOROOT(), "src", "testing")
	original := filepath.Join(folder, "testing.go")
	text, err := os.ReadFile(original)
	if err != nil {
		return "", false
	}
	changed := string(text)
	replaced := map[string]string{}
	write := func(path string, name string, content string) bool {
		replaced[path] = filepath.Join(filepath.Dir(scratch), name)
		return os.WriteFile(replaced[path], []byte(content), 0o644) == nil
	}
	const dying = "\t\t\tdidPanic = true\n\t\t\tpanic(err)\n"
	if strings.Count(changed, dying) == 1 {
		changed = strings.Replace(changed, dying, "\t\t\tmillwrightCoverage()\n"+dying, 1) + reportsCoverage
	}
	tells := runtime.GOOS == "linux" && strings.Count(changed, runsTests) == 1
	if tells {
		changed = strings.Replace(changed, runsTests, runsTests+"\tdefer millwrightEnd()\n", 1)
		others := "//go:build !linux\n\npackage testing\n\nfunc millwrightEnd() {}\n"
		tells = write(filepath.Join(folder, "millwright_linux.go"), "millwright-end.go", tellsEnd) &&
			write(filepath.Join(folder, "millwright_others.go"), "millwright-others.go", others)
	}
	if changed == string(text) || !write(original, "millwright-testing.go", changed) {
		return "", false
	}
	overlay := filepath.Join(scratch, "overlay.json")
	content, err := json.Marshal(map[string]map[string]string{"Replace": replaced})
	if err != nil || os.WriteFile(overlay, content, 0o644) != nil {
		return "", false
	}
	return overlay, tells
}

// hasOverlay: the project gives the build an overlay of its own.
func hasOverlay(flags []string, env []string) bool {
	return strings.Contains(strings.Join(flags, " ")+" "+lookUp(env, "GOFLAGS"), "-overlay")
}
