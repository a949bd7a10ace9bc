package millwright

import (
	"runtime"
	"strconv"
	"strings"
	"unsafe"
)

// Of the runtime's own record of a goroutine, which no package may name: where its number and its panic stand in it. They are
// found by trying, once, so that no version has to be known. -1 where they are not.
var (
	idOffset    = findIDOffset()
	panicOffset = findPanicOffset()
)

const words = 64

func goroutineID() uint64 {
	if idOffset >= 0 {
		return uint64(recordWord(uintptr(idOffset)))
	}
	return writtenID()
}

// writtenID reads `goroutine 12 [running]`, which is slow.
func writtenID() uint64 {
	var text [64]byte
	written := string(text[:runtime.Stack(text[:], false)])
	fields := strings.Fields(written)
	if len(fields) < 2 {
		return 0
	}
	id, _ := strconv.ParseUint(fields[1], 10, 64)
	return id
}

// findIDOffset looks for the word that is the number in each of several goroutines.
func findIDOffset() int {
	if !hasRecord {
		return -1
	}
	candidates := make(map[int]int)
	const tries = 8
	for try := 0; try < tries; try++ {
		done := make(chan []int)
		go func() {
			id := writtenID()
			var found []int
			for word := 0; word < words; word++ {
				if uint64(recordWord(uintptr(word*8))) == id {
					found = append(found, word*8)
				}
			}
			done <- found
		}()
		for _, offset := range <-done {
			candidates[offset]++
		}
	}
	best := -1
	for offset, count := range candidates {
		if count == tries && (best < 0 || offset < best) {
			best = offset
		}
	}
	return best
}

// panicking is 0, or the same for one panic as long as it unwinds.
func panicking() uintptr {
	if hasRecord {
		return recordWord(panicWord)
	}
	return panicOnStack()
}

// The fifth word since 1.4; checked by findPanicOffset.
const panicWord = 32

// panicOnStack is 1 where the deferred function that asks was called by a panic.
func panicOnStack() uintptr {
	var counters [2]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(5, counters[:])])
	for more := true; more; {
		var frame runtime.Frame
		if frame, more = frames.Next(); frame.Function == "runtime.gopanic" {
			return 1
		}
	}
	return 0
}

type probe struct{ sign int }

// findPanicOffset looks for a value that we panic with in the runtime's record of the panic.
func findPanicOffset() (found int) {
	found = -1
	if !hasRecord {
		return
	}
	var value interface{} = &probe{sign: 1}
	wanted := *(*[2]uintptr)(unsafe.Pointer(&value))
	defer func() {
		for word := 0; word < 6; word++ {
			first, second := panicWords(panicWord, uintptr(word*8))
			if uintptr(first) == wanted[0] && uintptr(second) == wanted[1] {
				found = word * 8
				break
			}
		}
		_ = recover()
	}()
	panic(value)
}

// panicValue is what the panic was called with; false where it is not known, nil for runtime.Goexit.
func panicValue() (value interface{}, known bool) {
	if panicOffset < 0 || panicking() == 0 {
		return nil, false
	}
	var pair [2]unsafe.Pointer
	pair[0], pair[1] = panicWords(panicWord, uintptr(panicOffset))
	return *(*interface{})(unsafe.Pointer(&pair)), true
}
