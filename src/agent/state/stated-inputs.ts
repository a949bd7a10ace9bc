/**
 * Finds calls with inputs other than the stated ones: "`number("1,5")` returns 15" is about this input, not about any
 * other. Pure.
 */
import { readCode } from "./assertion-text.ts";

const calls = /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)\(((?:[^()\n"']|"[^"\n]*"|'[^'\n]*')+)\)/gu;

/** Finds a called function for which the statement gives inputs that `values` all lack. Otherwise undefined. */
export function findOtherInputs(
  statement: string,
  called: readonly string[],
  values: readonly string[],
): string | undefined {
  const given = [...statement.matchAll(calls)]
    .map(([, name = "", inputs = ""]) => ({ name, inputs: readCode(inputs).values }))
    .filter(({ name, inputs }) => called.includes(name) && inputs.length > 0);
  const isOther = given.every(({ inputs }) => !inputs.some((input) => values.includes(input)));
  return isOther ? given[0]?.name : undefined;
}
