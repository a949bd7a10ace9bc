/** The rules of `test-generation`: new tests execute every line of a function. */

import { countOf } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { ActionContext, RunContext } from "../action.ts";
import {
  countUnits,
  type ExecutedCode,
  executableUnits,
  listLines,
  reachableUnits,
  tellUnit,
  tellUnreachable,
} from "../measure/executable-lines.ts";
import type { TaskState } from "../state/task-state.ts";
import type { KindRules } from "./contract.ts";
import { findExecuted } from "./executed-code.ts";
import {
  type JudgedTests,
  judgeNewTests,
  keysOf,
  measureBy,
  type NewTests,
  onlyTestsChange,
  runNewTests,
} from "./new-tests.ts";
import { judgeStrength } from "./notices-faults.ts";
import { passEachTime } from "./passing-tests.ts";
import { findTarget } from "./target.ts";

export const testGeneration: KindRules = {
  kinds: ["test-generation"],
  delivers: "test",
  parts: [
    {
      name: "test",
      kind: "test",
      files: "tests",
      guidance:
        "Write tests that execute every line of the target. Put them next to the repository's tests of similar code, and write them in the same style. Cover the branches one by one, including errors and unusual inputs. Check the results: it is not enough to run the code. The tests must pass on the unchanged code in every run. Change no source code.",
    },
  ],
  isSpecified: false,
  goal: "The new tests alone execute every executable line of the target (measured). They detect at least half of the small faults inserted into these lines. They pass three times in a row, and break no previously passing test. Only tests change.",
  way: [
    { action: "code-retrieval", text: "find the target's behaviour, inputs and dependencies" },
    { action: "test-retrieval", text: "find how the repository writes similar tests" },
    {
      action: "edit-code",
      text: "write the tests, and continue from that candidate until they execute every line",
    },
    { action: "finish", text: "propose the candidate" },
  ],
  verified:
    "The new tests execute every line of the target, detect faults in it and pass three times in a row; no other test breaks.",
  measure: measureBy(judge),
  judge,
  async claim(_context, _state, { tree }, row) {
    const tests = keysOf(row?.targets ?? []);
    return tests.length === 0 ? undefined : { tests, patched: tree, failing: "some" };
  },
};

async function judge(
  context: RunContext & Pick<ActionContext, "regions" | "task">,
  state: TaskState,
  candidate: Candidate,
): Promise<JudgedTests> {
  const ran = await runNewTests(context, candidate);
  const passing = await passEachTime(context, candidate, ran);
  const covered = await coversTarget(context, candidate, ran, passing.holds);
  return judgeNewTests(context, candidate, ran, {
    gate: [onlyTestsChange(ran.changed), passing, covered.predicate],
    isReady: passing.holds && covered.predicate.holds,
    missing: covered.missing,
    progress: covered.executed,
    inferred: covered.inferred,
    further: () => judgeStrength(context, state, candidate, { code: covered.code, fresh: ran.fresh }),
  });
}

interface CoveredTarget {
  readonly predicate: Predicate;
  readonly executed: number;
  readonly missing: readonly string[];
  readonly code: readonly ExecutedCode[];
  /** The reason why mutants were used instead of a measurement of lines. */
  readonly inferred?: string | undefined;
}

async function coversTarget(
  context: RunContext & Pick<ActionContext, "task">,
  { tree }: Candidate,
  { fresh }: NewTests,
  isPassing: boolean,
): Promise<CoveredTarget> {
  const { task, workspace } = context;
  const predicate = "target-is-covered";
  const no = (evidence: string): CoveredTarget => ({
    predicate: { predicate, holds: false, evidence },
    executed: 0,
    missing: [],
    code: [],
  });
  // New tests inside the target's file move its lines.
  const read = async (path: string): Promise<string | undefined> =>
    (await workspace.trees.read(tree, path))?.toString("utf8");
  const target = await findTarget(task.target, read);
  if (!target.ok) return no(target.message);
  const { file, spans, text } = target.value;
  const all = (await executableUnits({ file, text, spans, pragmas: true })) ?? [];
  const units = reachableUnits(all);
  if (units.length === 0) return no(`no reachable executable line of ${task.target} is known`);
  if (fresh.length === 0) return no("there are no new tests");
  const code = [{ file, text, units }];
  const found = await findExecuted(context, { tree, tests: keysOf(fresh), code, isPassing });
  if (typeof found === "string") return no(`coverage cannot be measured: ${found}`);
  const { run, inferred } = found;
  const { executed, all: lines, left, loading } = countUnits(units, (unit) => run.has(unit));
  const rest = [
    ...(left.length === 0 ? [] : [`not ${listLines(left)}`]),
    ...(loading === "" ? [] : [loading]),
    ...tellUnreachable(all),
    ...(inferred === undefined ? [] : [`mutants show this, because ${inferred}`]),
  ];
  const counts = `the new tests execute ${executed} of ${countOf(lines, "line")} of ${task.target}`;
  return {
    predicate: {
      predicate,
      holds: left.length === 0,
      evidence: [counts, ...rest].join("; "),
    },
    executed,
    missing: left.map((unit) => `${file}:${unit.line} is not executed: ${tellUnit(unit)}`),
    code,
    inferred,
  };
}
