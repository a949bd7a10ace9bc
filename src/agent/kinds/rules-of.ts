import type { TaskKind } from "../../domain/task.ts";
import type { ActionContext } from "../action.ts";
import type { TaskState } from "../state/task-state.ts";
import { codeGeneration } from "./code-generation.ts";
import type { KindRules } from "./contract.ts";
import { judgeShared } from "./every-gate.ts";
import { feature } from "./feature.ts";
import { judgeOwnConfiguration } from "./own-configuration.ts";
import { regressionTest } from "./regression-test.ts";
import { partialFix, repair } from "./repair.ts";
import { testGeneration } from "./test-generation.ts";

/** The rules of a kind, plus the conditions that every gate shares. */
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

/** A candidate's results are compared with all tests on the base, which also shows which tests are new. */
function withBase({ measure, kinds }: KindRules): KindRules["measure"] {
  const isOfFault = kinds.includes("repair") || kinds.includes("partial-fix");
  return async (context, state, candidate, scope) => {
    if (scope === "all" || !isOfFault) await completeBase(context, state);
    return measure(context, state, candidate, scope);
  };
}

/**
 * If there is no time for all tests, runs those built together with the tests that show the fault, and those nearest to
 * the statement.
 */
async function completeBase(
  { baseSuite, suite }: Pick<ActionContext, "baseSuite" | "suite">,
  { fault }: Pick<TaskState, "fault">,
): Promise<void> {
  await baseSuite.whole();
  if (suite.part?.why !== "time") return;
  const targets = (fault?.targets ?? []).map(({ target }) => target);
  await baseSuite.know([...new Set([...targets, ...(suite.part.nearest ?? [])])]);
}

function withStanding({ judge, parts: [delivered] }: KindRules): KindRules["judge"] {
  return async (context, state, candidate) => {
    await completeBase(context, state);
    const { trees, base } = context.workspace;
    const judged = await judge(context, state, candidate);
    const { regions } = context;
    const adds = delivered.files !== "code";
    const wrong = (judged.wrong ?? []).flatMap(({ example }) => (example === undefined ? [] : [example]));
    const shared = await judgeShared({ trees, regions, base, tree: candidate.tree, adds, wrong });
    const gate = [...judged.gate, ...shared];
    return { ...judged, gate: [...gate, ...(await judgeOwnConfiguration(context, state, candidate, gate))] };
  };
}
