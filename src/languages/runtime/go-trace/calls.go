// Package millwright records the calls of functions into which calls of In and Out were inserted. It is compiled within the
// traced module, so in any version of the language since 1.9, and needs nothing but the standard library.
package millwright

import (
	"math/bits"
	"sync/atomic"
)

// A function's calls: all of them up to the first number, and afterwards one of so many.
const (
	fullCalls = 1000
	oneOf     = 1000
)

// Call is one that runs. What is known of it does not change after it began, so that other goroutines may look at it.
type Call struct {
	number   uint64
	function int
	distance int
	depth    int
	parent   *Call
	test     string
	panicked uintptr
	owner    *goroutine
}

// In begins a call of a function that was asked for; nil where it is not recorded. names: of the arguments, with commas.
func In(function int, names string, arguments ...interface{}) *Call {
	if !enabled {
		return nil
	}
	return begin(function, true, names, arguments)
}

// Near is In for a function that is recorded only near one that was asked for.
func Near(function int, names string, arguments ...interface{}) *Call {
	if !enabled {
		return nil
	}
	return begin(function, false, names, arguments)
}

func begin(function int, asked bool, names string, arguments []interface{}) *Call {
	// First of all, and at little cost: most calls of a long run are not recorded.
	if asked && isSampledOut(function) {
		return counted(function)
	}
	own := current()
	if own.busy {
		// Called by the recording itself, to have a value's text.
		return nil
	}
	own.busy = true
	defer own.free()
	parent := own.top()
	distance := 0
	if !asked {
		if parent == nil || parent.distance >= reach {
			return nil
		}
		distance = parent.distance + 1
		if isSampledOut(function) {
			return counted(function)
		}
	}
	if !own.known {
		own.introduce()
	}
	depth := 1
	if parent != nil {
		depth = parent.depth + 1
	}
	if why := refuse(depth); why != "" {
		countCut(function, why)
		return nil
	}
	call := &Call{
		number: atomic.AddUint64(&callCount, 1), function: function, distance: distance, depth: depth,
		parent: parent, panicked: panicking(), owner: own,
	}
	call.test = own.testOf(call, arguments)
	atomic.StoreUint64(&statistics[slot(function)].last, call.number)
	writeIn(call, own, names, arguments)
	own.push(call)
	return call
}

// Out ends a call, with its results.
func Out(call *Call, results ...interface{}) {
	if call != nil {
		end(call, false, results)
	}
}

// OutError is Out for a function whose last result is an error.
func OutError(call *Call, results ...interface{}) {
	if call != nil {
		end(call, true, results)
	}
}

func end(call *Call, fallible bool, results []interface{}) {
	own := call.owner
	if own == nil {
		endCounted(call.function, panicking() != 0, fallible, results)
		return
	}
	busy := own.busy
	own.busy = true
	own.pop(call)
	if state := panicking(); state != call.panicked && state != 0 {
		writePanic(call)
	} else {
		writeOut(call, fallible, results)
	}
	own.busy = busy
	own.retire()
	if call.parent == nil && isMain(call.function) {
		writeEnd()
	}
}

// counted stands for a call that is only counted, unless it fails. In a panic's unwinding its failure could not be told from that.
func counted(function int) *Call {
	if panicking() != 0 {
		return nil
	}
	return &onlyCounted[slot(function)]
}

// endCounted records both ends of a call that is known only now that it fails, as long as such are few.
func endCounted(function int, panics, fallible bool, results []interface{}) {
	if !panics && !(fallible && results[len(results)-1] != nil) {
		return
	}
	statistic := &statistics[slot(function)]
	own := current()
	if own.busy || atomic.LoadUint64(&statistic.failures) >= fullCalls {
		return
	}
	own.busy = true
	defer own.free()
	parent, depth := own.top(), 1
	if parent != nil {
		depth = parent.depth + 1
	}
	if refuse(depth) != "" {
		return
	}
	if !own.known {
		own.introduce()
	}
	atomic.AddUint64(&statistic.failures, 1)
	atomic.AddUint64(&statistic.sampled, ^uint64(0))
	call := &Call{number: atomic.AddUint64(&callCount, 1), function: function, depth: depth, parent: parent, owner: own}
	call.test = own.testOf(call, nil)
	writeIn(call, own, noArguments, nil)
	if panics {
		writePanic(call)
	} else {
		writeOut(call, true, results)
	}
	own.retire()
}

// Done is called when main ends, where main itself is not recorded.
func Done() {
	if enabled && atomic.LoadUint64(&callCount) > 0 {
		writeEnd()
	}
}

// isSampledOut counts a call, and tells whether it is one of those of a hot function that are only counted.
func isSampledOut(function int) bool {
	count := atomic.AddUint64(&statistics[slot(function)].count, 1)
	if count <= fullCalls || count%oneOf == 0 {
		return false
	}
	countCut(function, "sampled")
	return true
}

// refuse says why a call is not recorded, "" where it is.
func refuse(depth int) string {
	switch {
	case isFull():
		return "bytes"
	case atomic.LoadInt64(&recordsLeft) <= 0:
		return "records"
	case depth > mostDepth:
		return "depth"
	}
	atomic.AddInt64(&recordsLeft, -1)
	return ""
}

// countCut counts a call that is not recorded. A process may end at any moment, and nothing tells us so: the sum is told again
// and again, whenever it has grown by an eighth.
func countCut(function int, why string) {
	count := atomic.AddUint64(statistics[slot(function)].cut(why), 1)
	step := uint64(1) << uint(bits.Len64(count)) >> 4
	if step <= 1 || count%step == 0 {
		writeCut(function, why, count)
	}
}
