/**
 * Chooses the code to mutate and the tests to run. These are a patch's lines with nearby tests, or the code that new
 * tests cover.
 */
import type { Candidate } from "../../../domain/candidate.ts";
import { formatTestKey, type TestKey } from "../../../domain/test-outcome.ts";
import type { Selection } from "../../../languages/contract.ts";
import { isCodeFile, isOwnSource, languageOf, preferOwn } from "../../../languages/source-files.ts";
import { addedLines, type Change, readChange } from "../../code/change.ts";
import { changedFiles } from "../../code/changed-files.ts";
import { findTarget } from "../../kinds/target.ts";
import { composeTree, runOn } from "../../measure/run-candidate.ts";
import type { MutatedPlace } from "../../mutants/list-mutants.ts";
import { bestCandidate, type TaskState } from "../../state/task-state.ts";
import type { ReviewContext } from "../contract.ts";
import { listRead } from "../texts/too-large.ts";
import { nearTests } from "./near-tests.ts";

export interface MutationPlan {
  readonly tree: string;
  /** The tests to run, which pass on the tree. */
  readonly tests: readonly TestKey[];
  readonly places: readonly MutatedPlace[];
}

const mostTests = 200;

/**
 * Plans the mutants; undefined if the candidate does not apply, if there is no line to mutate, or if a candidate of
 * tests has no test files.
 */
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
  const passing = new Map<string, TestKey>();
  for (const selection of plan.selections) {
    const { outcomes } = await runOn(context, plan.tree, selection);
    for (const { key, status } of outcomes) if (status === "passed") passing.set(formatTestKey(key), key);
  }
  return { tree: plan.tree, places: plan.places, tests: [...passing.values()].slice(0, mostTests) };
}

interface Drawn {
  readonly tree: string;
  readonly places: readonly MutatedPlace[];
  readonly selections: readonly Selection[];
}

async function planPatch(
  context: ReviewContext,
  state: TaskState,
  candidate: Candidate,
): Promise<Drawn | undefined> {
  const composed = await composeTree(context, state, candidate);
  if (!composed.ok) return undefined;
  const tests = await nearTests(context, state);
  return {
    tree: composed.value,
    places: placesOf(context.change),
    selections: [
      ...(await selectWritten(context, candidate)),
      ...(tests.length === 0 ? [] : [{ kind: "tests" as const, tests }]),
    ],
  };
}

/**
 * Plans the mutants for new tests: on the best patch, or else on the base. The mutants are in this patch's code, or in
 * the task's target.
 */
async function planTests(
  context: Pick<ReviewContext, "regions" | "task" | "workspace">,
  state: TaskState,
  candidate: Candidate,
): Promise<Drawn | undefined> {
  const { workspace, task } = context;
  const patch = bestCandidate(state, "code");
  // The complete change, including what its parents changed before.
  const whole = [...(patch === undefined ? [] : [patch]), candidate].map(({ parent: _, ...each }) => each);
  const composed = await workspace.trees.compose(workspace.base, whole, () => workspace.base);
  const selections = await selectWritten(context, candidate);
  if (!composed.ok || selections.length === 0) return undefined;
  const places =
    patch === undefined
      ? await placesOfTarget(context, task.target)
      : placesOf(await readChange(workspace.trees, context.regions, workspace.base, patch.tree));
  return { tree: composed.value, places, selections };
}

/** Selects the candidate's own tests. */
async function selectWritten(
  { workspace, regions }: Pick<ReviewContext, "workspace" | "regions">,
  { tree }: Candidate,
): Promise<Selection[]> {
  const { tests, inside } = await changedFiles(workspace.trees, regions, workspace.base, tree);
  const present = new Set((await workspace.trees.list(tree)).map(({ path }) => path));
  const files = [...tests.filter(isOwnSource), ...inside].filter((path) => present.has(path));
  return files.length === 0 ? [] : [{ kind: "files", files }];
}

export function placesOf({ files }: Change): MutatedPlace[] {
  const places = listRead(files).flatMap((file) => {
    const { path, before, after, hunks, isTest } = file;
    const language = languageOf(path);
    if (!isCodeFile(path) || isTest || language === undefined || after === undefined) return [];
    const lines = new Set(addedLines(file));
    const old = before === undefined ? {} : { hunks: { before, list: hunks } };
    return [{ path, place: { file: path, text: after, language, lines, ...old } }];
  });
  return preferOwn(places).map(({ place }) => place);
}

async function placesOfTarget(
  { workspace }: Pick<ReviewContext, "workspace">,
  target: string | undefined,
): Promise<MutatedPlace[]> {
  const read = async (path: string): Promise<string | undefined> =>
    (await workspace.trees.read(workspace.base, path))?.toString("utf8");
  const found = await findTarget(target, read);
  const language = found.ok ? languageOf(found.value.file) : undefined;
  if (!found.ok || language === undefined) return [];
  const { file, text, spans } = found.value;
  const lines = spans.flatMap(({ startLine, endLine }) =>
    Array.from({ length: endLine - startLine + 1 }, (_, index) => startLine + index),
  );
  return [{ file, text, language, lines: new Set(lines) }];
}
