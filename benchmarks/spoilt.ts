/**
 * Counts which spoilt tasks the checks of mining find, and which good tasks they call bad.
 * `npm run bench:spoilt -- [--most 40] [--seed 1] --out FILE.jsonl FOLDER=CLONE…`: folders that `bench mine` published,
 * each with its clone. Half of the drawn tasks are spoilt in eight ways, in turn (`spoilt-ways.ts`). Each task then passes
 * through the steps that judge a task: its texts and duplicates, `bench check`, and the review by execution. The file's
 * results are not computed again. `--table` only prints them. `--way NAME` spoils in this way only. `--work FOLDER`.
 * `--known FILE.json`: spoils nothing; the file maps each id to `{"way": …}`, `good` or how somebody spoilt this task.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { checkJob } from "../src/bench/check-task.ts";
import { findGitDirectory } from "../src/bench/find-repository.ts";
import type { GradedTask } from "../src/bench/graded-task.ts";
import { layPatch } from "../src/bench/graded-tree.ts";
import { type GradingOptions, openTask } from "../src/bench/open-task.ts";
import { type HistoryTrees, openHistoryTrees } from "../src/mine/history-trees.ts";
import { readPublished } from "../src/mine/publish/published.ts";
import { type Compared, sameTask } from "../src/mine/review/duplicates.ts";
import { judgeTexts, reviewChange } from "../src/mine/review/review-change.ts";
import { taskOf } from "../src/mine/validate.ts";
import { withBenchSession } from "../src/session/bench-session.ts";
import { settingsSchema } from "../src/session/settings.ts";
import { type Mined, type Spoilt, ways } from "./spoilt-ways.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    repeats: { type: "string", default: "3" },
    way: { type: "string", multiple: true, default: [] },
    out: { type: "string", default: "spoilt.jsonl" },
    work: { type: "string", default: join(tmpdir(), "bench-spoilt") },
    table: { type: "boolean", default: false },
    known: { type: "string" },
  },
});

const resultSchema = z.object({
  id: z.string(),
  language: z.string(),
  /** "good": unchanged. */
  way: z.string(),
  isBad: z.boolean(),
  /** The step or check that called it bad, and why. */
  cause: z.string(),
  detail: z.string(),
  seconds: z.number(),
});
type Result = z.infer<typeof resultSchema>;

function readResults(): Result[] {
  if (!existsSync(values.out)) return [];
  const lines = readFileSync(values.out, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => resultSchema.parse(JSON.parse(line)));
}

/** A linear congruential generator (Numerical Recipes). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const knownSchema = z.record(z.string(), z.object({ way: z.string() }));
const known =
  values.known === undefined ? undefined : knownSchema.parse(JSON.parse(readFileSync(values.known, "utf8")));

interface Drawn {
  readonly folder: string;
  readonly task: Mined;
  readonly clone: string;
}

async function drawTasks(draw: () => number): Promise<Drawn[]> {
  const drawn: Drawn[] = [];
  for (const each of positionals) {
    const [folder = "", clone = ""] = each.split("=");
    const { candidates } = await readPublished(folder);
    drawn.push(...candidates.map((task) => ({ folder, task, clone: resolve(clone) })));
  }
  if (known !== undefined) return drawn;
  const keyed = drawn.map((each) => ({ each, key: draw() })).sort((a, b) => a.key - b.key);
  return keyed.map(({ each }) => each).slice(0, Number(values.most));
}

type Verdict = Pick<Result, "isBad" | "cause" | "detail">;

const bad = (cause: string, detail: string): Verdict => ({ isBad: true, cause, detail });

function gradedTask({ change, split, validation, recompute }: Spoilt): GradedTask {
  const task = taskOf({ change, split, version: "" }, validation);
  const { hidden } = task;
  const tests = { ...hidden.tests, files: validation.runFiles, all: validation.runFiles.length === 0 };
  return {
    ...task,
    hidden: { ...hidden, tests, ...(recompute === true ? {} : { lists: validation.lists }) },
  };
}

interface Opened {
  readonly options: GradingOptions;
  readonly trees: HistoryTrees;
}

/** Undefined if the spoilt test is no fail-to-pass test: then the task is not spoilt. */
async function judge(
  spoilt: Spoilt,
  others: readonly Mined[],
  { options, trees }: Opened,
): Promise<Verdict | undefined> {
  const { change, split } = spoilt;
  const compared = (task: Mined): Compared => ({
    ...task,
    readBase: async (path) =>
      (await trees.store.read(await trees.treeOf(task.change.base), path))?.toString("utf8"),
  });
  for (const other of others) {
    const same = await sameTask(compared(other), compared(spoilt));
    if (same !== undefined) return bad("duplicate", `as ${other.change.id}: ${same}`);
  }
  const text = judgeTexts(change, split).find(({ isBad }) => isBad);
  if (text !== undefined) return bad(text.check, text.reason);
  const checked = await checkJob(gradedTask(spoilt), Number(values.repeats), options, []).execute();
  const { state, repeatsAgree, exceptions, computed } = checked;
  if (state === "infrastructure-error") throw new Error(exceptions.join("; "));
  if (state === "unfit" || !repeatsAgree) return bad("check", exceptions.join("; "));
  const isOther = spoilt.recompute === true;
  const own = new Set(spoilt.validation.lists.failToPass);
  if (isOther && computed.failToPass.every((id) => own.has(id))) return undefined;
  const lists = isOther ? { lists: computed, failures: {} } : {};
  const validation = { ...spoilt.validation, ...lists };
  const { findings } = await reviewChange({ change, split, validation, version: "", options });
  const found = findings.find(({ isBad }) => isBad);
  if (found !== undefined) return bad(found.check, found.reason);
  return {
    isBad: false,
    cause: "",
    detail: findings.map(({ check, reason }) => `${check}: ${reason}`).join("; "),
  };
}

