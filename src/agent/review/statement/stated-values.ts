/** Finds values that a statement and tests share: such a test checks a value that its author did not choose. Pure. */
import { readCode } from "../../state/assertion-text.ts";
import type { OwnTest } from "../texts/own-tests.ts";

const quoted = /"([^"\n]{1,200})"|'([^'\n]{1,200})'|`([^`\n]{1,200})`/g;
const number = /(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?!\w)/g;

/** Returns true if a test contains a number or a quoted text of the statement. A shared name is not sufficient. */
export function sharesValue(statement: string, tests: readonly OwnTest[]): boolean {
  const texts = [...statement.matchAll(quoted)].flatMap(([, double, single, back = ""]) => [
    ...[double, single].filter((each) => each !== undefined),
    // Code in backticks has its own literals.
    ...readCode(back).values,
  ]);
  const numbers = (statement.match(number) ?? []).map((each) => Number(each.replaceAll("_", "")));
  return tests.some(({ body, around }) =>
    readCode(`${around}\n${body}`).values.some(
      (value) => texts.includes(value) || (value.trim() !== "" && numbers.includes(Number(value))),
    ),
  );
}
