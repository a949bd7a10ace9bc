/** Judges the results of documented and stated examples. Pure. */
import { countOf, wordFor } from "../../base/count.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { Example } from "../review/examples/collect-examples.ts";
import { isSameValue, type Value } from "../review/texts/literal-values.ts";

export interface RunExample extends Example {
  /**
   * The call's value without and with the patch. Undefined if the call raises an error, does not end, or returns no
   * plain data.
   */
  readonly base: Value | undefined;
  readonly patched: Value | undefined;
}

export interface JudgedExamples {
  /** The objections, as sentences. */
  readonly objections: readonly string[];
  /** The contradictions, as clauses about the patch. */
  readonly doubts: readonly string[];
  /** Number of examples with the shown result. */
  readonly held: number;
}

/**
 * Adds the results of examples to the predicate on objections, which must hold. The new predicate fails if an example
 * contradicts the patch.
 */
export function withExamples(
  { predicate, evidence }: Predicate,
  { objections, held }: JudgedExamples,
): Predicate {
  if (objections.length > 0) return { predicate, holds: false, evidence: objections.join(" ") };
  const told =
    held === 0
      ? ""
      : `; ${countOf(held, "documented or stated example")} ${wordFor(held, "gives", "give")} the result shown`;
  return { predicate, holds: true, evidence: `${evidence}${told}` };
}

/**
 * Returns true if the value contradicts the wanted one. A value of another type does not contradict a printed result in
 * the documentation.
 */
export function contradicts({ wanted, isPrinted }: Example, value: Value): boolean {
  if (isSameValue(wanted, value)) return false;
  return !isPrinted || (typeof value === typeof wanted.value && value !== null);
}

export function judgeExamples(examples: readonly RunExample[]): JudgedExamples {
  const [objections, doubts]: [string[], string[]] = [[], []];
  let held = 0;
  for (const example of examples) {
    const { patched, from } = example;
    if (patched === undefined) continue;
    if (isSameValue(example.wanted, patched)) held += 1;
    else if (!contradicts(example, patched)) continue;
    else if (from === "documentation") judgeDocumented(example, patched, objections, doubts);
    else if (!isInverted(example)) objections.push(tell(example, patched));
  }
  return { objections, doubts, held };
}

/** True if the sentence names the current result last: "returns 15 instead of 10", for a call that gives 10. */
function isInverted({ isChanged, base, wanted }: RunExample): boolean {
  return isChanged && base !== undefined && isSameValue(wanted, base);
}

function judgeDocumented(example: RunExample, patched: Value, objections: string[], doubts: string[]): void {
  const { base, wanted, isNamed, isMentioned, isKept, call } = example;
  const isHeld = base !== undefined && isSameValue(wanted, base);
  // The statement may be about this very example.
  if (isMentioned && isHeld) return;
  if (isHeld) {
    if (isKept) objections.push(tell(example, patched));
    else doubts.push(`changes the documented result of \`${call.text}\``);
    return;
  }
  // The example was already wrong on the base. It counts only if the patch changes the result, but not to the shown
  // result.
  if (!isNamed) return;
  const isMoved = base === undefined || !isEqual(base, patched);
  if (isMoved && isKept) objections.push(tell(example, patched));
  else
    doubts.push(
      `leaves \`${call.text}\` with ${write(patched)}, although its documentation shows ${wanted.text}`,
    );
}

function tell({ from, call, wanted, file }: RunExample, patched: Value): string {
  const where = from === "statement" ? "The statement says" : `The documentation in ${file} says`;
  return `${where} that \`${call.text}\` gives ${wanted.text}, but with the patch it gives ${write(patched)}.`;
}

/** Maximum length of a value's text, in characters. */
const longest = 80;

function write(value: Value): string {
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function isEqual(one: Value, other: Value): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
