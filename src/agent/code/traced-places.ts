/**
 * Finds the code that the stack traces of a statement name. The reporter's machine has other folders, and often another
 * version of the project. Millwright therefore searches for the frame's function, because its line may have moved.
 */
import { callableKinds } from "../../domain/code-symbols.ts";
import type { CodeGraph, Entity } from "../../graph/contract.ts";
import { commonEnd } from "../../graph/retrieval/mention-scores.ts";
import type { Place } from "../state/task-state.ts";
import { readStackFrames, type StatedFrame, standardLibrary } from "./stack-frames.ts";
import { spanAround } from "./stated-literals.ts";

type Graph = { readonly [Name in "files" | "outline"]: CodeGraph[Name] };

/** Limits: returned places, and lines of a function that does not contain the frame's line. */
const most = { places: 4, lines: 40 };
const callables: ReadonlySet<string> = new Set(callableKinds);

/**
 * Returns the places of the project's own frames, innermost first, each function once. `isOwn`: false for files to
 * exclude.
 */
export function findTraced(graph: Graph, statement: string, isOwn: (path: string) => boolean): Place[] {
  const frames = readStackFrames(statement);
  if (frames.length === 0) return [];
  const lengths = new Map(graph.files().flatMap(({ path, lines }) => (isOwn(path) ? [[path, lines]] : [])));
  const files = [...lengths.keys()];
  const known = new Map<string, Match[]>();
  const matches = frames.flatMap((frame) => {
    const match = matchFrame(graph, files, frame);
    if (match === undefined) return [];
    known.set(frame.path, [...(known.get(frame.path) ?? []), match]);
    return [{ frame, match }];
  });
  const places = new Map<string, Place>();
  for (const { frame, match } of matches) {
    const { file, isCertain, definition } = match;
    // For a frame without a name, another frame of the file shows whether the file belongs to the project.
    const confirmed =
      isCertain || known.get(frame.path)?.some((each) => each.isCertain && each.file === file);
    if (confirmed !== true) continue;
    if (definition === undefined && frame.line > (lengths.get(file) ?? 0)) continue;
    const place = placeOf(graph, file, frame, definition);
    const key = `${file}:${around(graph, file, place.startLine)?.id ?? place.startLine}`;
    if (!places.has(key)) places.set(key, place);
  }
  return [...places.values()].slice(0, most.places);
}

interface Match {
  readonly file: string;
  /** False if the frame and the file may belong to different packages. */
  readonly isCertain: boolean;
  /** The frame's function. */
  readonly definition: Entity | undefined;
}

/** The folders in which languages keep installed packages. Package managers add a version or a hash to the name. */
const packageFolders: readonly RegExp[] = [
  /^.*\.cargo\/registry\/src\/[^/]+\/(?<name>[^/]+?)-\d[^/]*\/(?<rest>.+)$/,
  /^.*\.cargo\/git\/checkouts\/(?<name>[^/]+?)-[\da-f]{6,}\/[^/]+\/(?<rest>.+)$/,
  /^.*\bnode_modules\/(?<name>(?:@[^/]+\/)?[^/]+)\/(?<rest>.+)$/,
  /^.*\b(?:site|dist)-packages\/(?<rest>(?<name>[^/]+)\/.+)$/,
  /^.*\/gems\/(?<name>[^/]+?)-\d[^/]*\/(?<rest>.+)$/,
  /^.*\/pkg\/mod\/(?<name>[^@]+)@[^/]+\/(?<rest>.+)$/,
  /^.*\/vendor\/(?<name>[^/]+\/[^/]+)\/(?<rest>.+)$/,
];

