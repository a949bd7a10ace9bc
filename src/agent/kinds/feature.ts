/** The rules of `feature`: a candidate contains new code and its tests. */

import { countOf } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { diffLines } from "../../edit/line-diff.ts";
import { isBuildScript, isCodeFile, languageOf } from "../../languages/source-files.ts";
import type { Workspace } from "../../workspace/contract.ts";
import type { ActionContext, RunContext } from "../action.ts";
import { type ChangedFiles, changedFiles } from "../code/changed-files.ts";
import {
  countUnits,
  type ExecutedCode,
  executableUnits,
  listLines,
  reachableUnits,
  tellUnit,
  tellUnreachable,
  type Unit,
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
  runNewTests,
} from "./new-tests.ts";
import { judgeStrength } from "./notices-faults.ts";
import { passEachTime } from "./passing-tests.ts";
import { testsAlone } from "./tests-alone.ts";
import { judgeBefore } from "./without-code.ts";

export const feature: KindRules = {
  kinds: ["feature"],
  delivers: "code",
  parts: [
    {
      name: "patch",
      kind: "code",
      files: "both",
      guidance:
        "Write the requested code and its tests in the same candidate. Put the tests next to the repository's tests of similar code, and write them in the same style. Write at least one test for each requirement. The tests must fail without the code, and execute each of its new lines. Do not change other tests.",
    },
  ],
  isSpecified: true,
  goal: "The candidate contains new code and its tests. The new tests fail without the code and pass with it. Without help from other tests, they execute every new or changed line of code (measured). They detect at least half of the small faults inserted into these lines. No previously passing test breaks.",
  way: [
    { action: "test-retrieval", text: "find how the repository tests similar code" },
    { action: "code-retrieval", text: "find where the code belongs" },
    {
      action: "edit-code",
      text: "write code and tests, and continue from the candidate until new tests execute every new line",
    },
    {
      action: "review-patch",
      text: "have the candidate reviewed, and fix the problems that measurements show",
    },
    { action: "finish", text: "propose the candidate" },
  ],
  verified:
    "The new tests fail without the new code, pass with it, execute all of it and detect faults in it; no other test breaks.",
  measure: measureBy(judge),
  judge,
  async claim({ workspace: { trees, base }, regions }, _state, { tree }, row) {
    const tests = (row?.targets ?? []).map(({ key }) => key);
    if (tests.length === 0) return undefined;
    const without = await testsAlone(
      trees,
      regions,
      { base, tree },
      await changedFiles(trees, regions, base, tree),
    );
    return { tests, without, patched: tree, failing: "some" };
  },
};

async function judge(
  context: RunContext & Pick<ActionContext, "regions">,
  state: TaskState,
  candidate: Candidate,
): Promise<JudgedTests> {
  const ran = await runNewTests(context, candidate);
  const passing = await passEachTime(context, candidate, ran);
  const before = await judgeBefore(context, state, candidate, ran);
  const isPassing = passing.holds && before.predicate.holds;
  const covered = await coversNewCode(context, candidate, ran, isPassing);
  return judgeNewTests(context, candidate, ran, {
    gate: [hasBoth(ran.changed), before.predicate, passing, covered.predicate],
    isReady: passing.holds && covered.predicate.holds,
    missing: [...covered.missing, ...before.missing],
    progress: -covered.missing.length,
    inferred: covered.inferred,
    // A gate without these conditions does not hold, because an earlier condition is unmet.
    further: before.predicate.holds
      ? () => judgeStrength(context, state, candidate, { code: covered.code, fresh: ran.fresh })
      : undefined,
  });
}

function hasBoth({ tests, code: others, inside }: ChangedFiles): Predicate {
  const code = others.filter((path) => languageOf(path) !== undefined);
  const rest = others.length - code.length;
  const beside = rest === 0 ? "" : `, other files: ${rest}`;
  const within = inside.length === 0 ? "" : `; tests are inside ${inside.slice(0, 3).join(", ")}`;
  return {
    predicate: "has-code-and-tests",
    holds: others.length > 0 && tests.length + inside.length > 0,
    evidence: `changed: ${countOf(code.length, "file")} of code and ${countOf(tests.length, "file")} of tests${beside}${within}`,
  };
}

interface CoveredCode {
  readonly predicate: Predicate;
  readonly missing: readonly string[];
  readonly code: readonly ExecutedCode[];
  /** The reason why mutants were used instead of a measurement of lines. */
  readonly inferred?: string | undefined;
}

