import type { Operators } from "../dialect.ts";

/** The operators that Go, Java and Rust inherit from C; `more` holds a language's additional bitwise operators. */
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
