#include "textflag.h"

// func recordWord(offset uintptr) uintptr
TEXT ·recordWord(SB), NOSPLIT, $0-16
	MOVD offset+0(FP), R0
	ADD g, R0
	MOVD (R0), R0
	MOVD R0, ret+8(FP)
	RET

// func panicWords(record, offset uintptr) (first, second unsafe.Pointer)
TEXT ·panicWords(SB), NOSPLIT, $0-32
	MOVD record+0(FP), R0
	ADD g, R0
	MOVD (R0), R0
	MOVD offset+8(FP), R1
	ADD R1, R0
	MOVD (R0), R2
	MOVD 8(R0), R3
	MOVD R2, first+16(FP)
	MOVD R3, second+24(FP)
	RET