async function coversNewCode(
  context: RunContext,
  candidate: Candidate,
  { changed, fresh }: NewTests,
  isPassing: boolean,
): Promise<CoveredCode> {
  const predicate = "new-code-is-covered";
  const no = (evidence: string): CoveredCode => ({
    predicate: { predicate, holds: false, evidence },
    missing: [],
    code: [],
  });
  if (fresh.length === 0) return no("there is no new test");
  const unknown = await unmeasured(context, candidate, changed.code);
  if (unknown.length > 0)
    return no(`coverage cannot be measured: the executable lines of ${unknown.join(", ")} are unknown`);
  const all = [...(await newUnits(context, candidate, changed.code)).values()];
  const code = all
    .map((each) => ({ ...each, units: reachableUnits(each.units) }))
    .filter(({ units }) => units.length > 0);
  if (all.length > 0 && code.length === 0)
    return no(all.flatMap(({ file, units }) => tellUnreachable(units, file)).join("; "));
  if (code.length === 0)
    return {
      predicate: { predicate, holds: true, evidence: "the patch changes no executable line of code" },
      missing: [],
      code: [],
    };
  const asked = { tree: candidate.tree, tests: keysOf(fresh), code, isPassing };
  const executed = await findExecuted(context, asked);
  if (typeof executed === "string") return no(`coverage cannot be measured: ${executed}`);
  const { run, inferred } = executed;
  const counted = code.map(({ file, units: own }) => ({
    file,
    ...countUnits(own, (unit) => run.has(unit)),
  }));
  const sum = (of: (each: (typeof counted)[number]) => number): number =>
    counted.reduce((total, each) => total + of(each), 0);
  const places = counted.flatMap(({ file, left }) =>
    left.length === 0 ? [] : [`${file}:${listLines(left)}`],
  );
  const loading = counted.flatMap((each) => (each.loading === "" ? [] : [`${each.file}: ${each.loading}`]));
  const parts = [
    `the new tests execute ${sum(({ executed }) => executed)} of ${sum(({ all }) => all)} new or changed lines`,
    ...(places.length === 0 ? [] : [`not ${places.join("; ")}`]),
    ...loading,
    ...all.flatMap(({ file, units }) => tellUnreachable(units, file)),
    ...(inferred === undefined ? [] : [`mutants show this, because ${inferred}`]),
  ];
  const missing = counted.flatMap(({ file, left }) =>
    left.map((unit) => `${file}:${unit.line} is not executed by a new test: ${tellUnit(unit)}`),
  );
  const holds = missing.length === 0;
  return {
    predicate: { predicate, holds, evidence: parts.join("; ") },
    missing,
    code: holds ? code : [],
    inferred,
  };
}

/** Finds code in any folder whose executable lines Millwright cannot determine, because the language has no dialect. */
export async function unmeasured(
  { workspace: { trees } }: { readonly workspace: Pick<Workspace, "trees"> },
  { tree }: Pick<Candidate, "tree">,
  files: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const file of files.filter(isCodeFile)) {
    const text = (await trees.read(tree, file))?.toString("utf8");
    const spans = [{ startLine: 0, endLine: (text ?? "").split("\n").length + 1 }];
    if (text !== undefined && (await executableUnits({ file, text, spans, pragmas: false })) === undefined)
      found.push(file);
  }
  return found;
}

/**
 * Finds the executable parts of lines that differ from the base. Includes lines that comments exclude from coverage.
 * Omits lines that run when a build script is loaded, because no test can execute them.
 */
export async function newUnits(
  { workspace: { trees, base } }: { readonly workspace: Pick<Workspace, "trees" | "base"> },
  { tree }: Pick<Candidate, "tree">,
  files: readonly string[],
): Promise<Map<string, ExecutedCode>> {
  const found = new Map<string, ExecutedCode>();
  for (const file of files) {
    const text = (await trees.read(tree, file))?.toString("utf8");
    if (text === undefined) continue;
    const before = (await trees.read(base, file))?.toString("utf8") ?? "";
    const lines = text.split("\n");
    const changed = new Set(
      diffLines(before.split("\n"), lines, (line) => line.trim()).flatMap(({ toStart, toEnd }) =>
        Array.from({ length: toEnd - toStart }, (_, index) => toStart + index + 1),
      ),
    );
    const spans = [{ startLine: 0, endLine: lines.length + 1 }];
    const units = (await executableUnits({ file, text, spans, pragmas: false })) ?? [];
    const isOut = ({ at }: Unit): boolean => at === "load" && isBuildScript(file);
    const own = units.filter((unit) => unit.own.some((line) => changed.has(line)) && !isOut(unit));
    if (own.length > 0) found.set(file, { file, text, units: own });
  }
  return found;
}
