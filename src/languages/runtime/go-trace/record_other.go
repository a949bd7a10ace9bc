//go:build !amd64 && !arm64
// +build !amd64,!arm64

package millwright

import "unsafe"

const hasRecord = false

func recordWord(offset uintptr) uintptr { return 0 }

func panicWords(record, offset uintptr) (first, second unsafe.Pointer) { return nil, nil }
