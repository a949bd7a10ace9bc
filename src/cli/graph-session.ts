/** What the commands over the code graph share: the index of a repository, brought up to date within a limit, and how entities look. */
import { type Command, InvalidArgumentError } from "commander";
import { MillwrightError } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatDuration, parseDuration } from "../base/units.ts";
import type { Completeness, Entity } from "../graph/contract.ts";
import { entityLine } from "../graph/describe-entity.ts";
import { indexFolderOf } from "../graph/index-folder.ts";
import { type OpenGraph, openGraph } from "../graph/open-graph.ts";
import { listenForInterrupts } from "./interrupt.ts";
import { findRepository } from "./task-arguments.ts";

export interface GraphFlags {
  readonly repo: string;
  readonly indexDir?: string;
  readonly json?: boolean;
  /** Milliseconds. */
  readonly refreshLimit?: number;
}

export const nothingFound = 11;

export const graphExitCodes = `
Exit codes: 0 found   ${nothingFound} nothing of that name   2 wrong usage or configuration   3 infrastructure (disk)   130 interrupted`;

const defaultLimitMs = 10_000;

export function addGraphFlags(command: Command): Command {
  return command
    .option("--repo <dir>", "the repository; it is never written", ".")
    .option("--index-dir <dir>", "the folder of all indexes; default: under the user's cache directory")
    .option(
      "--refresh-limit <duration>",
      `how long it may read changed files before it answers; default ${defaultLimitMs / 1000}s, 0s for not at all`,
      readLimit,
    )
    .option("--json", "print one JSON document")
    .addHelpText("after", graphExitCodes);
}

function readLimit(text: string): number {
  const limit = /^0+\w*$/.test(text) ? 0 : parseDuration(text);
  if (limit === undefined) throw new InvalidArgumentError("a duration such as 10s");
  return limit;
}

export interface GraphSession {
  readonly graph: OpenGraph;
  readonly repository: string;
  /** For `--json`. */
  readonly index: Completeness;
}

/** Opens, refreshes, says on standard error what the answer does not rest on, and works. */
export async function withGraph(flags: GraphFlags, work: (session: GraphSession) => number): Promise<void> {
  const repository = findRepository(flags.repo);
  const graph = openGraphOf(repository, flags.indexDir);
  const interrupts = listenForInterrupts();
  try {
    const limitMs = flags.refreshLimit ?? defaultLimitMs;
    const done = limitMs === 0 ? undefined : await graph.refresh({ limitMs, signal: interrupts.signal });
    if (interrupts.signal.aborted) {
      process.exitCode = 130;
      return;
    }
    const index = graph.completeness();
    if (done?.busy) process.stderr.write("another process updates this index; the answer is from before\n");
    if (!index.complete) process.stderr.write(`${describePart(index)}; \`millwright index\` completes it\n`);
    process.exitCode = work({ graph, repository, index });
  } finally {
    interrupts.stop();
    graph.close();
  }
}

export function openGraphOf(repository: string, indexDir: string | undefined): OpenGraph {
  const indexes = indexDir === undefined ? {} : { indexes: indexDir };
  const directory = indexFolderOf({ repository, environment: process.env, ...indexes });
  const graph = openGraph({ repository, directory, home: process.env.HOME });
  if (graph.rebuilt !== undefined)
    process.stderr.write(`the index in ${directory} is built anew: ${graph.rebuilt}\n`);
  return graph;
}

function describePart({ files, indexed, resolved }: Completeness): string {
  if (indexed < files) return `only ${indexed} of ${files} files are indexed yet`;
  return `references of ${resolved} of ${files} files are resolved yet`;
}

export function describeTime(milliseconds: number): string {
  return formatDuration(milliseconds);
}

/** For a terminal: see `entityLine` of the graph. */
export function safeLine(entity: Entity): string {
  return sanitizeForTerminal(entityLine(entity));
}

/** Prints what was found, or says on standard error that nothing was, with names that are near. */
export function reportMissing(session: GraphSession, name: string, schema: string, json: boolean): number {
  const suggestions = session.graph.suggest(name);
  if (json) printJson({ schema, query: name, index: session.index, entities: [], suggestions });
  process.stderr.write(`nothing is called ${sanitizeForTerminal(name)}\n`);
  if (suggestions.length > 0)
    process.stderr.write(`  near: ${suggestions.map(sanitizeForTerminal).join(", ")}\n`);
  return nothingFound;
}

export function printJson(document: object): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** Refuses what is no file of the repository, with what it is instead. */
export function relativePath(session: GraphSession, written: string): string {
  const path = written.replace(/^\.\//, "");
  const file = session.graph.file(path);
  if (file !== undefined && file.skipped === undefined) return path;
  if (file?.skipped !== undefined)
    throw new MillwrightError("usage", `${path} is not in the index: ${file.skipped}`);
  const hint =
    path.startsWith("/") || path.split("/").includes("..") ? "Give the path relative to --repo." : undefined;
  throw new MillwrightError(
    "usage",
    `${path} is no file of ${session.repository} that git does not ignore`,
    hint === undefined ? {} : { hint },
  );
}
