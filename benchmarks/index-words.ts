/**
 * Measures the index by words: its definitions and uses compared with the complete index, and the speed of its answers.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { CodeGraph, Entity } from "../src/graph/contract.ts";
import { type OpenGraph, openGraph } from "../src/graph/open-graph.ts";

/** The index as it is when the words are known; undefined where there is too little code for a first tier. */
export async function openByWords(repository: string, room: string): Promise<OpenGraph | undefined> {
  const directory = join(room, "by-words");
  rmSync(directory, { recursive: true, force: true });
  const graph = openGraph({ repository, directory, home: undefined });
  const stop = new AbortController();
  await graph.refresh({ signal: stop.signal, onSearchable: () => stop.abort() });
  if (graph.completeness().byWords > 0) return graph;
  graph.close();
  return undefined;
}

export interface Agreement {
  readonly what: string;
  /** Share of the whole index's that the words have, and the other way round. */
  readonly recall: string;
  readonly precision: string;
  readonly count: number;
}

const sampled = 400;

export function compareByWords(byWords: CodeGraph, whole: CodeGraph): Agreement[] {
  const paths = byWords
    .files()
    .map(({ path }) => path)
    .filter((path) => whole.file(path)?.skipped === undefined);
  const languages = new Map<string, Tally>();
  for (const path of paths) {
    const keys = (graph: CodeGraph): Set<string> =>
      new Set(graph.outline(path).map(({ name, at }) => `${name} ${at.line}`));
    const language = `definitions, ${byWords.file(path)?.language}`;
    languages.set(language, add(languages.get(language), keys(whole), keys(byWords)));
  }
  return [...languages, ...useRows(byWords, whole, paths)].map(([what, tally]) => ({
    what,
    recall: (tally.hits / Math.max(1, tally.wanted)).toFixed(3),
    precision: (tally.hits / Math.max(1, tally.given)).toFixed(3),
    count: tally.wanted,
  }));
}

interface Tally {
  readonly hits: number;
  readonly wanted: number;
  readonly given: number;
}

function add(before: Tally | undefined, wanted: ReadonlySet<string>, given: ReadonlySet<string>): Tally {
  const { hits, wanted: w, given: g } = before ?? { hits: 0, wanted: 0, given: 0 };
  return {
    hits: hits + [...wanted].filter((key) => given.has(key)).length,
    wanted: w + wanted.size,
    given: g + given.size,
  };
}

/** Of all names, and of those that one definition has: what the words are as sure of as they can be. */
function useRows(byWords: CodeGraph, whole: CodeGraph, paths: readonly string[]): [string, Tally][] {
  return [
    ["uses of a sample", compareUses(byWords, whole, paths, () => true)],
    [
      "uses of those with a name of their own",
      compareUses(byWords, whole, paths, ({ name }) => byWords.named(name, 2).length === 1),
    ],
  ];
}

/** Lines that use a definition, of functions and types spread over the repository. */
function compareUses(
  byWords: CodeGraph,
  whole: CodeGraph,
  paths: readonly string[],
  isWanted: (entity: Entity) => boolean,
): Tally {
  let tally: Tally = { hits: 0, wanted: 0, given: 0 };
  for (let count = 0; count < sampled; count++) {
    const own = byWords
      .outline(paths[(count * 7919) % paths.length] ?? "")
      .filter((one) => isUsed(one) && isWanted(one));
    const entity = own[(count * 31) % Math.max(1, own.length)];
    const same =
      entity === undefined ? undefined : whole.named(entity.name).find((one) => isSame(one, entity));
    if (entity === undefined || same === undefined) continue;
    const places = (graph: CodeGraph, id: number): Set<string> =>
      new Set(
        graph.incoming(id, ["calls", "references"]).map(({ from, edge }) => `${from.path}:${edge.at.line}`),
      );
    tally = add(tally, places(whole, same.id), places(byWords, entity.id));
  }
  return tally;
}

function isUsed({ kind }: Entity): boolean {
  return ["function", "method", "class", "struct", "trait", "interface", "enum"].includes(kind);
}

function isSame(one: Entity, other: Entity): boolean {
  return one.path === other.path && one.at.line === other.at.line;
}
