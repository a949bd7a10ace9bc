//go:build amd64 || arm64
// +build amd64 arm64

package millwright

import "unsafe"

const hasRecord = true

// recordWord is a word of the runtime's record of this goroutine.
func recordWord(offset uintptr) uintptr

// panicWords are two words of what the record's pointer at record points to.
func panicWords(record, offset uintptr) (first, second unsafe.Pointer)
