/** Judges whether a patch gives functions side effects that they did not have on the base. Pure. */
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { changedInput } from "../../judging/probe-calls.ts";
import { describeOutcome } from "../measure/varied-tests.ts";
import type { ProbedFunction } from "../review/careless/probed-functions.ts";

export interface Runs {
  /** The test as it is. */
  readonly plain: TestOutcome | undefined;
  /** The test with calls that show their side effects (`probeCalls`). */
  readonly probed: TestOutcome | undefined;
}

export interface Effect {
  readonly text: string;
  readonly isDoubt: boolean;
}

/** Describes the result without the origins of its values, because pytest shows the rewritten call there. */
function describeResult(outcome: TestOutcome | undefined): string | undefined {
  return describeOutcome(outcome)?.replace(/ \+ where .*$/s, "");
}

/**
 * Returns the effect that the probed calls show with the patch, and not without it. The effect is only a doubt in two
 * cases: the function may have it, or the base's run ends with an error before the effect could show.
 */
export function judgeEffects(
  test: string,
  functions: readonly ProbedFunction[],
  { patched, without }: { readonly patched: Runs; readonly without: Runs },
): Effect[] {
  if (patched.plain?.status !== "passed" || patched.probed?.failure === undefined) return [];
  const [plain, probed] = [without.plain, without.probed].map(describeResult);
  const said = describeOutcome(patched.probed) ?? "";
  const isChange = patched.probed.failure.message.includes(changedInput);
  // An error may have another cause, such as a second call that is refused.
  if (!isChange && !said.startsWith("v")) return [];
  if (plain === undefined || plain !== probed) return [];
  const may = functions.some((each) => (isChange ? each.mayChangeInput : each.mayKeepState));
  const text = isChange
    ? `With the patch, a call in ${test} changes a list or record that it was given. Without the patch, it does not.`
    : `With the patch, a call in ${test} gives another result if it runs twice. Without the patch, it does not.`;
  return [{ text, isDoubt: may || !plain.startsWith("v") }];
}

/**
 * Returns the effect of a further call of a changed method: with the patch, a passing test then fails. Without the
 * patch, it passes with this call, too.
 */
export function judgeDisturbed(
  test: string,
  methods: readonly Pick<ProbedFunction, "name" | "mayKeepState">[],
  { patched, without }: { readonly patched: Runs; readonly without: Runs },
): Effect[] {
  const others = [patched.plain, without.plain, without.probed];
  const isDisturbed = patched.probed?.failure !== undefined;
  if (!isDisturbed || others.some((each) => each?.status !== "passed")) return [];
  const names = methods.map(({ name }) => `\`${name}\``).join(" and ");
  const text = `With the patch, ${test} fails with additional calls of ${names} on its objects. Without the patch, it passes with these calls, too.`;
  return [{ text, isDoubt: methods.some(({ mayKeepState }) => mayKeepState) }];
}
