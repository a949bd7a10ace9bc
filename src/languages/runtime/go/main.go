// Runs the Go tests of a project for Millwright, and writes its report. Nothing but the standard library, Go 1.18 and later.
//
// It has two halves in one program. The first calls "go test" with itself as the program that executes test binaries
// (-exec), so that packages, flags, builds and vet are the go command's own. The second half, started so once for each
// package, runs the test binary as often as it takes: again after a test that took the process with it, and once for each
// test where coverage is asked for.
package main

import (
	"fmt"
	"os"
)

const planVariable = "MILLWRIGHT_GO_PLAN"

func main() {
	if path := os.Getenv(planVariable); path != "" && len(os.Args) > 1 {
		os.Exit(runBinary(path, os.Args[1], os.Args[2:]))
	}
	request, err := readRequest()
	if err != nil {
		fmt.Fprintln(os.Stderr, "millwright:", err)
		os.Exit(125)
	}
	request.Key = takeKey(request.Channel)
	os.Exit(runCalls(request))
}
