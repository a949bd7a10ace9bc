import type { Operators } from "../dialect.ts";

/**
 * Returns the operators that Go, Java, PHP and Rust inherit from C. `more`: further bitwise operators of the language.
 */
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
