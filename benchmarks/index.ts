/**
 * Measures the cost of the code graph on real repositories. In the same run, over the same files, also runs
 * universal-ctags (definitions only) and a parse by tree-sitter alone. Seconds depend on the machine and its load;
 * ratios depend on them less. `npm run bench:index -- DIR…` prints tables. `--rounds N` (3): the median counts, because
 * Node compiles code in the first round after an installation.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, extname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { CodeGraph, GraphFile } from "../src/graph/contract.ts";
import { indexFolderOf } from "../src/graph/index-folder.ts";
import { type OpenGraph, openGraph } from "../src/graph/open-graph.ts";
import { languageOf } from "../src/languages/source-files.ts";
import { loadParser, withTree } from "../src/syntax/parser.ts";
import { type Cost, measure, percentile } from "./index-measure.ts";
import { compareByWords, openByWords } from "./index-words.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "3" } },
});
const rounds = Number(values.rounds);
const program = resolve(import.meta.dirname, "../bin/millwright");
const parser = resolve(import.meta.dirname, "index-parse.ts");
const updates = 60;
const questions = 300;

interface Round {
  readonly ctags: Cost;
  readonly parse: Cost;
  readonly index: Cost;
  /** Until its first tier answered; the same as `index` where there is none. */
  readonly searchable: Cost;
}

/** Files that both read: tracked, in one of the twelve languages. */
function codeFiles(repository: string): string[] {
  const listed = execFileSync("git", ["-C", repository, "ls-files", "-z"], { maxBuffer: 2 ** 30 }).toString();
  return listed.split("\0").filter((path) => path !== "" && languageOf(path) !== undefined);
}

async function measureRound(repository: string, files: readonly string[], indexes: string): Promise<Round> {
  const input = `${files.join("\n")}\n`;
  const tags = join(indexes, "tags");
  const ctags = await measure({
    command: ["ctags", "--fields=+neS", "--kinds-all=*", "-f", tags, "-L", "-"],
    cwd: repository,
    input,
  });
  const halves = [0, 1].map((half) => files.filter((_, at) => at % 2 === half));
  const parsing = halves.map((half) => {
    const command = [process.execPath, "--disable-warning=ExperimentalWarning", parser];
    return measure({ command, cwd: repository, input: half.join("\n") });
  });
  const [first, second] = await Promise.all(parsing);
  if (first === undefined || second === undefined) throw new TypeError("two halves were parsed");
  rmSync(indexFolderOf({ repository, indexes, environment: {} }), { recursive: true, force: true });
  const command = [program, "index", repository, "--index-dir", indexes, "--json"];
  const index = await measure({ command, until: "searchable by words" });
  return { ctags, parse: addCosts(first, second), index, searchable: { ...index, ...index.reached } };
}

function addCosts(a: Cost, b: Cost): Cost {
  return {
    wall: Math.max(a.wall, b.wall),
    processor: a.processor + b.processor,
    memory: a.memory + b.memory,
    stdout: "",
  };
}

/** Milliseconds by the clock and of the processor: on a busy machine only the second says what the work is. */
interface Took {
  readonly wall: number;
  readonly processor: number;
}

function startClock(): () => Took {
  const [started, used] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(used);
    return { wall: performance.now() - started, processor: (user + system) / 1000 };
  };
}

/**
 * From a changed file to the answer that knows its new function: the first change that the process sees of it, the next, and
 * one that is found by looking at all files.
 */
async function measureUpdates(
  graph: OpenGraph,
  copy: string,
  files: readonly GraphFile[],
): Promise<Map<string, Took[]>> {
  const parses: Took[] = [];
  const byWay = new Map<string, Took[]>();
  const update = (path: string): Promise<unknown> => graph.update(path);
  const ways = { first: update, again: update, "looked for": () => graph.refresh() };
  for (let count = 0; count < updates; count++) {
    const file = files[Math.floor((count * files.length) / updates)];
    if (file === undefined) continue;
    const path = join(copy, file.path);
    const before = readFileSync(path);
    let text = before.toString();
    for (const [number, [way, bringUpToDate]] of Object.entries(ways).entries()) {
      const name = `addedByBench${count}n${number}`;
      text += `\n${newFunction(file.language, name)}\n`;
      writeFileSync(path, text);
      const took = startClock();
      await bringUpToDate(file.path);
      const isVisible = graph.named(name).length > 0;
      byWay.set(way, [...(byWay.get(way) ?? []), took()]);
      // What follows a place that does not parse may be taken for a part of it.
      if (!isVisible && file.syntaxErrors === 0)
        throw new Error(`the new function of ${file.path} is not visible`);
    }
    parses.push(await measureParse(file.path, text));
    writeFileSync(path, before);
    await graph.update(file.path);
  }
  return new Map([
    ...[...byWay].map(([way, times]) => [`one changed file, ${way}`, times] as const),
    ["tree-sitter's parse of it", parses],
  ]);
}

async function measureParse(path: string, text: string): Promise<Took> {
  const grammar = languageOf(path)?.grammar(extname(path));
  if (grammar === undefined) throw new TypeError(`${path} is code`);
  await loadParser(grammar);
  const took = startClock();
  await withTree(grammar, text, (tree) => tree.rootNode.endIndex);
  return took();
}

