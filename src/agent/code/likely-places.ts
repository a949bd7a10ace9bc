/**
 * Ranks places for a task by rule, once, before any model reads code. Also renders their text for a model's first
 * message.
 */

import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import { callableKinds, typeKinds } from "../../domain/code-symbols.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import type { CodeGraph, Entity, EntityKind } from "../../graph/contract.ts";
import { answerWith } from "../../graph/retrieval/answer.ts";
import { findPlaces } from "../../graph/retrieval/find.ts";
import type { OpenSearcher } from "../../graph/retrieval/open-searcher.ts";
import { readFunctions } from "../../graph/retrieval/read-mentions.ts";
import { withoutOutputs } from "../../graph/retrieval/statement-parts.ts";
import { linesOfSpans, type TestRegions } from "../../judging/test-regions.ts";
import { isOwnSource } from "../../languages/source-files.ts";
import { namesIn, type PlacedTest, testsOfPlaces } from "../../tools/tests-of-places.ts";
import type { ActionContext } from "../action.ts";
import { failureText } from "../state/failure-text.ts";
import { readScopes } from "../state/statement-signature.ts";
import { type LikelyPlaces, type Place, type TaskState, withoutHeldBack } from "../state/task-state.ts";
import type { TreeView } from "../views.ts";
import { findCalled } from "./called-places.ts";
import { overlap } from "./diff-spans.ts";
import { renderPlaceTexts } from "./place-texts.ts";
import type { Definition } from "./skeleton.ts";
import { withStatedLines } from "./stated-lines.ts";
import { findLiterals } from "./stated-literals.ts";
import { putLast, sortByWords, withoutGroups } from "./tests-by-words.ts";
import { findTraced } from "./traced-places.ts";

const placeSchema = z.object({
  file: z.string(),
  startLine: z.int(),
  endLine: z.int(),
  why: z.string(),
});
const likelySchema = z.object({ places: z.array(placeSchema), tests: z.array(placeSchema) });

const most = { files: 6, places: 10, tests: 4, asked: 24, failures: 2, named: 4 };
/** Limits of the ranking. An author's first message has a separate budget. */
const budget = { tokens: 2_400, longestPiece: 40, longestOfFirst: 90 };

/** Minimum share of the budget if the first place is certain: the statement quotes its lines, or names its code. */
const ofCertain = 0.6;
/** Factor by which the certain places themselves may exceed the budget. */
const forCertain = 1.5;
/** Approximate characters per token. */
const charactersPerToken = 4;
/** Number of ranked places that come before callees. */
const beforeCalled = 2;

/** Ranks places on the base, without a model. Records the step, so that a resumed run begins with the same places. */
export function findLikely(
  context: Pick<ActionContext, "regions" | "view" | "task" | "workspace" | "recorder">,
  state: TaskState,
): Promise<LikelyPlaces> {
  const { recorder, task, view, workspace } = context;
  const query = queryOf(context, state);
  // Strategies of one run may get different statements, so each statement has its own recorded step.
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
    const graph = await view.context.graph();
    const traced = await withoutTests(
      context.regions,
      findTraced(graph, task.statement, (path) => isImplementation(path, context.regions)),
      linesOf,
    );
    const isTraced = (place: Place): boolean => traced.some((each) => overlap(each, place));
    const literals = await findLiterals(view, task.statement);
    const quoted = firstAsRanked(literals, ranked).filter((place) => !isTraced(place));
    const named = firstAsRanked(
      findNamed(graph, task.statement).filter(({ file }) => isImplementation(file, context.regions)),
      ranked,
    ).slice(0, most.named);
    const called = findCalled({ graph, linesOf }, ranked, query);
    const found = [...ranked.slice(0, beforeCalled), ...called, ...ranked.slice(beforeCalled)];
    const isQuoted = (place: Place): boolean => quoted.some((each) => overlap(each, place));
    const isInNamed = (place: Place): boolean => named.some((each) => contains(each, place));
    const isShown = (place: Place): boolean => isTraced(place) || isQuoted(place);
    const others = found.filter((place) => !isShown(place) && !isInNamed(place));
    const places = [...traced, ...quoted, ...named.filter((place) => !isShown(place)), ...others];
    const tests = findNearTests(searcher, places, { query, statement: task.statement });
    const reader = {
      outline: (file: string) => (graph.file(file) === undefined ? [] : graph.outline(file)),
      linesOf,
    };
    const shown = withStatedLines(reader, places.slice(0, most.places), task.statement);
    return { places: shown, tests };
  });
}

/** The tests that mention the first places. Tests with the most words of the statement come first. */
function findNearTests(
  searcher: OpenSearcher,
  places: readonly Place[],
  { query, statement }: { readonly query: string; readonly statement: string },
): Place[] {
  const words = namesIn(query);
  const near = places.slice(0, 3).map(({ file, startLine }) => ({ path: file, line: startLine, words }));
  const inFile = places.slice(0, 1).map(({ file }) => ({ path: file, words }));
  const related = testsOfPlaces(searcher, [...near, ...inFile], most.asked);
  const textOf = ({ path, startLine, endLine, qualified }: PlacedTest): string =>
    [qualified, ...(searcher.linesOf(path) ?? []).slice(startLine - 1, endLine)].join("\n");
  const ranked = sortByWords(withoutGroups(related), textOf, withoutOutputs(statement));
  return putLast(ranked, ({ path }) => path)
    .slice(0, most.tests)
    .map(({ path, startLine, endLine, qualified }) => ({ file: path, startLine, endLine, why: qualified }));
}

