/**
 * Decides if a patch is at the place that the statement mentions. A short statement often gives only the place. A test
 * that shows the fault through other functions then contains none of the statement's words. Only the base's text
 * counts: the patch's author chose the place, but not its old content.
 */
import { callableKinds, typeKinds, valueKinds } from "../../domain/code-symbols.ts";
import { isFailing, statusFinder, type TestKey } from "../../domain/test-outcome.ts";
import type { CodeGraph, Entity, EntityKind } from "../../graph/contract.ts";
import { isSourceFile } from "../../languages/source-files.ts";
import type { ActionContext, RunContext } from "../action.ts";
import { type ChangedFile, type Hunk, linesOf, readChange, withoutHunks } from "../code/change.ts";
import { leastWeakMatches, type Signature, wordsOf, wordsPerMatch } from "../state/statement-signature.ts";
import { runOn } from "./run-candidate.ts";
import { chainOf, listNamed } from "./stated-places.ts";

/** The minimum share of the patch's changes at that place. */
const leastShare = 0.5;
/** A word in a type's name is too common if all types with this word have more functions in total. */
const mostMembers = 20;

/** A place that the statement mentions. `says`: how the statement mentions it, as a part of a sentence. */
export interface PatchedPlace {
  readonly says: string;
  /**
   * True if the statement names a changed definition. Otherwise only shared words, or uses of a named value, link the
   * place to the statement.
   */
  readonly isNamed: boolean;
  /** The changes at this place. */
  readonly changes: readonly PlacedChange[];
  /** True if the patch changes nothing else outside tests, and adds no files. */
  readonly isAll: boolean;
}

export interface PlacedChange {
  readonly path: string;
  readonly hunk: Hunk;
}

/**
 * Says how the statement mentions the patch's place; undefined if it does not. `byName`: accepts a single word in the
 * name of a changed definition. Such a word supports a claim, but proves nothing.
 */
export async function sayPatchedPlace(
  {
    workspace: { trees, base },
    regions,
    view,
    task,
    signature,
  }: Pick<ActionContext, "regions" | "signature" | "view" | "task" | "workspace">,
  tree: string,
  byName = false,
): Promise<PatchedPlace | undefined> {
  const { files } = await readChange(trees, regions, base, tree);
  return sayStatedPlace(await view.context.graph(), files, { statement: task.statement, signature, byName });
}

/**
 * Finds the tests of `asked` that fail if the patch lacks its changes at the place. These are all tests if the patch
 * changes nothing else, and none if the trees conflict. Without this check, a comment in a named function would tie any
 * patch to the statement. If the patch does not build without these changes, no result shows which tests depend on the
 * place. Then only shared words can link tests to the statement. `tests`: the base with the tests.
 */
export async function testsOfPlace(
  context: RunContext & Pick<ActionContext, "regions">,
  { changes, isAll, isNamed }: PatchedPlace,
  {
    tests,
    patch,
    asked,
  }: { readonly tests: string; readonly patch: string; readonly asked: readonly TestKey[] },
): Promise<{ readonly tests: readonly TestKey[]; readonly isNamed: boolean }> {
  if (isAll) return { tests: asked, isNamed };
  const { base, trees } = context.workspace;
  const { files } = await readChange(trees, context.regions, base, patch);
  const rest = await trees.write(
    patch,
    files.flatMap((file) => {
      const own = changes.filter(({ path }) => path === file.path).map(({ hunk }) => hunk);
      return own.length === 0 ? [] : [{ path: file.path, content: withoutHunks(file, own) }];
    }),
  );
  const both = [tests, rest].map((tree, at) => ({
    ...{ id: `p${at}`, tree, kind: at === 0 ? ("reproduction" as const) : ("code" as const), origin: "" },
  }));
  const composed = await trees.compose(base, both, () => base);
  if (!composed.ok) return { tests: [], isNamed };
  const ran = await runOn(context, composed.value, { kind: "tests", tests: asked });
  return testsWithout(ran, asked, isNamed);
}

/**
 * Selects the tests of `asked` that fail without the changes at the place. Selects all tests, as not named, if this run
 * is invalid. The first parameter is the run without these changes. Pure.
 */
export function testsWithout(
  { outcomes, invalid }: Pick<Awaited<ReturnType<typeof runOn>>, "outcomes" | "invalid">,
  asked: readonly TestKey[],
  isNamed: boolean,
): Awaited<ReturnType<typeof testsOfPlace>> {
  if (invalid !== undefined) return { tests: asked, isNamed: false };
  const statusOf = statusFinder(outcomes);
  return { tests: asked.filter((key) => isFailing(statusOf(key))), isNamed };
}

interface Stated {
  readonly statement: string;
  readonly signature: Signature;
  readonly byName?: boolean;
}

/**
 * Says how the statement mentions the places that `files` change. Undefined if the statement mentions fewer than half
 * of the places, or names only other code. With `byName`, a word in the name of one place is enough. Other code is
 * neither a changed definition nor a value that the replaced code uses. `graph`: the graph of the base.
 */