function matchFrame(graph: Graph, files: readonly string[], frame: StatedFrame): Match | undefined {
  for (const pattern of packageFolders) {
    const { name, rest } = pattern.exec(frame.path)?.groups ?? {};
    if (rest !== undefined) return matchInPackage(graph, files, frame, { name: name ?? "", rest });
  }
  if (standardLibrary.test(frame.path)) return undefined;
  const wanted = frame.path.split("/").filter((part) => !/^(?:\.{0,2}|[A-Za-z]:)$/.test(part));
  const rated = files.map((file) => ({ file, common: commonEnd(wanted, file.split("/")) }));
  const longest = Math.max(0, ...rated.map(({ common }) => common));
  const isWhole = (file: string): boolean => file.split("/").length === longest;
  const best = rated
    .filter(({ file, common }) => common === longest && (longest > 1 || isWhole(file)))
    .map(({ file }) => withDefinition(graph, file, frame));
  const named = best.filter(({ definition }) => definition !== undefined);
  const likely = named.length > 0 ? named : best;
  const whole = likely.filter(({ file }) => isWhole(file));
  const [only, ...others] = whole.length > 0 ? whole : likely;
  if (only === undefined || others.length > 0) return undefined;
  return { ...only, isCertain: true };
}

/**
 * Finds the frame's file in the repository. The frame's package may be the project itself, one of its members, or a
 * dependency with an equal file name.
 */
function matchInPackage(
  graph: Graph,
  files: readonly string[],
  frame: StatedFrame,
  { name, rest }: { readonly name: string; readonly rest: string },
): Match | undefined {
  const folder = plain(name.slice(name.lastIndexOf("/") + 1));
  const found = files.filter((file) => file === rest || file.endsWith(`/${rest}`));
  const inFolder = found.filter((file) => {
    const parts = file.slice(0, file.length - rest.length).split("/");
    return plain(parts.at(-2) ?? "") === folder || rest.startsWith(`${name}/`);
  });
  const [own, ...others] = inFolder;
  if (own !== undefined && others.length === 0)
    return { ...withDefinition(graph, own, frame), isCertain: true };
  const named = (own === undefined ? found : inFolder).map((file) => withDefinition(graph, file, frame));
  const confirmed = named.filter(
    ({ file, definition }) => definition !== undefined && isQualified(graph, file, frame),
  );
  const best =
    confirmed.find(({ file }) => file === rest) ?? (confirmed.length === 1 ? confirmed[0] : undefined);
  if (best !== undefined) return { ...best, isCertain: true };
  const top = named.find(({ file }) => file === rest);
  return frame.name === undefined && top !== undefined ? { ...top, isCertain: false } : undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-.]/g, "_");
}

/**
 * True if the file defines the frame's qualifier, or if the qualifier is a name in the file's path. Also true for a
 * frame without a qualifier.
 */
function isQualified(graph: Graph, file: string, { qualifier }: StatedFrame): boolean {
  if (qualifier === undefined || graph.outline(file).some(({ name }) => name === qualifier)) return true;
  const parts = file.replace(/\.\w+$/, "").split("/");
  return parts.some((part) => plain(part) === plain(qualifier));
}

/** Finds the function with the frame's name. If there are several, takes the one around the line, or the nearest. */
function withDefinition(
  graph: Graph,
  file: string,
  { name, line }: StatedFrame,
): { readonly file: string; readonly definition: Entity | undefined } {
  const distance = ({ startLine, endLine }: Entity): number => Math.max(0, startLine - line, line - endLine);
  const [definition] = graph
    .outline(file)
    .filter((each) => callables.has(each.kind) && each.name === name)
    .toSorted((one, other) => distance(one) - distance(other));
  return { file, definition };
}

function placeOf(
  graph: Graph,
  file: string,
  { name, line }: StatedFrame,
  definition: Entity | undefined,
): Place {
  const at = `named by the statement's stack trace${name === undefined ? "" : ` in ${name}`}`;
  if (definition === undefined || (definition.startLine <= line && line <= definition.endLine))
    return { file, ...spanAround(graph.outline(file), line), why: `${at}, line ${line}` };
  const { startLine, endLine } = definition;
  return {
    file,
    startLine,
    endLine: Math.min(endLine, startLine + most.lines - 1),
    why: `${at}, at line ${line} of another version`,
  };
}

/** The innermost function around a line. */
function around(graph: Graph, file: string, line: number): Entity | undefined {
  return graph
    .outline(file)
    .filter((each) => callables.has(each.kind) && each.startLine <= line && line <= each.endLine)
    .toSorted((one, other) => one.endLine - one.startLine - (other.endLine - other.startLine))[0];
}
