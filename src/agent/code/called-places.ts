/**
 * Finds callees of the functions that a statement names, if the callees' names also contain words of the statement.
 * Reports name the entry point, but a function some calls deeper often decides the behaviour. Its name contains the
 * same words.
 */
import type { CodeGraph, Entity } from "../../graph/contract.ts";
import { isSourceFile } from "../../languages/source-files.ts";
import type { Place } from "../state/task-state.ts";
import type { Span } from "./diff-spans.ts";

/** Limits: call depth, visited functions, returned callees, and definitions of an ambiguous name. */
const most = { calls: 3, functions: 150, taken: 3, meant: 6 };
/** Minimum number of words that a callee's name shares with the statement. A single word may be a coincidence. */
const fewestShared = 2;

export interface CalledContext {
  readonly graph: Pick<CodeGraph, "file" | "outline" | "outgoing" | "named">;
  readonly linesOf: (path: string) => readonly string[] | undefined;
}
type Graph = CalledContext["graph"];

/**
 * Follows the calls of functions that the statement names, in the files of the `ranked` places. Returns at most three
 * called functions outside these places whose names share words with the statement, best first.
 */
export function findCalled(context: CalledContext, ranked: readonly Span[], statement: string): Place[] {
  const { graph } = context;
  const said = new Set(partsOf(statement));
  const named = namedIn(graph, ranked, new Set(statement.match(/[A-Za-z_]\w+/g)));
  const reached = walk(context, named);
  const rated = reached.flatMap(({ entity, calls, from }) => {
    const shared = partsOf(entity.name).filter((word) => said.has(word)).length;
    return shared < fewestShared ? [] : [{ entity, from, score: shared - calls / 10 }];
  });
  return rated
    .toSorted((one, other) => other.score - one.score)
    .map(({ entity: { path, startLine, endLine }, from }) => ({
      ...{ file: path, startLine, endLine },
      why: `called from ${from}`,
    }))
    .filter((place) => !ranked.some((each) => holds(each, place)))
    .slice(0, most.taken);
}

/** The named functions in the files of the ranked places. A name of one plain word does not count. */
function namedIn(graph: Graph, ranked: readonly Span[], words: ReadonlySet<string>): Entity[] {
  const files = [...new Set(ranked.map(({ file }) => file))].filter((file) => graph.file(file) !== undefined);
  return files.flatMap((file) =>
    graph.outline(file).filter((entity) => isCode(entity) && isName(entity.name) && words.has(entity.name)),
  );
}

interface Reached {
  readonly entity: Entity;
  readonly calls: number;
  /** The function that the statement names. */
  readonly from: string;
}

/** Visits each function once, breadth first. */
function walk(context: CalledContext, named: readonly Entity[]): Reached[] {
  const seen = new Set(named.map(({ id }) => id));
  let front: readonly Reached[] = named.map((entity) => ({ entity, calls: 0, from: entity.name }));
  const reached: Reached[] = [];
  for (let calls = 1; calls <= most.calls; calls += 1) {
    const next: Reached[] = [];
    for (const { entity, from } of front)
      for (const to of calleesOf(context, entity)) {
        if (seen.has(to.id) || !isCode(to) || reached.length + next.length >= most.functions) continue;
        seen.add(to.id);
        next.push({ entity: to, calls, from });
      }
    reached.push(...next);
    front = next;
  }
  return reached;
}

/**
 * Returns the functions that a function calls. For an unresolved call, returns the functions with its name in files of
 * the same type, unless too many functions have this name (`most.meant`).
 */
function calleesOf({ graph, linesOf }: CalledContext, entity: Entity): Entity[] {
  const { id, path, startLine, endLine } = entity;
  const resolved = graph.outgoing(id, ["calls"]).map(({ to }) => to);
  const known = new Set([entity.name, ...resolved.map(({ name }) => name)]);
  const body = linesOf(path)?.slice(startLine, endLine).join("\n") ?? "";
  const called = [...body.matchAll(/\b([A-Za-z_]\w{2,})\s*\(/g)].map(([, name = ""]) => name);
  const extension = path.slice(path.lastIndexOf("."));
  const meant = [...new Set(called)].flatMap((name) => {
    const found = known.has(name) ? [] : graph.named(name, most.meant + 1).filter(isCode);
    return found.length > most.meant ? [] : found.filter((each) => each.path.endsWith(extension));
  });
  return [...resolved, ...meant];
}

function isCode({ kind, path, inTests }: Entity): boolean {
  return /^(?:function|method|constructor|macro)$/.test(kind) && !inTests && isSourceFile(path);
}

/** True for a name such as `parse_url` or `parseUrl`, which is not a plain word. */
function isName(name: string): boolean {
  return /[a-z][A-Z]|[A-Za-z\d]_[A-Za-z\d]/.test(name);
}

function holds(one: Span, other: Span): boolean {
  return one.file === other.file && one.startLine <= other.startLine && other.startLine <= one.endLine;
}

/**
 * Splits a name such as `parse_from_rfc2822` or `parseFromRfc2822` into its distinct parts, in lower case. Omits short
 * parts, and common ones such as `get`.
 */
export function partsOf(text: string): string[] {
  const parts = text
    .replaceAll(/([a-z])([A-Z\d])|(\d)([A-Za-z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3$5 $2$4")
    .toLowerCase()
    .match(/[a-z]{3,}|\d{2,}/g);
  return [...new Set(parts)].filter((word) => !common.has(word));
}

const common = new Set("get set the and for from with new not has into this that make self".split(" "));
