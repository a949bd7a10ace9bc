package millwright

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var output struct {
	bytes int64
	once  sync.Once
	file  *os.File
	start time.Time
}

// noArguments instead of names: they are not recorded.
const noArguments = "-"

// open makes the file of this process, with its first line.
func open() {
	output.start = time.Now()
	for number := 1; number < 1000; number++ {
		name := filepath.Join(folder, strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(number)+".jsonl")
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0644)
		if os.IsExist(err) {
			continue
		}
		if err == nil {
			output.file = file
		}
		break
	}
	line := append([]byte(`{"k":"process","v":1,"pid":`), strconv.Itoa(os.Getpid())...)
	line = append(line, `,"parent":`...)
	line = strconv.AppendInt(line, int64(os.Getppid()), 10)
	line = append(line, `,"language":"go","arguments":[`...)
	for index, argument := range os.Args {
		if index > 0 {
			line = append(line, ',')
		}
		line = appendString(line, argument)
	}
	line = append(line, `],"epoch":`...)
	line = strconv.AppendFloat(line, float64(output.start.UnixNano())/1e6, 'f', 3, 64)
	write(append(line, '}'))
}

// at is the time since the first line, which is written by then.
func at() int64 {
	output.once.Do(open)
	return int64(time.Since(output.start))
}

// write appends a line by one call of the system: lines of several goroutines never mix.
func write(line []byte) {
	if output.file == nil {
		return
	}
	line = append(line, '\n')
	atomic.AddInt64(&output.bytes, int64(len(line)))
	_, _ = output.file.Write(line)
}

func isFull() bool { return atomic.LoadInt64(&output.bytes) > mostBytes }

func appendNumber(line []byte, name string, value uint64) []byte {
	line = append(line, name...)
	return strconv.AppendUint(line, value, 10)
}

func appendTime(line []byte, moment int64) []byte {
	line = append(line, `,"at":`...)
	return strconv.AppendInt(line, moment, 10)
}

func writeThread(own *goroutine) {
	at()
	line := appendNumber(nil, `{"k":"thread","n":`, own.number)
	line = append(line, `,"name":`...)
	line = appendString(line, "goroutine "+strconv.FormatUint(own.id, 10))
	if own.from != nil {
		line = appendNumber(line, `,"from":`, own.from.call)
	}
	write(append(line, '}'))
}

func writeIn(call *Call, own *goroutine, names string, arguments []interface{}) {
	line := appendNumber(make([]byte, 0, 256), `{"k":"in","c":`, call.number)
	line = appendNumber(line, `,"f":`, uint64(call.function))
	if call.parent != nil {
		line = appendNumber(line, `,"p":`, call.parent.number)
	}
	line = appendNumber(line, `,"th":`, own.number)
	if call.test != "" && (call.parent == nil || call.parent.test != call.test) {
		line = append(line, `,"test":`...)
		line = appendString(line, call.test)
	}
	line = appendTime(line, at())
	if names == "" {
		line = append(line, `,"args":[]`...)
	} else if names != noArguments {
		line = append(line, `,"args":[`...)
		follows := own.isAlone()
		for index, name := range strings.Split(names, ",") {
			if index > 0 {
				line = append(line, ',')
			}
			line = append(line, '[')
			line = appendString(line, name)
			line = append(line, ',')
			line = appendValue(line, arguments[index], follows)
			line = append(line, ']')
		}
		line = append(line, ']')
	}
	write(append(line, '}'))
}

func appendOut(call *Call, how string) []byte {
	line := appendNumber(make([]byte, 0, 256), `{"k":"out","c":`, call.number)
	line = appendTime(line, at())
	line = append(line, `,"how":`...)
	return appendString(line, how)
}

func writeOut(call *Call, fallible bool, results []interface{}) {
	how, message := "return", ""
	if fallible {
		last := len(results) - 1
		if err, ok := results[last].(error); ok && err != nil {
			how, message = "error", errorMessage(err)
			// Told by the message.
			results = results[:last]
		}
	}
	line := appendOut(call, how)
	if len(results) > 0 && !isFull() {
		line = append(line, `,"value":`...)
		line = appendResults(line, results, call.owner.isAlone())
	}
	if message != "" {
		line = append(line, `,"message":`...)
		line = appendString(line, message)
	}
	write(append(line, '}'))
}

func writePanic(call *Call) {
	value, known := panicValue()
	how := "throw"
	if known && value == nil {
		// runtime.Goexit, by which testing ends a test that failed.
		how = "drop"
	}
	line := appendOut(call, how)
	if known {
		line = append(line, `,"message":`...)
		if value == nil {
			line = appendString(line, "runtime.Goexit")
		} else {
			line = appendString(line, panicText(value))
		}
	}
	if place := panicPlace(); place != "" {
		line = append(line, `,"place":`...)
		line = appendString(line, place)
	}
	write(append(line, '}'))
}

// panicPlace is the first place of the program below the runtime's panic.
func panicPlace() string {
	var counters [64]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(3, counters[:])])
	below := false
	for {
		frame, more := frames.Next()
		isRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if below && !isRuntime {
			return shown(frame.File) + ":" + strconv.Itoa(frame.Line)
		}
		below = below || isRuntime
		if !more {
			return ""
		}
	}
}

func writeCut(function int, why string, count uint64) {
	at()
	line := appendNumber(nil, `{"k":"cut","f":`, uint64(function))
	line = append(line, `,"why":"`+why+`"`...)
	write(append(appendNumber(line, `,"count":`, count), '}'))
}

// writeEnd is the last word of a process: what was not recorded, to the last call, and that it ended.
func writeEnd() {
	for function := range statistics {
		for _, why := range [...]string{"depth", "records", "bytes", "sampled"} {
			if count := atomic.LoadUint64(statistics[function].cut(why)); count > 0 {
				writeCut(function, why, count)
			}
		}
	}
	line := []byte(`{"k":"end"`)
	write(append(appendTime(line, at()), '}'))
}
