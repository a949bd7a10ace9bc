import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { TaskKind } from "../../domain/task.ts";
import { isTestFile } from "../../languages/source-files.ts";
import type { ActionContext } from "../action.ts";
import { keepCollected } from "../code/collected-tests.ts";
import { rankTests } from "../measure/rank-tests.ts";
import type { TaskState } from "../state/task-state.ts";
import type { WrongTest } from "./asked-again.ts";
import { codeGeneration } from "./code-generation.ts";
import type { KindRules } from "./contract.ts";
import { judgeShared } from "./every-gate.ts";
import { feature } from "./feature.ts";
import { judgeOwnConfiguration } from "./own-configuration.ts";
import { regressionTest } from "./regression-test.ts";
import { partialFix, repair } from "./repair.ts";
import { gateHolds } from "./repair-gate.ts";
import { testGeneration } from "./test-generation.ts";

/** Returns the rules of a kind, plus the conditions that every gate shares. */
export function rulesOf(kind: TaskKind): KindRules {
  return judging[kind];
}

const judging: Readonly<Record<TaskKind, KindRules>> = {
  repair: withBoth(repair),
  "partial-fix": withBoth(partialFix),
  "regression-test": withBoth(regressionTest),
  "test-generation": withBoth(testGeneration),
  "code-generation": withBoth(codeGeneration),
  feature: withBoth(feature),
};

function withBoth(rules: KindRules): KindRules {
  return { ...rules, judge: withStanding(rules), measure: withBase(rules) };
}

/**
 * Completes the base's results before a measurement, because Millwright compares a candidate with all tests on the
 * base. The comparison also shows which tests are new. A run of only the target tests of a repair needs no complete
 * base.
 */
function withBase({ measure, kinds }: KindRules): KindRules["measure"] {
  const isOfFault = kinds.includes("repair") || kinds.includes("partial-fix");
  return async (context, state, candidate, scope) => {
    if (scope === "all" || !isOfFault) await completeBase(context, state, candidate);
    return measure(context, state, candidate, scope);
  };
}

/** Number of test files to run if there is no time for all tests. They are those nearest to the change. */
const mostNearChange = 4;

/**
 * Runs all tests on the base. If there is no time for them, or Millwright cannot trust their report, runs only some
 * targets: those of the tests that show the fault, changed test files, and those nearest to the statement and the
 * change. Without the base's results, the existing tests of a changed file would count as new.
 */
export async function completeBase(
  { baseSuite, suite, workspace }: Pick<ActionContext, "baseSuite" | "suite" | "workspace">,
  { fault }: Pick<TaskState, "fault">,
  { tree }: Candidate,
): Promise<void> {
  await baseSuite.whole();
  if (suite.part === undefined || suite.part.why === "first") return;
  const { trees, base } = workspace;
  const targets = (fault?.targets ?? []).map(({ target }) => target);
  const changed = (await trees.stat(base, tree)).map(({ path }) => path);
  const places = changed.filter((path) => !isTestFile(path));
  const listed = (await trees.list(base)).map(({ path }) => path).filter(isTestFile);
  const tests = keepCollected(suite, listed);
  const near =
    places.length === 0 ? [] : rankTests(tests, { statement: "", places }).slice(0, mostNearChange);
  await baseSuite.know([
    ...new Set([
      ...targets,
      ...keepCollected(suite, changed.filter(isTestFile)),
      ...(suite.part.nearest ?? []),
      ...near,
    ]),
  ]);
}

function withStanding({ judge, parts: [delivered] }: KindRules): KindRules["judge"] {
  return async (context, state, candidate) => {
    await completeBase(context, state, candidate);
    const { trees, base } = context.workspace;
    const judged = await judge(context, state, candidate);
    const { regions } = context;
    const adds = delivered.files !== "code";
    const shareWith = (tests: readonly WrongTest[]): Promise<Predicate[]> => {
      const wrong = tests.flatMap(({ example }) => (example === undefined ? [] : [example]));
      return judgeShared({ trees, regions, base, tree: candidate.tree, adds, wrong });
    };
    const { wrong = [], awaiting = [] } = judged;
    const shared = await shareWith(wrong);
    const ifAgreed = awaiting.length === 0 ? shared : await shareWith([...wrong, ...awaiting]);
    const gate = [...judged.gate, ...shared];
    const isIntactIfAgreed = gateHolds(ifAgreed);
    return {
      ...judged,
      isIntactIfAgreed,
      gate: [...gate, ...(await judgeOwnConfiguration(context, state, candidate, gate))],
    };
  };
}
