/** What the commands over the code graph share: the index of a repository, brought up to date within a limit, and how entities look. */
import { type Command, InvalidArgumentError } from "commander";
import { formatDuration, parseDuration } from "../base/units.ts";
import type { RefreshResult } from "../graph/build/refresh.ts";
import type { Completeness } from "../graph/contract.ts";
import { describeMissing } from "../graph/describe-missing.ts";
import { indexesFolderOf, indexFolderOf, noteUse } from "../graph/index-folder.ts";
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
  /** Of the index. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** Opens, refreshes, says on standard error what the answer does not rest on, and works. */
export async function withGraph(
  flags: GraphFlags,
  work: (session: GraphSession) => number | Promise<number>,
): Promise<void> {
  const repository = findRepository(flags.repo);
  const graph = openGraphOf(repository, flags.indexDir);
  const directory = indexFolder(repository, flags.indexDir);
  const interrupts = listenForInterrupts();
  try {
    const limitMs = flags.refreshLimit ?? defaultLimitMs;
    const done = limitMs === 0 ? undefined : await refreshWithin(graph, limitMs, interrupts.signal);
    if (interrupts.signal.aborted) {
      process.exitCode = 130;
      return;
    }
    const index = graph.completeness();
    if (done?.busy) process.stderr.write("another process updates this index; the answer is from before\n");
    const missing = describeMissing(index);
    if (missing !== undefined) process.stderr.write(`${missing}; \`millwright index\` completes it\n`);
    const { signal } = interrupts;
    process.exitCode = await work({ graph, repository, index, directory, signal });
  } finally {
    interrupts.stop();
    graph.close();
  }
}

/** Where the words of all files are known, what would not be ready within the limit is not waited for. */
async function refreshWithin(graph: OpenGraph, limitMs: number, signal: AbortSignal): Promise<RefreshResult> {
  const [started, enough] = [performance.now(), new AbortController()];
  return await graph.refresh({
    limitMs,
    signal: AbortSignal.any([signal, enough.signal]),
    onSearchable: ({ restMs }) => {
      if (performance.now() - started + restMs > limitMs) enough.abort();
    },
  });
}

export function openGraphOf(repository: string, indexDir: string | undefined): OpenGraph {
  const directory = indexFolder(repository, indexDir);
  const graph = openGraph({ repository, directory, home: process.env.HOME });
  noteUse(directory, repository);
  if (graph.rebuilt !== undefined)
    process.stderr.write(`the index in ${directory} is built anew: ${graph.rebuilt}\n`);
  return graph;
}

/** The folder of all indexes. */
export function indexesOf(indexDir: string | undefined): string {
  const indexes = indexDir === undefined ? {} : { indexes: indexDir };
  return indexesFolderOf({ environment: process.env, ...indexes });
}

export function indexFolder(repository: string, indexDir: string | undefined): string {
  return indexFolderOf({ repository, environment: process.env, indexes: indexesOf(indexDir) });
}

export function describeTime(milliseconds: number): string {
  return formatDuration(milliseconds);
}

export function printJson(document: object): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
