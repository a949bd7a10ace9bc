/** What is mutated, and which tests are asked: the lines of a patch with the tests near them, or the code that new tests are about. */
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import { isSourceFile, languageOf } from "../../languages/source-files.ts";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";
import { listRelatedTargets } from "../related-tests.ts";
import { composeTree, runOn } from "../run-candidate.ts";
import { bestCandidate, type TaskState } from "../task-state.ts";
import { addedLines, type Change, readChange } from "./change.ts";
import type { ReviewContext } from "./contract.ts";
import type { MutatedPlace } from "./list-mutants.ts";

export interface MutationPlan {
  readonly tree: string;
  /** They pass on the tree. */
  readonly tests: readonly TestKey[];
  readonly places: readonly MutatedPlace[];
}

/** What the related tests took on the base, milliseconds, and how many tests are asked at most. */
const relatedMs = 4_000;
const mostTests = 200;

/** Undefined where the candidate cannot be laid, or nothing in it can be mutated. */
export async function planMutants(
  context: ReviewContext,
  state: TaskState,
  candidate: Candidate,
): Promise<MutationPlan | undefined> {
  const plan =
    candidate.kind === "code"
      ? await planPatch(context, state, candidate)
      : await planTests(context, state, candidate);
  if (plan === undefined || plan.places.length === 0) return undefined;
  const { outcomes } = await runOn(context, plan.tree, plan.selection);
  const tests = outcomes.filter(({ status }) => status === "passed").map(({ key }) => key);
  return { tree: plan.tree, places: plan.places, tests: tests.slice(0, mostTests) };
}

interface Drawn {
  readonly tree: string;
  readonly places: readonly MutatedPlace[];
  readonly selection: Parameters<typeof runOn>[2];
}

async function planPatch(
  context: ReviewContext,
  state: TaskState,
  candidate: Candidate,
): Promise<Drawn | undefined> {
  const composed = await composeTree(context, state, candidate);
  if (!composed.ok) return undefined;
  const tests = chooseTests(context, state);
  return {
    tree: composed.value,
    places: placesOf(context.change),
    selection: { kind: "tests", tests },
  };
}

/** Those that show the fault, the guards written beside them, and those whose files speak of a changed one. */
function chooseTests({ suite, bench, change }: ReviewContext, { fault }: TaskState): TestKey[] {
  const shown = [...(fault?.targets ?? []), ...(fault?.guards ?? []).map(({ key }) => key)];
  const files = new Set(change.files.filter(({ path }) => isSourceFile(path)).map(({ path }) => path));
  const known = new Set(shown.map(({ target }) => target));
  const related = new Set([
    ...known,
    ...listRelatedTargets(suite.outcomes, files, bench.project, { known, budgetMs: relatedMs }),
  ]);
  const taken = new Set(shown.map(formatTestKey));
  const near = suite.outcomes
    .filter(
      ({ key, status }) => status === "passed" && related.has(key.target) && !taken.has(formatTestKey(key)),
    )
    .map(({ key }) => key);
  return [...shown, ...near].slice(0, mostTests);
}

/** New tests are tried on the best patch there is, or on the base; what they are about is that patch, or the task's target. */
async function planTests(
  context: ReviewContext,
  state: TaskState,
  candidate: Candidate,
): Promise<Drawn | undefined> {
  const { workspace, change, task } = context;
  const patch = bestCandidate(state, "code");
  const treeOf = (id: string): string =>
    state.candidates.find((each) => each.id === id)?.tree ?? workspace.base;
  const composed = await workspace.trees.compose(
    workspace.base,
    patch === undefined ? [candidate] : [patch, candidate],
    treeOf,
  );
  const files = change.files
    .filter(({ isTest, after }) => isTest && after !== undefined)
    .map(({ path }) => path);
  if (!composed.ok || files.length === 0) return undefined;
  const places =
    patch === undefined
      ? await placesOfTarget(context, task.target)
      : placesOf(await readChange(workspace.trees, workspace.base, patch.tree));
  return { tree: composed.value, places, selection: { kind: "files", files } };
}

export function placesOf({ files }: Change): MutatedPlace[] {
  return files.flatMap((file): MutatedPlace[] => {
    const { path, before, after, hunks } = file;
    const language = languageOf(path);
    if (!isSourceFile(path) || language === undefined || after === undefined) return [];
    const lines = new Set(addedLines(file));
    return [
      {
        file: path,
        text: after,
        language,
        lines,
        ...(before === undefined ? {} : { hunks: { before, list: hunks } }),
      },
    ];
  });
}

/** `FILE:SYMBOL`, or a whole file. */
async function placesOfTarget(
  { workspace }: ReviewContext,
  target: string | undefined,
): Promise<MutatedPlace[]> {
  const [, path, symbol] = /^(.+?)(?::([^:/\\]+))?$/.exec(target ?? "") ?? [];
  const language = path === undefined ? undefined : languageOf(path);
  if (path === undefined || language === undefined) return [];
  const text = (await workspace.trees.read(workspace.base, path))?.toString("utf8");
  if (text === undefined) return [];
  const name = symbol?.split(/[.#]/).at(-1);
  const definition = (await extractSymbols(path, text))?.definitions.find((each) => each.name === name);
  const { startLine, endLine } = definition ?? { startLine: 1, endLine: text.split("\n").length };
  const lines = new Set(Array.from({ length: endLine - startLine + 1 }, (_, index) => startLine + index));
  return [{ file: path, text, language, lines }];
}
