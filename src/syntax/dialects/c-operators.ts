import type { Operators } from "../dialect.ts";

/** The operators that Go, Java and Rust have from C; `more` is a language's own, of the bitwise ones. */
export function operatorsOfC(more: readonly string[] = []): Operators {
  return {
    comparison: ["<", "<=", ">", ">=", "==", "!="],
    arithmetic: ["+", "-", "*", "/", "%"],
    bitwise: ["&", "|", "^", "<<", ">>", ...more],
    nonCommutative: ["+", "-", "/", "%", "<<", ">>", ...more, "<", "<=", ">", ">="],
    and: "&&",
    or: "||",
    not: "!",
    equalities: ["==", "!="],
    equal: "==",
    notEqual: "!=",
    opposite: { "<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "==" },
    twins: [],
  };
}