export function sayStatedPlace(
  graph: CodeGraph,
  files: readonly ChangedFile[],
  { statement, signature, byName = false }: Stated,
): PatchedPlace | undefined {
  const places = files
    .filter(({ path, isTest, before }) => before !== undefined && !isTest && isSourceFile(path))
    .flatMap(({ path, hunks, before }) =>
      hunks.map((hunk) => {
        const { beforeStart, beforeEnd } = hunk;
        const lines = linesOf(before);
        // For pure additions, the lines on both sides.
        const first = Math.max(0, beforeStart - (beforeEnd > beforeStart ? 1 : 2));
        const text = lines.slice(first, Math.max(beforeEnd - 1, beforeStart)).join("\n");
        const replaced = lines.slice(beforeStart - 1, beforeEnd - 1).join("\n");
        return { path, hunk, chain: chainOf(graph, graph.entityAt(path, beforeStart)), text, replaced };
      }),
    );
  if (places.length === 0) return undefined;
  const listed = listNamed(graph, statement);
  const named = new Set(listed.map(({ id }) => id));
  const all = files.flatMap(({ isTest, hunks }) => (isTest ? [] : hunks)).length;
  const say = (found: readonly Said[], isNamed: boolean): PatchedPlace | undefined =>
    found[0] === undefined
      ? undefined
      : {
          ...{ says: found[0].says, isNamed, isAll: found.length === all },
          changes: found.map(({ place: { path, hunk } }) => ({ path, hunk })),
        };
  const sayEach = (how: (place: ChangedPlace) => string | undefined): Said[] =>
    places.flatMap((place) => {
      const says = how(place);
      return says === undefined ? [] : [{ place, says }];
    });
  const isMost = (found: readonly unknown[]): boolean => found.length >= leastShare * places.length;
  const sayNamed = ({ chain }: ChangedPlace): string | undefined => {
    const own = chain.find(({ id }) => named.has(id));
    return own === undefined ? undefined : `the patch changes ${nameOf(own)}, which the statement names`;
  };
  const stated = sayEach(sayNamed);
  if (stated.length > 0 && isMost(stated)) return say(stated, true);
  const used = sayEach((place) => sayNamed(place) ?? sayUse(listed, place));
  if (used.length > 0 && isMost(used)) return say(used, false);
  // The statement names another place.
  if (named.size > 0) return undefined;
  if (byName) {
    const counts = new Map<string, number>();
    const isLarge = (word: string): boolean => {
      const count = counts.get(word) ?? countMembers(graph, word);
      counts.set(word, count);
      return count > mostMembers;
    };
    return say(
      sayEach((place) => matchName(isLarge, signature, place)),
      false,
    );
  }
  const told = sayEach((place) => matchWords(signature, place));
  return isMost(told) ? say(told, false) : undefined;
}

/** Accepts replaced code that uses a named field, variable or constant. Any code may call a named function. */
function sayUse(named: readonly Entity[], { replaced }: ChangedPlace): string | undefined {
  const words = new Set(replaced.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
  const own = named.find(({ kind, name }) => values.has(kind) && words.has(name));
  return own === undefined
    ? undefined
    : `the patch changes code that uses ${nameOf(own)}, which the statement names`;
}

interface Said {
  readonly place: ChangedPlace;
  readonly says: string;
}

function nameOf({ kind, path, qualified }: Entity): string {
  return kind === "file" ? path : qualified;
}

interface ChangedPlace extends PlacedChange {
  /** The innermost definition and its containers. */
  readonly chain: readonly Entity[];
  /** The base's lines that the patch replaces, or between which it adds lines. */
  readonly text: string;
  /** The base's lines that the patch replaces; "" for pure additions. */
  readonly replaced: string;
}

/**
 * Accepts a word of the function's own name. Also accepts a word of its type's name if few functions belong to such
 * types.
 */
function matchName(
  isLarge: (word: string) => boolean,
  { weak }: Signature,
  { chain }: ChangedPlace,
): string | undefined {
  for (const own of chain.filter(({ kind }) => kind !== "file")) {
    const word = wordsOf(own.name).find((each) => weak.includes(each));
    if (word !== undefined && !(types.has(own.kind) && isLarge(word)))
      return `${word} is a word of ${nameOf(own)}`;
  }
  return undefined;
}

const types: ReadonlySet<EntityKind> = new Set(typeKinds);
const callables: ReadonlySet<EntityKind> = new Set(callableKinds);
const values: ReadonlySet<EntityKind> = new Set(valueKinds);

/** Counts the functions of all types whose names have the word. */
function countMembers(graph: CodeGraph, word: string): number {
  const all = graph.files().flatMap(({ path }) => graph.outline(path));
  return all
    .filter(({ kind, name, inTests }) => types.has(kind) && !inTests && wordsOf(name).includes(word))
    .flatMap(({ id }) => graph.members(id))
    .filter(({ kind }) => callables.has(kind)).length;
}

/**
 * Requires two words from the place's names and replaced text, or more for a long statement. A single word may match by
 * chance.
 */
function matchWords({ weak }: Signature, { chain, text }: ChangedPlace): string | undefined {
  const own = chain.map((each) => (each.kind === "file" ? (each.path.split("/").at(-1) ?? "") : each.name));
  const words = new Set(wordsOf(`${own.join(" ")} ${text}`));
  const shared = weak.filter((word) => words.has(word));
  const needed = Math.max(leastWeakMatches, Math.ceil(weak.length / wordsPerMatch));
  const [first] = chain;
  if (shared.length < needed || first === undefined) return undefined;
  return `the patch changes ${nameOf(first)}, which contains words of the statement: ${shared.join(", ")}`;
}
