/** Judges the results of a feature's new tests on the base, without the new code. */
import { countOf, nameFirst, wordFor } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { ActionContext, RunContext } from "../action.ts";
import { runOn } from "../measure/run-candidate.ts";
import { isNamedBy } from "../state/named-test.ts";
import type { Requirement, TaskState } from "../state/task-state.ts";
import { type Before, type Known, sayBefore } from "./fails-before.ts";
import { isMetBefore } from "./met-before.ts";
import { newNames } from "./new-names.ts";
import { keysOf, type NewTests } from "./new-tests.ts";
import { testsAlone } from "./tests-alone.ts";

export interface JudgedBefore {
  readonly predicate: Predicate;
  /**
   * Requirements with new tests, none of which fails without the code. Omits requirements that the unchanged code meets
   * (`isMetBefore`).
   */
  readonly missing: readonly string[];
}

/**
 * Judges the new tests on the base. Runs failures a second time: if a test then passes, it is flaky and shows nothing.
 */
export async function judgeBefore(
  context: RunContext & Pick<ActionContext, "regions">,
  { requirements }: Pick<TaskState, "requirements">,
  { tree }: Candidate,
  { changed, fresh }: NewTests,
): Promise<JudgedBefore> {
  const tests = keysOf(fresh);
  if (tests.length === 0) return tell([], requirements);
  const { trees, base } = context.workspace;
  const names = await newNames(trees, { base, tree, files: changed.code });
  const known = { base: context.suite.outcomes, names };
  const alone = await testsAlone(trees, context.regions, { base, tree }, changed);
  const first = await sayAll(context, known, { alone, tests, again: 1 });
  const failing = tests.filter((_, index) => first[index] === "fails");
  const second =
    failing.length === 0 ? [] : await sayAll(context, known, { alone, tests: failing, again: 2 });
  const said = tests.map((key, index) => {
    const at = failing.indexOf(key);
    const isFlaky = at >= 0 && second[at] !== "fails";
    return { key, before: isFlaky ? ("flaky" as const) : (first[index] ?? "unknown") };
  });
  return tell(said, requirements);
}

interface Asked {
  readonly alone: string;
  readonly tests: readonly TestKey[];
  readonly again: number;
}

async function sayAll(context: RunContext, known: Known, { alone, tests, again }: Asked): Promise<Before[]> {
  const { outcomes, invalid } = await runOn(context, alone, { kind: "tests", tests }, again);
  return tests.map((key) => sayBefore(key, { outcomes, invalid }, known));
}

interface Said {
  readonly key: TestKey;
  readonly before: Before | "flaky";
}

const mostNamed = 3;

/** Turns the results into a predicate: at least one new test must fail. The evidence names the tests that pass. */
export function tell(said: readonly Said[], requirements: TaskState["requirements"]): JudgedBefore {
  const of = (...wanted: Said["before"][]): Said[] => said.filter(({ before }) => wanted.includes(before));
  const failing = of("fails", "does-not-load");
  const lost = of("does-not-load").length;
  const met = requirements.filter((each) => isMetBefore(each) && lackOf(said, each, failing) === "passes");
  const [kept, allowed] = [met.filter(({ kept }) => kept === true), met.filter(({ kept }) => kept !== true)];
  const named = (these: readonly Requirement[]): string =>
    `${wordFor(these.length, "requirement", "requirements")} ${these.map(({ id }) => id).join(", ")}`;
  const rest = (these: readonly Said[], what: string): string[] =>
    these.length === 0
      ? []
      : [
          `${what}: ${nameFirst(
            these.map(({ key }) => formatTestKey(key)),
            mostNamed,
          )}`,
        ];
  const parts = [
    `${failing.length} of ${countOf(said.length, "new test")} ${wordFor(failing.length, "fails", "fail")} without the code`,
    ...(lost === 0
      ? []
      : [
          `${lost} of them ${lost === 1 ? "does" : "do"} not load there, because the code's definitions are missing`,
        ]),
    ...rest(of("passes"), "also pass without the code"),
    ...(kept.length === 0
      ? []
      : [
          `according to the patch's author, ${named(kept)} ${wordFor(kept.length, "holds", "hold")} without the code, and the patch keeps ${wordFor(kept.length, "it", "them")}`,
        ]),
    ...(allowed.length === 0
      ? []
      : [
          `the tests of ${named(allowed)} also pass without the code, because ${wordFor(allowed.length, "this requirement asks", "these requirements ask")} for behaviour that stays`,
        ]),
    ...rest(of("flaky"), "give different results in two runs"),
    ...rest(of("unknown"), "have unknown results without the code"),
  ];
  return {
    predicate: {
      predicate: "new-tests-fail-before",
      holds: failing.length > 0,
      evidence: said.length === 0 ? "there is no new test" : parts.join("; "),
    },
    missing: requirements
      .filter((each) => !isMetBefore(each))
      .flatMap((each) => {
        const lack = lackOf(said, each, failing);
        return lack === undefined ? [] : [`Requirement ${each.id} (${each.text}): ${advice[lack]}`];
      }),
  };
}

const advice = {
  passes:
    "its new tests also pass without the code. Assert behaviour that only the new code has. If the unchanged code already meets the requirement, set `kept`.",
  unknown:
    "the results of its new tests without the code are unknown. Run the tests again. If the results stay unknown, change these tests.",
} as const;

/**
 * Tells what the requirement's new tests show without the code, if none of them fails there. `unknown`: at least one
 * result is unknown. Undefined if a test fails, or if there is no new test.
 */
function lackOf(
  said: readonly Said[],
  { tests }: Pick<Requirement, "tests">,
  failing: readonly Said[],
): keyof typeof advice | undefined {
  const own = said.filter(({ key }) => tests.some((name) => isNamedBy(formatTestKey(key), name)));
  if (own.length === 0 || own.some((each) => failing.includes(each))) return undefined;
  return own.some(({ before }) => before === "unknown") ? "unknown" : "passes";
}
