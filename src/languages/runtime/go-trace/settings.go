package millwright

import (
	"io/ioutil"
	"os"
	"strconv"
	"strings"
)

// What is changed by 64-bit atomics stands first, here and elsewhere: 32-bit machines ask for it.
type statistic struct {
	count, last, failures          uint64
	depth, records, bytes, sampled uint64
}

func (one *statistic) cut(why string) *uint64 {
	switch why {
	case "depth":
		return &one.depth
	case "records":
		return &one.records
	case "bytes":
		return &one.bytes
	}
	return &one.sampled
}

// place is where a function stands in the user's own file.
type place struct {
	path       string
	line, last int
	main       bool
}

var (
	folder     = os.Getenv("MILLWRIGHT_TRACE_DIR")
	enabled    = folder != "" && readPlan()
	reach      int
	root       string
	functions  []place
	statistics []statistic
	// By function, what stands for each of its calls that is only counted.
	onlyCounted []Call
	mostDepth   = number("DEPTH", 200)
	mostValue   = number("VALUE", 1000)
	mostBytes   = int64(number("BYTES", 64<<20))
	recordsLeft = int64(number("RECORDS", 100000))
	callCount   uint64
)

func number(name string, otherwise int) int {
	if value, err := strconv.Atoi(os.Getenv("MILLWRIGHT_TRACE_" + name)); err == nil && value >= 0 {
		return value
	}
	return otherwise
}

// readPlan reads the root, the depth, and for each function `NUMBER LINE LAST-LINE MAIN PATH`, each on a line.
func readPlan() bool {
	content, err := ioutil.ReadFile(os.Getenv("MILLWRIGHT_TRACE_GO"))
	lines := strings.Split(string(content), "\n")
	if err != nil || len(lines) < 2 {
		return false
	}
	root = lines[0]
	reach, _ = strconv.Atoi(lines[1])
	functions = make([]place, len(lines))
	for _, line := range lines[2:] {
		fields := strings.SplitN(line, " ", 5)
		if len(fields) < 5 {
			continue
		}
		index, _ := strconv.Atoi(fields[0])
		if index <= 0 || index >= len(functions) {
			continue
		}
		first, _ := strconv.Atoi(fields[1])
		last, _ := strconv.Atoi(fields[2])
		functions[index] = place{path: fields[4], line: first, last: last, main: fields[3] == "1"}
	}
	statistics = make([]statistic, len(functions))
	onlyCounted = make([]Call, len(functions))
	for index := range onlyCounted {
		onlyCounted[index].function = index
	}
	return true
}

// slot is where a function's numbers are kept; 0 for one that the plan does not know.
func slot(function int) int {
	if function < len(statistics) {
		return function
	}
	return 0
}

func isMain(function int) bool {
	return functions[slot(function)].main
}

// shown is a file's path relative to the root, where it is in it.
func shown(file string) string {
	return strings.TrimPrefix(file, root+"/")
}
