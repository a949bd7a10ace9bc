/**
 * Decides if a patch is at the place that the statement mentions. A short statement often gives only the place, and a
 * test that shows the fault through other functions contains none of its words. Only the base's text counts, because
 * the patch's author chose the place but not its old content.
 */
import type { CodeGraph, Entity } from "../../graph/contract.ts";
import { isSourceFile } from "../../languages/source-files.ts";
import type { ActionContext } from "../action.ts";
import { type ChangedFile, linesOf, readChange } from "../code/change.ts";
import { leastWeakMatches, type Signature, wordsOf, wordsPerMatch } from "../state/statement-signature.ts";
import { chainOf, listNamed } from "./stated-places.ts";

/** The minimum share of the patch's changes at that place. */
const leastShare = 0.5;

/** A place that the statement mentions. `says`: how the statement mentions it, as a part of a sentence. */
export interface PatchedPlace {
  readonly says: string;
  /** The statement names a changed definition; otherwise only words tie them. */
  readonly isNamed: boolean;
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

interface Stated {
  readonly statement: string;
  readonly signature: Signature;
  readonly byName?: boolean;
}

/**
 * Says how the statement mentions the places that `files` change. Undefined if it mentions fewer than half of them, or
 * names only other code. `graph`: the graph of the base.
 */
export function sayStatedPlace(
  graph: CodeGraph,
  files: readonly ChangedFile[],
  { statement, signature, byName = false }: Stated,
): PatchedPlace | undefined {
  const places = files
    .filter(({ path, isTest, before }) => before !== undefined && !isTest && isSourceFile(path))
    .flatMap(({ path, hunks, before }) =>
      hunks.map(({ beforeStart, beforeEnd }) => ({
        chain: chainOf(graph, graph.entityAt(path, beforeStart)),
        text: linesOf(before)
          // For pure additions, the lines on both sides.
          .slice(
            Math.max(0, beforeStart - (beforeEnd > beforeStart ? 1 : 2)),
            Math.max(beforeEnd - 1, beforeStart),
          )
          .join("\n"),
      })),
    );
  if (places.length === 0) return undefined;
  const named = new Set(listNamed(graph, statement).map(({ id }) => id));
  const isMost = (found: readonly unknown[]): boolean => found.length >= leastShare * places.length;
  const stated = places.flatMap(({ chain }) => chain.find(({ id }) => named.has(id)) ?? []);
  if (stated[0] !== undefined && isMost(stated))
    return { says: `the patch changes ${nameOf(stated[0])}, which the statement names`, isNamed: true };
  // It names another place.
  if (named.size > 0) return undefined;
  if (byName) {
    const [says] = places.flatMap((place) => matchName(signature, place) ?? []);
    return says === undefined ? undefined : { says, isNamed: false };
  }
  const told = places.flatMap((place) => matchWords(signature, place) ?? []);
  return told[0] !== undefined && isMost(told) ? { says: told[0], isNamed: false } : undefined;
}

function nameOf({ kind, path, qualified }: Entity): string {
  return kind === "file" ? path : qualified;
}

interface Place {
  /** The innermost definition, and its containers. */
  readonly chain: readonly Entity[];
  /** The base's lines that are replaced, or between which lines are added. */
  readonly text: string;
}

function matchName({ weak }: Signature, { chain }: Place): string | undefined {
  for (const own of chain.filter(({ kind }) => kind !== "file")) {
    const word = wordsOf(own.name).find((each) => weak.includes(each));
    if (word !== undefined) return `${word} is a word of ${nameOf(own)}`;
  }
  return undefined;
}

/**
 * Two words of its names and of the replaced text; more for a long statement. A single word may also occur where
 * something else is wrong.
 */
function matchWords({ weak }: Signature, { chain, text }: Place): string | undefined {
  const own = chain.map((each) => (each.kind === "file" ? (each.path.split("/").at(-1) ?? "") : each.name));
  const words = new Set(wordsOf(`${own.join(" ")} ${text}`));
  const shared = weak.filter((word) => words.has(word));
  const needed = Math.max(leastWeakMatches, Math.ceil(weak.length / wordsPerMatch));
  const [first] = chain;
  if (shared.length < needed || first === undefined) return undefined;
  return `the patch changes ${nameOf(first)}, which contains words of the statement: ${shared.join(", ")}`;
}
