/** What a strategy left in a working tree becomes candidates: the code, and the tests that were written beside it. */
import { findStatus, formatTestKey, isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import { isTestFile } from "../languages/source-files.ts";
import type { FileChange, TreeStore } from "../workspace/contract.ts";
import type { ActionContext } from "./action.ts";
import { keepCandidate } from "./keep-candidate.ts";
import { rulesOf } from "./kinds/rules-of.ts";
import { runOn } from "./run-candidate.ts";
import { matchSignature } from "./statement-signature.ts";
import type { TaskState } from "./task-state.ts";

export interface KeptWork {
  readonly state: TaskState;
  /** For people: what of the work is not used, and why. */
  readonly remarks: readonly string[];
}

/**
 * The task's kind says what is delivered. Of a repair the tests are not: where none of the repository's shows the fault, they serve to
 * show it, provided that they fail without the code for the reason that the statement gives.
 */
export async function keepWork(
  context: ActionContext,
  state: TaskState,
  tree: string,
  origin: string,
): Promise<KeptWork> {
  const { workspace, task } = context;
  const { base, trees } = workspace;
  const changed = (await trees.stat(base, tree)).map(({ path }) => path);
  const tests = changed.filter(isTestFile);
  const code = changed.filter((path) => !isTestFile(path));
  const { delivers } = rulesOf(task.kind);
  const delivered = task.kind === "feature" ? changed : delivers === "test" ? tests : code;
  if (delivered.length === 0) return { state, remarks: describeUnused(changed) };
  const wanted = await pick(trees, base, tree, delivered);
  const kept = keepCandidate(context, state, { tree: wanted, kind: delivers, origin }).state;
  const unused = changed.filter((path) => !delivered.includes(path));
  const needsFault = task.kind === "repair" || task.kind === "partial-fix";
  if (!needsFault || state.fault !== undefined || tests.length === 0)
    return { state: kept, remarks: describeUnused(unused) };
  return showFault(context, kept, await pick(trees, base, tree, tests), tests);
}

function describeUnused(paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`Changed too, and no part of the patch: ${paths.join(", ")}.`];
}

/** The base with these files of another tree. */
async function pick(trees: TreeStore, base: string, tree: string, paths: readonly string[]): Promise<string> {
  const modes = new Map((await trees.list(tree)).map(({ path, mode }) => [path, mode]));
  const changes: FileChange[] = [];
  for (const path of paths) {
    const content = (await trees.read(tree, path)) ?? null;
    const mode = modes.get(path) as FileChange["mode"];
    changes.push({ path, content, ...(mode === undefined ? {} : { mode }) });
  }
  return trees.write(base, changes);
}

async function showFault(
  context: ActionContext,
  state: TaskState,
  tree: string,
  files: readonly string[],
): Promise<KeptWork> {
  const left = (why: string): KeptWork => ({
    state,
    remarks: [`The tests that were written (${files.join(", ")}) are no part of the patch, and ${why}.`],
  });
  const first = await runOn(context, tree, { kind: "files", files });
  if (first.invalid !== undefined) return left(`their run cannot be trusted: ${first.invalid}`);
  const failedBefore = new Set(
    context.suite.outcomes.filter(({ status }) => isFailing(status)).map(({ key }) => formatTestKey(key)),
  );
  const failing = first.outcomes.filter(
    ({ key, status }) => isFailing(status) && !failedBefore.has(formatTestKey(key)),
  );
  const fitting = failing
    .map((outcome) => ({ outcome, match: matchSignature(context.signature, outcome) }))
    .filter(({ match }) => match.matches);
  const [best] = fitting;
  if (best === undefined)
    return left(
      failing.length === 0
        ? "none of them fails without it"
        : "none of them fails without it for the reason that the statement gives",
    );
  const again = await runOn(context, tree, { kind: "tests", tests: failing.map(({ key }) => key) }, 2);
  const stable = failing.filter(({ key }) => isFailing(findStatus(again.outcomes, key)));
  if (stable.length === 0) return left("passed when they were run again: they are flaky");
  return keepReproduction(context, state, {
    tree,
    stable,
    runs: [failing, again.outcomes],
    evidence: best.match.evidence,
  });
}

interface Shown {
  readonly tree: string;
  readonly stable: readonly TestOutcome[];
  readonly runs: readonly (readonly TestOutcome[])[];
  readonly evidence: string;
}

function keepReproduction(context: ActionContext, state: TaskState, shown: Shown): KeptWork {
  const count = shown.stable.length;
  const origin = `${count} tests that show the fault`;
  const kept = keepCandidate(context, state, { tree: shown.tree, kind: "reproduction", origin });
  const fault = {
    targets: shown.stable.map(({ key }) => key),
    heldBack: [],
    baseRuns: shown.runs,
    reason: {
      holds: true,
      evidence: `${count} tests were written that fail without a patch: ${shown.evidence}`,
    },
  };
  return { state: { ...kept.state, fault }, remarks: [] };
}
