package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

const candidateVariable = "MILLWRIGHT_CANDIDATE"

// batchFlags let the compiler say all that it finds: the candidates in one program are not each other's fault.
func batchFlags(made *plan) []string {
	modules := map[string]string{}
	for _, pkg := range made.Packages {
		if pkg.Module != "" {
			modules[pkg.Module] = ""
		}
	}
	flags := []string{"-vet=off"}
	if len(modules) == 0 {
		return append(flags, "-gcflags=-e")
	}
	for _, module := range sortedKeys(modules) {
		flags = append(flags, "-gcflags="+module+"/...=-e")
	}
	return flags
}

type batchOutcome struct {
	Event      string   `json:"event"`
	Candidate  int      `json:"candidate"`
	Test       key      `json:"test"`
	Status     string   `json:"status"`
	DurationMs float64  `json:"durationMs"`
	Failure    *failure `json:"failure,omitempty"`
}

// runCandidates runs the package's tests once for each candidate, some side by side.
func (r *runner) runCandidates() int {
	made, err := openReport(r.plan.Request, "go-candidates")
	if err != nil {
		fmt.Fprintln(os.Stderr, "millwright:", err)
		return 125
	}
	r.report = made
	queue := make(chan int)
	var workers sync.WaitGroup
	for number := 0; number < r.plan.Request.Parallel || number == 0; number++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for id := range queue {
				r.runCandidate(id)
			}
		}()
	}
	for _, id := range r.plan.Request.Candidates {
		queue <- id
	}
	close(queue)
	workers.Wait()
	return 0
}

// runCandidate runs the tests once. What ends the process fails the test that ran, and leaves the rest open.
func (r *runner) runCandidate(id int) {
	own := &runner{plan: r.plan, pkg: r.pkg, choice: r.choice, binary: r.binary, arguments: r.arguments, report: r.report, at: r.at}
	own.reset()
	own.env = append(append([]string{}, r.env...), candidateVariable+"="+strconv.Itoa(id))
	write := func(name string, status string, seconds float64, why *failure) {
		if !own.isWanted(name) || own.hasEnded(name) {
			return
		}
		own.ended[name] = status
		r.report.write(batchOutcome{"candidate", id, own.keyOf(name), status, seconds * 1000, why})
	}
	for _, current := range own.choice.steps {
		started := false
		s, end, err := own.start(current, nil, &listener{
			started: func(string) { started = true },
			ended:   write,
		})
		if err != nil {
			return
		}
		death := s.close(end)
		if death != nil {
			blamed := append(append([]string{}, death.culprits...), death.others...)
			if !started {
				blamed = current.tops
			}
			for _, name := range blamed {
				for ; name != ""; name = parentName(name) {
					write(name, "failed", 0, death.why)
				}
			}
			return
		}
		if len(s.failed) > 0 {
			if r.plan.Request.StopAtFirstFailure {
				return
			}
			continue
		}
		if end.exitCode != 0 {
			why := &failure{Type: "Crash", Message: "the test binary ended with exit code " + strconv.Itoa(end.exitCode), Frames: []frame{}}
			r.report.write(batchOutcome{"candidate", id, own.keyOf(current.tops[0] + "/"), "failed", 0, why})
			return
		}
	}
}

func parentName(name string) string {
	at := strings.LastIndex(name, "/")
	if at < 0 {
		return ""
	}
	return name[:at]
}

type buildComplaint struct {
	Event   string `json:"event"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// reportComplaints writes what the compiler says of the program with all candidates.
func (p *plan) reportComplaints(c *call, blocks []block) {
	written, err := openReport(p.Request, "go-complaints")
	if err != nil {
		return
	}
	at := place{root: p.Request.Root, folder: filepath.Join(p.Request.Root, c.Directory)}
	for _, one := range blocks {
		for _, line := range one.lines {
			match := complaint.FindStringSubmatch(line)
			if match == nil {
				continue
			}
			number, _ := strconv.Atoi(match[2])
			if file := at.find(match[1]); file != "" && number > 0 {
				written.write(buildComplaint{"complaint", file, number, match[3]})
			}
		}
	}
}
