/**
 * Ranks places for a task by rule, once, before any model reads code. Also renders their text for a model's first
 * message.
 */

import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import { answerWith } from "../../graph/retrieval/answer.ts";
import { findPlaces } from "../../graph/retrieval/find.ts";
import { linesOfSpans, type TestRegions } from "../../judging/test-regions.ts";
import { isOwnSource } from "../../languages/source-files.ts";
import { namesIn, testsOfPlaces } from "../../tools/tests-of-places.ts";
import type { ActionContext } from "../action.ts";
import { failureText } from "../state/failure-text.ts";
import { type LikelyPlaces, type Place, type TaskState, withoutHeldBack } from "../state/task-state.ts";
import type { TreeView } from "../views.ts";
import { findCalled } from "./called-places.ts";
import { overlap } from "./diff-spans.ts";
import { renderPlaceTexts } from "./place-texts.ts";
import type { Definition } from "./skeleton.ts";
import { findLiterals } from "./stated-literals.ts";

const placeSchema = z.object({
  file: z.string(),
  startLine: z.int(),
  endLine: z.int(),
  why: z.string(),
});
const likelySchema = z.object({ places: z.array(placeSchema), tests: z.array(placeSchema) });

const most = { files: 6, places: 10, tests: 4, failures: 2 };
/** Limits of the ranking; an opening has a separate budget. */
const budget = { tokens: 2_400, longestPiece: 40, longestOfFirst: 90 };

/** The share of the budget for places next to lines that the statement quotes, or to code that it names. */
const ofCertain = 0.6;
/** Number of ranked places before their callees. */
const beforeCalled = 2;

/** Ranks places on the base, without a model. Records the step, so that a resumed run begins with the same places. */
export function findLikely(
  context: Pick<ActionContext, "regions" | "view" | "task" | "workspace" | "recorder">,
  state: TaskState,
): Promise<LikelyPlaces> {
  const { recorder, task, view, workspace } = context;
  const query = queryOf(context, state);
  // Strategies of one run may get different statements, so their answers are kept apart.
  const key = `likely-places:${hashText(query)}`;
  return recorder.step({ key, title: "rank the places", schema: likelySchema }, async () => {
    await view.lay(workspace.base);
    if (query.trim() === "") return { places: [], tests: [] };
    const searcher = await view.context.searcher();
    const { linesOf } = searcher;
    const answered = findPlaces(searcher, query);
    const answer = answerWith(searcher, answered, {
      files: most.files,
      places: most.places * 2,
      budget,
      linesOf,
    });
    const all = answer.places.flatMap(({ path, shown }) =>
      shown === undefined || !isImplementation(path, context.regions)
        ? []
        : [{ file: path, startLine: shown.startLine, endLine: shown.endLine, why: "" }],
    );
    const ranked = await withoutTests(context.regions, all, linesOf);
    const quoted = firstAsRanked(await findLiterals(view, task.statement), ranked);
    const called = findCalled({ graph: await view.context.graph(), linesOf }, ranked, query);
    const found = [...ranked.slice(0, beforeCalled), ...called, ...ranked.slice(beforeCalled)];
    const others = found.filter((place) => !quoted.some((each) => overlap(each, place)));
    const places = [...quoted, ...others];
    const near = places
      .slice(0, 3)
      .map(({ file, startLine }) => ({ path: file, line: startLine, words: namesIn(query) }));
    const tests = testsOfPlaces(searcher, near, most.tests).map(
      ({ path, startLine, endLine, qualified }) => ({
        file: path,
        startLine,
        endLine,
        why: qualified,
      }),
    );
    return { places: places.slice(0, most.places), tests };
  });
}

/** Tests inside a source file show its use and must not change. */
async function withoutTests(
  regions: TestRegions,
  places: readonly Place[],
  linesOf: (path: string) => readonly string[] | undefined,
): Promise<Place[]> {
  const tests = new Map<string, ReadonlySet<number>>();
  for (const { file } of places) {
    if (tests.has(file)) continue;
    const text = linesOf(file)?.join("\n") ?? "";
    tests.set(file, linesOfSpans(text, await regions.spansIn(file, text)));
  }
  return places.filter(({ file, endLine }) => tests.get(file)?.has(endLine) !== true);
}

/** Quoted text comes first, and among it the places that the words also match. */
function firstAsRanked(quoted: readonly Place[], ranked: readonly Place[]): Place[] {
  const rankOf = ({ file }: Place): number => {
    const at = ranked.findIndex((place) => place.file === file);
    return at < 0 ? ranked.length : at;
  };
  return quoted.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Executable code: neither a test nor a declaration file. */
function isImplementation(path: string, regions: TestRegions): boolean {
  return isOwnSource(path) && !regions.isWhole(path) && !/\.d\.[cm]?ts$/.test(path);
}

/** The statement, and the failures of the tests that show the fault. */
function queryOf({ task }: Pick<ActionContext, "task">, { fault }: TaskState): string {
  const shown = withoutHeldBack(fault, fault?.baseRuns[0] ?? []);
  const failures = shown
    .slice(0, most.failures)
    .map((outcome) => `${formatTestKey(outcome.key)}\n${failureText(outcome)}`);
  return [task.statement, ...failures].join("\n\n");
}

/** The section of a model's first message that shows the places; "" if there are none. */
export async function renderLikely(
  { view, task, workspace: { trees, base } }: Pick<ActionContext, "task" | "view" | "workspace">,
  { places }: LikelyPlaces,
  tokens: number,
): Promise<string> {
  const [first] = places;
  if (first === undefined) return "";
  await view.lay(base);
  const read = async (file: string) => (await trees.read(base, file))?.toString("utf8");
  const definitions = async (file: string) => definitionsOf(view, file);
  const isCertain = first.why !== "" || isNamed(first, task.statement, await definitions(first.file));
  const most = isCertain ? tokens * ofCertain : tokens;
  const text = await renderPlaceTexts(places, { now: read, base: read, definitions }, most);
  return `Ranked by the words of the statement, the likeliest first. Nobody has read these places yet.\n\n${text}`;
}

/** True if the statement names a definition of the place in the form of code: `isByteLength`, `find_all`, `walk()`. */
export function isNamed(
  { startLine, endLine }: Pick<Place, "startLine" | "endLine">,
  statement: string,
  definitions: readonly Pick<Definition, "name" | "startLine" | "endLine">[],
): boolean {
  const quoted = [...statement.matchAll(/`([^`\n]+)`|\b(\w+)\(/g)].flatMap(
    ([, code = "", called = ""]) => `${code} ${called}`.match(/\w+/g) ?? [],
  );
  const names = new Set([...namesIn(statement), ...quoted]);
  return definitions.some(
    (each) => names.has(each.name) && each.startLine <= endLine && each.endLine >= startLine,
  );
}

/** Lists the tests near the likely places, for the model that searches; "" if there are none. */
export function listNearTests({ tests }: LikelyPlaces): string {
  const named = tests.map(({ file, startLine, endLine, why }) => `- ${file}:${startLine}-${endLine} ${why}`);
  return named.length === 0 ? "" : ["Tests near them:", ...named].join("\n");
}

/** The definitions of a file in the view's current tree. */
export async function definitionsOf(
  { context }: Pick<TreeView, "context">,
  file: string,
): Promise<readonly Definition[]> {
  const graph = await context.graph();
  return graph.file(file) === undefined ? [] : graph.outline(file);
}