function contains(one: Place, other: Place): boolean {
  return one.file === other.file && one.startLine <= other.startLine && other.endLine <= one.endLine;
}

const types: ReadonlySet<EntityKind> = new Set(typeKinds);
const definitions: ReadonlySet<EntityKind> = new Set([...callableKinds, ...typeKinds]);
/** Maximum definitions of a name. A name with more definitions is too ambiguous, and a long definition too vague. */
const mostNamesakes = 3;
const longestNamed = 90;

/**
 * Finds the short functions and types that the statement names as code or as functions. Omits types without members,
 * such as most errors, because they contain no code.
 */
export function findNamed(
  graph: Pick<CodeGraph, "named" | "children" | "members">,
  statement: string,
): Place[] {
  const hasCode = ({ id, kind }: Entity): boolean =>
    !types.has(kind) || graph.children(id).length + graph.members(id).length > 0;
  return [...namedIn(statement)].flatMap((name) => {
    const own = graph
      .named(name, mostNamesakes + 1)
      .filter(({ kind, inTests, isTest }) => definitions.has(kind) && !inTests && !isTest);
    return own.length > mostNamesakes
      ? []
      : own
          .filter((each) => each.endLine - each.startLine < longestNamed && hasCode(each))
          .map(({ path, startLine, endLine }) => ({ file: path, startLine, endLine, why: "" }));
  });
}

/** Omits places in tests inside source files, because a patch must not change tests. */
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

/** Sorts places: those in highly ranked files come first. */
function firstAsRanked(quoted: readonly Place[], ranked: readonly Place[]): Place[] {
  const rankOf = ({ file }: Place): number => {
    const at = ranked.findIndex((place) => place.file === file);
    return at < 0 ? ranked.length : at;
  };
  return quoted.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** True for executable code: not for tests or declaration files. */
function isImplementation(path: string, regions: TestRegions): boolean {
  return isOwnSource(path) && !regions.isWhole(path) && !/\.d\.[cm]?ts$/.test(path);
}

/** The statement, and the first failures on the base that show the fault, without held-back tests. */
function queryOf({ task }: Pick<ActionContext, "task">, { fault }: TaskState): string {
  const shown = withoutHeldBack(fault, fault?.baseRuns[0] ?? []);
  const failures = shown
    .slice(0, most.failures)
    .map((outcome) => `${formatTestKey(outcome.key)}\n${failureText(outcome)}`);
  return [task.statement, ...failures].join("\n\n");
}

/** Returns the section of a model's first message that shows the places; "" if there are none. */
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
  let needed = 0;
  for (const place of places) {
    const { file, startLine, endLine, why } = place;
    if (why === "" && !isNamed(place, task.statement, await definitions(file))) continue;
    const lines = ((await read(file)) ?? "").split("\n").slice(startLine - 1, endLine);
    needed += lines.join("123456\n").length / charactersPerToken;
  }
  const isCertain = first.why !== "" || isNamed(first, task.statement, await definitions(first.file));
  const most = isCertain ? Math.min(forCertain * tokens, Math.max(ofCertain * tokens, needed)) : tokens;
  const text = await renderPlaceTexts(places, { now: read, base: read, definitions }, most);
  return `Ranked by rules that compare the code with the statement, likeliest first. No model has read these places yet.\n\n${text}`;
}

/** True if the statement names a definition at the place as code: `isByteLength`, `find_all`, `walk()`. */
export function isNamed(
  { startLine, endLine }: Pick<Place, "startLine" | "endLine">,
  statement: string,
  definitions: readonly Pick<Definition, "name" | "startLine" | "endLine">[],
): boolean {
  const names = namedIn(statement);
  return definitions.some(
    (each) => names.has(each.name) && each.startLine <= endLine && each.endLine >= startLine,
  );
}

/** Returns names written as code, names that prose calls functions, and the scopes in a commit's subject. */
function namedIn(statement: string): ReadonlySet<string> {
  const quoted = [...statement.matchAll(/`([^`\n]+)`|\b(\w+)\(/g)].flatMap(
    ([, code = "", called = ""]) => `${code} ${called}`.match(/\w+/g) ?? [],
  );
  return new Set([...namesIn(statement), ...quoted, ...readFunctions(statement), ...readScopes(statement)]);
}

/** Lists the tests near the likely places, for the model that searches; "" if there are none. */
export function listNearTests({ tests }: LikelyPlaces): string {
  const named = tests.map(({ file, startLine, endLine, why }) => `- ${file}:${startLine}-${endLine} ${why}`);
  return named.length === 0 ? "" : ["Tests near these places:", ...named].join("\n");
}

/** Returns the definitions of a file in the view's current tree. */
export async function definitionsOf(
  { context }: Pick<TreeView, "context">,
  file: string,
): Promise<readonly Definition[]> {
  const graph = await context.graph();
  return graph.file(file) === undefined ? [] : graph.outline(file);
}