function newFunction(language: string, name: string): string {
  if (language === "python") return `def ${name}():\n    return 1`;
  if (language === "rust") return `fn ${name}() {}`;
  if (language === "go") return `func ${name}() {}`;
  if (language === "kotlin") return `fun ${name}() {}`;
  if (language === "java" || language === "csharp") return `class ${name} {}`;
  if (language === "c" || language === "cpp") return `void ${name}(void) {}`;
  return language === "lua" ? `function ${name}() end` : `function ${name}() {}`;
}

/** Each question, over names and files spread over the repository. */
function measureQuestions(graph: CodeGraph, files: readonly GraphFile[]): Map<string, Took[]> {
  const times = new Map<string, Took[]>();
  const ask = (name: string, question: () => unknown): void => {
    const took = startClock();
    question();
    times.set(name, [...(times.get(name) ?? []), took()]);
  };
  for (let count = 0; count < questions; count++) {
    const file = files[(count * 7919) % files.length];
    const defined = file === undefined ? [] : graph.outline(file.path);
    const entity = defined[(count * 31) % Math.max(1, defined.length)];
    if (file === undefined || entity === undefined) continue;
    ask("symbol", () => graph.named(entity.name));
    ask("references", () => graph.incoming(entity.id));
    ask("callees", () => graph.outgoing(entity.id));
    ask("neighbours", () => graph.neighbours(entity.id));
    ask("outline", () => graph.outline(file.path));
    ask("at a line", () => graph.entityAt(file.path, entity.startLine));
    ask("FILE:LINE:NAME", () => graph.meantAt(file.path, entity.startLine, entity.name));
    if (count % 30 === 0) ask("missing name", () => graph.suggest(`${entity.name}x`));
    if (count % 100 === 0) ask("map", () => graph.map({ tokens: 2000 }));
  }
  return times;
}

const median = (costs: readonly number[]): number => percentile(costs, 0.5);
const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

async function measureRepository(given: string): Promise<void> {
  const room = mkdtempSync(join(tmpdir(), "millwright-bench-index-"));
  try {
    const repository = join(room, basename(resolve(given)));
    cpSync(resolve(given), repository, { recursive: true, verbatimSymlinks: true });
    const files = codeFiles(repository);
    const indexes = join(room, "indexes");
    execFileSync("mkdir", [indexes]);
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round++)
      measured.push(await measureRound(repository, files, indexes));
    const directory = indexFolderOf({ repository, indexes, environment: {} });
    const graph = openGraph({ repository, directory, home: undefined });
    await describe(graph, repository, measured);
    graph.close();
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}

const rowNames = {
  ctags: "ctags: definitions only",
  searchable: "millwright: searchable by words",
  index: "millwright: complete",
  parse: "tree-sitter's parse alone, 2 processes",
} as const;

async function describe(graph: OpenGraph, repository: string, measured: readonly Round[]): Promise<void> {
  const code = graph.files().filter(({ language, skipped }) => skipped === undefined && language !== "");
  const sources = code.filter(({ path }) => languageOf(path) !== undefined);
  const megabytes = sources.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  const lines = sources.reduce((sum, file) => sum + file.lines, 0);
  const { entities, edges } = JSON.parse(measured.at(-1)?.index.stdout ?? "{}") as Record<string, number>;
  console.log(
    `\n${basename(repository)}: ${sources.length} files of code, ${lines} lines, ${megabytes.toFixed(1)} MB`,
  );
  console.log(`${entities} entities, ${edges} edges`);
  const rows = (["ctags", "searchable", "index", "parse"] as const).map((name) => {
    const wall = median(measured.map((round) => round[name].wall));
    const ratio = median(measured.map((round) => round[name].wall / round.ctags.wall));
    const processor = median(measured.map((round) => round[name].processor));
    const work = median(measured.map((round) => round[name].processor / round.ctags.processor));
    return {
      what: rowNames[name],
      "wall s": wall.toFixed(1),
      "× ctags": ratio.toFixed(2),
      "processor s": processor.toFixed(1),
      "× ctags ": work.toFixed(2),
      "MB/s": (megabytes / wall).toFixed(1),
      memory: mib(Math.max(...measured.map((round) => round[name].memory))),
    };
  });
  console.table(rows);
  const usual = sources.filter(({ lines: count, isGenerated }) => count > 20 && !isGenerated);
  const byWords = await openByWords(repository, dirname(repository));
  if (byWords !== undefined) {
    console.table(compareByWords(byWords, graph));
    console.log("questions, answered by words");
    showTimes(measureQuestions(byWords, usual));
    byWords.close();
  }
  console.log("questions, answered by the complete index");
  const times = new Map(measureQuestions(graph, usual));
  for (const [what, took] of await measureUpdates(graph, repository, usual)) times.set(what, took);
  showTimes(times);
}

function showTimes(times: ReadonlyMap<string, readonly Took[]>): void {
  console.table(
    [...times].map(([what, all]) => {
      const [walls, work] = [all.map(({ wall }) => wall), all.map(({ processor }) => processor)];
      return {
        what,
        "p50 ms": percentile(walls, 0.5).toFixed(1),
        "p95 ms": percentile(walls, 0.95).toFixed(1),
        "p50 processor ms": percentile(work, 0.5).toFixed(1),
        "p95 processor ms": percentile(work, 0.95).toFixed(1),
        "first ms": walls[0]?.toFixed(1),
      };
    }),
  );
}

if (positionals.length === 0) throw new Error("npm run bench:index -- DIR… [--rounds N]");
console.log(`${availableParallelism()} cores, ${rounds} round${rounds === 1 ? "" : "s"}, ${process.version}`);
for (const repository of positionals) await measureRepository(repository);
