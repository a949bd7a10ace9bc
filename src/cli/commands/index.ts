import type { Command } from "commander";
import { countOf } from "../../base/count.ts";
import { interruptedExitCode } from "../../base/errors.ts";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import { formatDuration, formatSize } from "../../base/units.ts";
import type { Completeness } from "../../graph/contract.ts";
import { describeMissing } from "../../graph/describe-missing.ts";
import type { OpenGraph } from "../../graph/open-graph.ts";
import type { SweptIndex } from "../../graph/sweep-indexes.ts";
import { startEarly } from "../../graph/words/start-early.ts";
import { indexesOf, indexFolder } from "../../session/index-folders.ts";
import { findRepository } from "../../session/repository.ts";
import type { EmbeddedDefinitions } from "../embed-definitions.ts";
import { addGraphFlags, type GraphFlags, printJson } from "../graph-flags.ts";
import type { GraphSession } from "../graph-session.ts";
import { hostOf } from "../host.ts";
import { listenForInterrupts } from "../interrupt.ts";

const stopped = 12;

export function addIndexCommand(program: Command): void {
  addGraphFlags(
    program
      .command("index")
      .description("build the code graph of a repository, or update it")
      .argument("[dir]", "the repository; default: --repo")
      .option(
        "--embedding-model <name>",
        "also embed all definitions, for `find` with this model; an interrupted command can continue",
      )
      .option("--model-url <url>", "openai-compatible: the address of the server, with its /v1"),
  ).action(async (directory: string | undefined, flags: IndexFlags) => {
    await index(directory ?? flags.repo, flags);
  });
}

interface IndexFlags extends GraphFlags {
  readonly embeddingModel?: string;
  readonly modelUrl?: string;
}

async function index(folder: string, flags: IndexFlags): Promise<void> {
  const host = hostOf();
  const repository = findRepository(folder);
  const directory = indexFolder(host, repository, flags.indexDir);
  const readers = startEarly(repository, directory);
  const { openUserGraph } = await import("../../session/user-graph.ts");
  const graph = openUserGraph(host, repository, directory);
  const interrupts = listenForInterrupts();
  const started = performance.now();
  try {
    const limit = flags.refreshLimit === undefined ? {} : { limitMs: flags.refreshLimit };
    let searchable: number | undefined;
    const onSearchable = ({ byWords }: { readonly byWords: number }): void => {
      searchable = (performance.now() - started) / 1000;
      const after = formatDuration(searchable * 1000);
      process.stderr.write(
        byWords === 0
          ? `searchable after ${after}\n`
          : `searchable by words after ${after}: ${countOf(byWords, "file")}\n`,
      );
    };
    const done = await graph.refresh({
      signal: interrupts.signal,
      ...limit,
      readers,
      onProgress: showProgress(),
      onSearchable,
    });
    const seconds = (performance.now() - started) / 1000;
    const vectors =
      done.busy || done.stopped
        ? undefined
        : await embed({ graph, repository, directory, signal: interrupts.signal }, flags);
    const { sweepIndexes } = await import("../../graph/sweep-indexes.ts");
    const { swept } = sweepIndexes(indexesOf(host, flags.indexDir), Date.now());
    const report = {
      ...done,
      seconds,
      searchable: searchable ?? seconds,
      index: graph.completeness(),
      ...countRows(graph),
      swept,
      ...(vectors === undefined ? {} : { vectors }),
    };
    if (flags.json) printJson({ schema: "millwright.index/1", repository, ...report });
    else process.stdout.write(describe(report, seconds));
    const missing = describeMissing(report.index);
    if (missing !== undefined) process.stderr.write(`${missing}\n`);
    if (done.busy)
      process.stderr.write(
        "another process is updating this index, so this command left the index unchanged\n",
      );
    process.exitCode = interrupts.signal.aborted ? interruptedExitCode : done.stopped ? stopped : 0;
  } finally {
    interrupts.stop();
    graph.close();
  }
}

/** Embeds the definitions. Undefined if no model is named, or if the user stopped the command. */
async function embed(
  session: Omit<GraphSession, "index">,
  { embeddingModel, modelUrl }: IndexFlags,
): Promise<EmbeddedDefinitions | undefined> {
  if (embeddingModel === undefined) return undefined;
  const { embedDefinitions } = await import("../embed-definitions.ts");
  return embedDefinitions(session, { embeddingModel, ...(modelUrl === undefined ? {} : { modelUrl }) });
}

interface Counts {
  readonly entities: number;
  readonly edges: number;
}

function countRows({ store }: OpenGraph): Counts {
  const count = (table: string): number =>
    Number(store.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  return { entities: count("entities"), edges: count("edges") };
}

function describe(
  {
    index,
    changed,
    removed,
    entities,
    edges,
    swept,
    vectors,
  }: Counts & {
    readonly index: Completeness;
    readonly changed: number;
    readonly removed: number;
    readonly swept: readonly SweptIndex[];
    readonly vectors?: EmbeddedDefinitions;
  },
  seconds: number,
): string {
  const lines = [
    `${index.indexed} of ${countOf(index.files, "file")}, ${countOf(entities, "entity")}, ${countOf(edges, "edge")} (${formatDuration(seconds * 1000)}: ${countOf(changed, "file")} read, ${removed} gone)`,
    ...Object.entries(index.skipped).map(
      ([reason, count]) => `  ${count} left out: ${sanitizeForTerminal(reason)}`,
    ),
    ...(vectors === undefined
      ? []
      : [
          `  vectors of ${countOf(vectors.definitions, "definition")}, ${vectors.fresh} of them new (${vectors.model})`,
        ]),
    ...describeSwept(swept),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns a line about the old indexes that `index` or `doctor` removed; an empty list if none. */
export function describeSwept(swept: readonly SweptIndex[]): string[] {
  if (swept.length === 0) return [];
  const size = formatSize(swept.reduce((sum, { bytes }) => sum + bytes, 0));
  const names = swept.map(({ repository, why }) => `${sanitizeForTerminal(repository)} (${why})`);
  return [`removed ${countOf(swept.length, "old index", "old indexes")}, ${size}: ${names.join(", ")}`];
}

/** Shows the progress as an updated line, on a terminal only. */
function showProgress(): (progress: { phase: string; done: number; total: number }) => void {
  let last = 0;
  return ({ phase, done, total }) => {
    const now = Date.now();
    if (!process.stderr.isTTY || (now - last < 100 && done < total)) return;
    last = now;
    const verb = phase === "extract" ? "reading" : "resolving";
    process.stderr.write(`\r\x1b[K${verb} ${done} of ${total}${done === total ? "\r\x1b[K" : ""}`);
  };
}
