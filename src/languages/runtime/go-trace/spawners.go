package millwright

import (
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
)

const (
	stackBytes     = 64 << 10
	mostGoroutines = 100
)

// findSpawner reads who created this goroutine: `created by NAME in goroutine N`, then the file and line of the go statement.
// waiting: how many goroutines there are while it runs alone, itself and the tests around that wait for it; 0 where it never does.
func findSpawner() (from *spawner, waiting int) {
	text := make([]byte, stackBytes)
	lines := strings.Split(string(text[:runtime.Stack(text, false)]), "\n")
	for index := len(lines) - 1; index >= 0; index-- {
		if strings.HasPrefix(lines[index], "created by ") && index+1 < len(lines) {
			from = spawnerAt(lines[index], strings.TrimSpace(lines[index+1]))
			if strings.HasPrefix(lines[index], "created by testing.") {
				waiting = 1 + waitingTests(text)
			}
			return from, waiting
		}
	}
	return nil, 1
}

// waitingTests counts the goroutines that wait for a test to end, and where no other one runs now, all that wait: earlier tests
// leave some behind, for idle connections for instance, which do nothing any more.
func waitingTests(text []byte) int {
	if runtime.NumGoroutine() > mostGoroutines {
		return 0
	}
	tests, others, runs := 0, 0, false
	stacks := strings.Split(string(text[:runtime.Stack(text, true)]), "\n\n")
	for _, stack := range stacks[1:] {
		if strings.Contains(stack, "\ntesting.(*T).Run(") {
			tests++
		} else {
			others++
			runs = runs || !isParked(stack)
		}
	}
	if runs || detectsRaces {
		return tests
	}
	return tests + others
}

// isParked reads `goroutine 7 [IO wait, 2 minutes]:`.
func isParked(stack string) bool {
	begin, end := strings.Index(stack, "["), strings.Index(stack, "]")
	if begin < 0 || end < begin {
		return false
	}
	state := stack[begin+1 : end]
	return !strings.HasPrefix(state, "run") && !strings.HasPrefix(state, "syscall")
}

func spawnerAt(creator, at string) *spawner {
	if space := strings.LastIndex(at, " +0x"); space >= 0 {
		at = at[:space]
	}
	colon := strings.LastIndex(at, ":")
	if colon < 0 {
		return nil
	}
	line, _ := strconv.Atoi(at[colon+1:])
	path := shown(at[:colon])
	var runs *goroutine
	if index := strings.LastIndex(creator, " in goroutine "); index >= 0 {
		id, _ := strconv.ParseUint(creator[index+len(" in goroutine "):], 10, 64)
		runs = find(id)
	}
	if runs == nil {
		return lastCallAt(path, line)
	}
	for call := runs.top(); call != nil; call = call.parent {
		if stands(call.function, path, line) {
			return &spawner{call: call.number, test: call.test}
		}
	}
	if found := lastCallAt(path, line); found != nil {
		return found
	}
	if call := runs.top(); call != nil {
		return &spawner{call: call.number, test: call.test}
	}
	return nil
}

// lastCallAt is the last call of the function with that line, which has ended by now.
func lastCallAt(path string, line int) *spawner {
	for function := range functions {
		if stands(function, path, line) {
			if last := atomic.LoadUint64(&statistics[function].last); last != 0 {
				return &spawner{call: last}
			}
		}
	}
	return nil
}

func stands(function int, path string, line int) bool {
	one := functions[slot(function)]
	return one.path != "" && one.line <= line && line <= one.last && (one.path == path || strings.HasSuffix(path, "/"+one.path))
}

// named is what testing's types have in common. Their package cannot be imported: it would add its flags to every program.
type named interface {
	Name() string
	Helper()
	Failed() bool
}

// testOf is the name of the test that a value of the package testing stands for.
func testOf(value interface{}) (string, bool) {
	test, ok := value.(named)
	if !ok {
		return "", false
	}
	kind := reflect.TypeOf(value)
	if kind.Kind() != reflect.Ptr || kind.Elem().PkgPath() != "testing" || reflect.ValueOf(value).IsNil() {
		return "", false
	}
	return test.Name(), true
}

// testOf is the test that runs: by an argument, by the call around, by the functions on the stack.
func (own *goroutine) testOf(call *Call, arguments []interface{}) string {
	for _, argument := range arguments {
		if test, ok := testOf(argument); ok {
			return test
		}
	}
	if call.parent != nil {
		return call.parent.test
	}
	if own.from != nil && own.from.test != "" {
		return own.from.test
	}
	return testOnStack()
}

const mostFrames = 256

func testOnStack() string {
	var counters [mostFrames]uintptr
	found := ""
	frames := runtime.CallersFrames(counters[:runtime.Callers(3, counters[:])])
	for {
		frame, more := frames.Next()
		if frame.Function == "testing.tRunner" || frame.Function == "testing.(*B).runN" {
			return testName(found)
		}
		found = frame.Function
		if !more {
			return ""
		}
	}
}

// testName is `TestParse` of `example.org/mod.TestParse.func1`.
func testName(function string) string {
	function = function[strings.LastIndex(function, "/")+1:]
	parts := strings.Split(function, ".")
	for _, part := range parts[1:] {
		if strings.HasPrefix(part, "Test") || strings.HasPrefix(part, "Benchmark") || strings.HasPrefix(part, "Fuzz") {
			return part
		}
	}
	return ""
}