async function spoil(task: Mined, way: string, options: GradingOptions, draw: () => number) {
  const open = await openTask(taskOf({ ...task, version: "" }, task.validation), options);
  try {
    const { trees } = open.workspace;
    const laid = await layPatch(trees, open.trees, task.split.goldPatch);
    if (!laid.ok) throw new Error(laid.message);
    const place = { store: trees, base: open.trees.base, gold: laid.value.tree, draw };
    return await ways[way]?.(task, place);
  } finally {
    await open.close();
  }
}

function record(result: Result): void {
  appendFileSync(values.out, `${JSON.stringify(result)}\n`);
  const { id, way, isBad, cause, detail, seconds } = result;
  console.log(
    `${way}: ${id}: ${isBad ? `bad (${cause}: ${detail.slice(0, 200)})` : "good"}, ${Math.round(seconds)} s`,
  );
}

async function run(): Promise<void> {
  const draw = seeded(Number(values.seed));
  const drawn = await drawTasks(draw);
  const names = values.way.length > 0 ? values.way : Object.keys(ways);
  const tried = new Set(readResults().map(({ id, way }) => `${way} ${id}`));
  const controller = new AbortController();
  for (const [at, { folder, task, clone }] of drawn.entries()) {
    const repo = findGitDirectory(clone);
    if (repo === undefined) throw new Error(`${clone} is not a git repository`);
    const host = { environment: process.env, folder: process.cwd(), onNotice: () => {} };
    const request = {
      ...{
        host,
        settings: settingsSchema.parse({}),
        directory: join(resolve(values.work), basename(clone)),
        rules: [],
      },
      ...{ owner: `spoilt-${process.pid}`, place: { repo }, limitMs: 600_000, testLimitMs: 120_000 },
      ...{ setupVariables: ["PIP_CERT", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"], dropEnvironments: false },
      ...{ patchLimit: Number.MAX_SAFE_INTEGER, signal: controller.signal },
    };
    await withBenchSession(request, async ({ options }) => {
      const beside = known === undefined ? drawn : drawn.filter((each) => each.folder === folder);
      const others = beside.flatMap((each) => (each.task === task ? [] : [each.task]));
      const isSpoilt = known === undefined && at % 2 === 0;
      const spoilt = isSpoilt ? await firstThatSpoils(task, Math.floor(at / 2), options) : undefined;
      const { way, made } = spoilt ?? { way: known?.[task.change.id]?.way ?? "good", made: task };
      if (tried.has(`${way} ${task.change.id}`)) return;
      const started = performance.now();
      const near = isSpoilt && way === "duplicate" ? [...others, task] : others;
      const trees = await openHistoryTrees(join(request.directory, "history"), repo);
      const verdict = await judge(made, near, { options, trees }).finally(() => trees.close());
      if (verdict === undefined) return;
      const seconds = (performance.now() - started) / 1000;
      record({ id: task.change.id, language: task.change.language, way, ...verdict, seconds });
    });
  }

  /** The next ways follow if the turn's own does not fit the task. */
  async function firstThatSpoils(task: Mined, turn: number, options: GradingOptions) {
    for (let step = 0; step < names.length; step += 1) {
      const way = names[(turn + step) % names.length] ?? "";
      const made = await spoil(task, way, options, draw);
      if (made !== undefined) return { way, made };
    }
    return undefined;
  }
}

function printTable(): void {
  const groups = Map.groupBy(readResults(), ({ way }) => way);
  console.log("| defect | tasks | called bad | causes |\n| --- | ---: | ---: | --- |");
  for (const way of [...new Set([...Object.keys(ways), ...groups.keys()])].filter((each) =>
    groups.has(each),
  )) {
    const own = groups.get(way) ?? [];
    const bad = own.filter(({ isBad }) => isBad);
    const causes = [...Map.groupBy(bad, ({ cause }) => cause)].map(
      ([cause, list]) => `${cause} ${list.length}`,
    );
    console.log(`| ${way} | ${own.length} | ${bad.length} | ${causes.join(", ")} |`);
  }
}

if (!values.table) await run();
printTable();
