/**
 * Measures how long runs exceed their time limit. Runs `solve` without a model on the project's own repositories with
 * faults, each with a limit drawn by a seed. Prints the excess: the process's whole time minus the limit. Run with `npm
 * run bench:limits`. Arguments: repositories (default: the project's own small ones), `--runs N` (100), `--seed N` (1),
 * `--from S` and `--to S` (the range of limits, 2 to 30 seconds), `--sandbox NAME`.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { prepareRepository } from "./prepare-repository.ts";

const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "2" },
    to: { type: "string", default: "30" },
    sandbox: { type: "string", default: "auto" },
  },
});

/** mulberry32: numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const random = createRandom(Number(values.seed));
const given =
  positionals.length > 0
    ? positionals
    : globSync(["tests/fixtures/repos/repair-*", "tests/fixtures/repos/*faults-*"], { cwd: root })
        .sort()
        .map((path) => join(root, path));
const prepared = given.map((path) => prepareRepository(path));
const runsDirectory = mkdtempSync(join(tmpdir(), "limits-bench-"));
const excesses: number[] = [];
try {
  for (let run = 1; run <= Number(values.runs); run += 1) {
    const at = Math.floor(random() * prepared.length);
    const repository = prepared[at]?.repository ?? "";
    const limit = Number(values.from) + random() * (Number(values.to) - Number(values.from));
    const started = performance.now();
    const end = spawnSync(
      join(root, "bin/millwright"),
      [
        ...["solve", "--repo", repository, "--max-time", `${limit.toFixed(1)}s`, "--sandbox", values.sandbox],
        ...["--runs-dir", runsDirectory, "--output", "json"],
      ],
      { encoding: "utf8", maxBuffer: 2 ** 28 },
    );
    const excess = (performance.now() - started) / 1000 - limit;
    if (excess > 0) excesses.push(excess);
    const said = `${String(run).padEnd(5)}${basename(repository).padEnd(28)}${limit.toFixed(1).padStart(6)} s`;
    console.log(
      `${said}  exit ${end.status}  ${excess > 0 ? `${excess.toFixed(1)} s after the limit` : "in time"}`,
    );
  }
} finally {
  for (const { remove } of prepared) remove();
  rmSync(runsDirectory, { recursive: true, force: true });
}
excesses.sort((a, b) => a - b);
const over = (seconds: number): number => excesses.filter((excess) => excess > seconds).length;
console.log(
  `${excesses.length} of ${values.runs} runs ended after their limit. The latest ended ${(excesses.at(-1) ?? 0).toFixed(1)} s after it; ${over(2)} more than 2 s, ${over(5)} more than 5 s`,
);
