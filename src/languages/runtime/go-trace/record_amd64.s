#include "textflag.h"

// func recordWord(offset uintptr) uintptr
TEXT ·recordWord(SB), NOSPLIT, $0-16
	MOVQ (TLS), AX
	ADDQ offset+0(FP), AX
	MOVQ (AX), AX
	MOVQ AX, ret+8(FP)
	RET

// func panicWords(record, offset uintptr) (first, second unsafe.Pointer)
TEXT ·panicWords(SB), NOSPLIT, $0-32
	MOVQ (TLS), AX
	ADDQ record+0(FP), AX
	MOVQ (AX), AX
	ADDQ offset+8(FP), AX
	MOVQ (AX), BX
	MOVQ 8(AX), CX
	MOVQ BX, first+16(FP)
	MOVQ CX, second+24(FP)
	RET
