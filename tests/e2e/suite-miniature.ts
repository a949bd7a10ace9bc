/**
 * A suite in miniature: each variant attempts a task with scripted answers; then all variants replay them on all tasks.
 */
import { cpSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { suites } from "../../src/bench/suites/index.generated.ts";
import type { Playground, ProgramEnd } from "./millwright.ts";
import { type ScriptedAnswer, scriptFile } from "./scripted-solve.ts";

/** The rows of a printed table, without its head. */
export type Rows = readonly (readonly string[])[];

export interface Scripted {
  readonly variant: string;
  readonly dataset: string;
  /** A file with one task, at which attempts make the requests of all tasks of the dataset. */
  readonly file: string;
  readonly answers: readonly ScriptedAnswer[];
}

export interface Miniature {
  /** Lets the variants answer from their scripts, two at once. */
  attempt(variants: readonly Scripted[]): Promise<void>;
  /** Does so in order, and adds the calls to the recording. */
  record(variants: readonly Scripted[]): Promise<void>;
  /** Replays the recording in all variants, on a file of tasks for each dataset. Requires each table, and returns their rows by title. */
  replay(files: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, Rows>>;
  /** Prints the tables of the scripted or of the replayed batches, and runs nothing. */
  print(out: "scripted" | "out", ...args: readonly string[]): Promise<ReadonlyMap<string, Rows>>;
}

/** Each answer counts as so many tokens, and as a cent. */
const usage = { input: 1000, output: 50, usd: 0.01 };
export const usdPerToken = usage.usd / (usage.input + usage.output);

/** Recording and replay share the folder of environments, because shells show its path. */
const shared = "bench";

export function createMiniature(playground: Playground, suite: string): Miniature {
  const recording = join(playground.folder, "recording");
  mkdirSync(recording);
  const start = (...args: readonly string[]): Promise<ProgramEnd> => {
    const given = ["bench", "suite", suite, "--repositories", "repositories", "--workers", "2", ...args];
    return playground.start(given, { cwd: playground.folder }).ended;
  };
  const run = async (out: string, files: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const tasks = Object.entries(files).flatMap(([dataset, file]) => ["--tasks", `${dataset}=${file}`]);
    const end = await start(...tasks, "--out", out, ...args);
    expect(end.exitCode, end.stderr).toBe(0);
    return end;
  };
  const readWhole = ({ stdout }: ProgramEnd): ReadonlyMap<string, Rows> => {
    const tables = readTables(stdout);
    const known = suites.find(({ name }) => name === suite)?.tables;
    const titles = known?.({ arms: [], columns: [], missing: [], of: () => [], labels: [] }).map(
      ({ title }) => title,
    );
    expect([...tables.keys()].filter((title) => !title.startsWith("Labels by people"))).toEqual(titles);
    return tables;
  };
  const attempt = async (folder: string, { variant, dataset, file, answers }: Scripted): Promise<void> => {
    // One file for all datasets, so that a table has one column for it.
    const script = `${variant}.json`;
    writeFileSync(
      join(playground.folder, script),
      scriptFile(answers.map((answer) => ({ usage, ...answer }))),
    );
    const model = ["--variant", variant, "--model", `scripted:${script}`];
    await run("scripted", { [dataset]: file }, "--bench-dir", folder, ...model);
  };
  return {
    async attempt(variants) {
      const waiting = [...Map.groupBy(variants, ({ variant }) => variant).entries()];
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
          for (const each of next[1]) await attempt(`bench-${next[0]}`, each);
      };
      await Promise.all([work(), work()]);
    },
    async record(variants) {
      for (const each of variants) await attempt(shared, each);
      for (const path of globSync(`${shared}/runs/*/calls/*`, { cwd: playground.folder }))
        cpSync(join(playground.folder, path), join(recording, basename(path)));
    },
    replay: async (files) =>
      readWhole(await run("out", files, "--bench-dir", shared, "--model", "replay:recording")),
    print: async (out, ...args) => readWhole(await run(out, {}, ...args)),
  };
}

function readTables(markdown: string): Map<string, Rows> {
  const sections = markdown.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [title = "", ...lines] = section.split("\n");
      const rows = lines.filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
      return [title, rows.map((line) => line.slice(2, -2).split(" | "))];
    }),
  );
}

/** The rows of a table whose first cell has this text. */
export function rowsOf(tables: ReadonlyMap<string, Rows>, title: string, first: string): Rows {
  return (tables.get(title) ?? []).filter(([cell]) => cell?.includes(first));
}
