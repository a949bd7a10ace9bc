/**
 * Finds the repository's definitions and files that a statement names, and the code that they reach. A repair is
 * usually in one of them, or in code that they use.
 */
import { callableKinds, typeKinds, valueKinds } from "../../domain/code-symbols.ts";
import type { CodeGraph, EdgeKind, Entity, EntityKind, EntityNumber } from "../../graph/contract.ts";
import { readMentions } from "../../graph/retrieval/read-mentions.ts";
import { partsOfStatement } from "../../graph/retrieval/statement-parts.ts";
import { readScopes } from "../state/statement-signature.ts";

export interface StatedPlaces {
  /** The names of the definitions and files in the graph, for people. */
  readonly names: readonly string[];
  /** True if the line (from 1) is in one of these definitions or files, or in code that they reach. */
  reach(path: string, line: number): boolean;
}

/** Maximum definitions of a name. With more, the name is too ambiguous. */
const mostNamesakes = 6;
/** Maximum number of uses to follow in succession. */
const mostSteps = 8;
const uses: readonly EdgeKind[] = ["calls", "references", "inherits"];
const types: ReadonlySet<EntityKind> = new Set(typeKinds);
/** Kinds of definitions that may contain a fix. Fields and constants are less informative. */
const places: ReadonlySet<EntityKind> = new Set([
  ...types,
  ...callableKinds,
  ...(["file", "module"] as const),
]);
const values: ReadonlySet<EntityKind> = new Set(valueKinds);
/** Minimum weight of a word. A word with less weight is plain prose, or a variable in an example. */
const leastWeight = 0.4;

/**
 * Returns the places that the statement names, and the code that they reach. Undefined if the statement names no
 * function, type or file outside the repository's tests.
 */
export function findStatedPlaces(graph: CodeGraph, statement: string): StatedPlaces | undefined {
  const all = listNamed(graph, statement);
  const named = all.filter(({ kind }) => places.has(kind));
  if (named.length === 0) return undefined;
  const users = all
    .filter(({ kind }) => values.has(kind))
    .flatMap(({ id }) => graph.incoming(id, uses).map(({ from }) => from));
  const reached = reachFrom(graph, [...all, ...users]);
  return {
    names: [...new Set(named.map(({ kind, qualified, path }) => (kind === "file" ? path : qualified)))],
    reach: (path, line) => chainOf(graph, graph.entityAt(path, line)).some(({ id }) => reached.has(id)),
  };
}

/** Returns the repository's own definitions and files, without tests, that the statement names. */
export function listNamed(graph: CodeGraph, statement: string): Entity[] {
  // Omits a program's output and the machine's description: the code that they name may be irrelevant.
  const parts = partsOfStatement(statement).filter(({ kind }) => kind !== "output" && kind !== "background");
  const mentions = readMentions(parts);
  const written = [
    ...mentions.names
      .filter(({ weight }) => weight >= leastWeight)
      .map(({ name, qualifier }) => (qualifier === undefined ? name : `${qualifier}.${name}`)),
    ...mentions.paths.map(({ path }) => path),
  ];
  const found = new Map<EntityNumber, Entity>();
  for (const name of written) {
    const exact = graph.named(name, mostNamesakes + 1).filter(isOwnCode);
    const own = exact.length > 0 ? exact : listMisspelt(graph, name);
    if (own.length <= mostNamesakes) for (const each of own) found.set(each.id, each);
  }
  // A scope is often the name of a folder or a module, which is too imprecise.
  for (const name of readScopes(statement))
    for (const each of graph.named(name, mostNamesakes + 1).filter(isOwnCode))
      if (each.kind !== "file" && each.kind !== "module") found.set(each.id, each);
  return [...found.values()];
}

/** Minimum length of a misspelt name. Shorter names may resemble other names by chance. */
const shortestMisspelt = 8;

/** For an unknown compound name, the only name that differs by one letter: `render_toc_url` for `render_toc_ul`. */
function listMisspelt(graph: CodeGraph, name: string): Entity[] {
  const isCompound = /[a-z]_[a-z]|[a-z][A-Z]/.test(name);
  if (name.length < shortestMisspelt || !isCompound || !/^[\w$]+$/.test(name)) return [];
  if (graph.named(name, 1).length > 0) return [];
  const near = graph
    .files()
    .flatMap(({ path }) => graph.outline(path))
    .filter((each) => isOwnCode(each) && isOneLetterApart(each.name, name));
  return new Set(near.map((each) => each.name)).size === 1 ? near : [];
}

/** True if one letter is added, missing or replaced. */
function isOneLetterApart(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1 || short === long) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}

function isOwnCode({ inTests, isTest, kind }: Entity): boolean {
  return !inTests && !isTest && (places.has(kind) || values.has(kind));
}

/**
 * Returns the named definitions, their contents, the code that these use, definitions that override or inherit these,
 * and so on for `mostSteps` steps. For a type that the code only uses, does not include all members.
 */
function reachFrom(graph: CodeGraph, named: readonly Entity[]): ReadonlySet<EntityNumber> {
  const reached = new Set<EntityNumber>();
  let front: readonly Entity[] = named;
  for (let step = 0; step <= mostSteps && front.length > 0; step += 1) {
    for (const { id } of front) reached.add(id);
    const next = front.flatMap(({ id, kind }) => [
      ...(step === 0 || !types.has(kind) ? [...graph.children(id), ...graph.members(id)] : []),
      ...graph.outgoing(id, uses).map(({ to }) => to),
      ...graph.incoming(id, ["overrides", "inherits"]).map(({ from }) => from),
    ]);
    front = [...new Map(next.map((each) => [each.id, each])).values()].filter(({ id }) => !reached.has(id));
  }
  return reached;
}

/**
 * Returns the definition and the definitions that contain it, innermost first. For a line outside all definitions, only
 * the file.
 */
export function chainOf(graph: CodeGraph, innermost: Entity | undefined): Entity[] {
  const chain: Entity[] = [];
  let at = innermost;
  while (at !== undefined && at.kind !== "folder" && at.kind !== "repository") {
    if (at.kind !== "file" || chain.length === 0) chain.push(at);
    at = graph.entity(at.parent);
  }
  return chain;
}
