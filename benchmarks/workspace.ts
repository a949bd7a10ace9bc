/**
 * Measures the cost of a large repository's private copy: each step as a ratio to `cp -a` of the same tree in the same
 * run. Seconds alone depend on the disk and its other users. Prints a table; run with `npm run bench:workspace`.
 * Arguments: number of files (100,000), number of rounds (3; the median counts).
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import local from "../src/sandbox/local.ts";
import { openWorkspace } from "../src/workspace/open-workspace.ts";

const [files = 100_000, rounds = 3] = process.argv.slice(2).map(Number);
const filesPerFolder = 50;

/** Files of 1 to 4 KiB in folders of 50: the shape of a large monorepo's sources. */
function makeRepository(folder: string): void {
  for (let index = 0; index < files; index += 1) {
    const inside = join(
      folder,
      `package-${Math.floor(index / 2500)}`,
      `part-${Math.floor(index / filesPerFolder)}`,
    );
    if (index % filesPerFolder === 0) mkdirSync(inside, { recursive: true });
    const body = `export function step${index}(a, b) {\n  return a + b * ${index};\n}\n`.repeat(
      15 + (index % 45),
    );
    writeFileSync(join(inside, `file-${index}.js`), body);
  }
  const git = (...parameters: string[]) => spawnSync("git", ["-C", folder, ...parameters]);
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=bench", "-c", "user.email=bench@example.org", "commit", "--quiet", "--message=bench");
  git("gc", "--quiet"); // one pack, as a clone has it
}

type Measure = Map<string, number>;

async function time<T>(measure: Measure, name: string, work: () => Promise<T> | T): Promise<T> {
  const start = performance.now();
  const result = await work();
  measure.set(name, performance.now() - start);
  return result;
}

async function measureRound(repository: string, room: string): Promise<Measure> {
  const measure: Measure = new Map();
  const copy = join(room, "copy");
  await time(measure, "cp -a", () => spawnSync("cp", ["-a", repository, copy]));
  rmSync(copy, { recursive: true });
  const directory = mkdtempSync(join(room, "run-"));
  const runtimeDirectory = import.meta.dirname;
  const limits = { memoryBytes: 2 ** 30, cpus: 1, processes: 100 };
  const sandbox = { provider: local, mounts: "none", owner: "bench", network: true, limits } as const;
  const options = { repository, directory, runtimeDirectory, sandbox };
  const workspace = await time(measure, "open", () => openWorkspace(options));
  const checkout = await time(measure, "checkout", () => workspace.openCheckout());
  const path = "package-0/part-0/file-0.js";
  const tree = await time(measure, "write one change", () =>
    workspace.trees.write(workspace.base, [{ path, content: "changed\n" }]),
  );
  await time(measure, "lay one change", () => checkout.lay(tree));
  const damage = {
    run: "for i in $(seq 2000); do echo x > junk-$i; done; rm -rf package-1/part-5*",
    timeoutMs: 60_000,
  };
  await checkout.execute(damage);
  await time(measure, "lay after 2,000 new and 500 removed files", () => checkout.lay(workspace.base));
  await time(measure, "diff", () => workspace.trees.diff(workspace.base, tree));
  await time(measure, "close", () => workspace.close());
  rmSync(directory, { recursive: true });
  return measure;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const room = mkdtempSync(join(tmpdir(), "workspace-bench-"));
try {
  const repository = join(room, "repository");
  makeRepository(repository);
  const measures: Measure[] = [];
  for (let round = 0; round < rounds; round += 1) measures.push(await measureRound(repository, room));
  console.log(`${files} files, median of ${rounds}`);
  for (const name of measures[0]?.keys() ?? []) {
    const milliseconds = median(measures.map((measure) => measure.get(name) ?? 0));
    const ratio = median(measures.map((measure) => (measure.get(name) ?? 0) / (measure.get("cp -a") ?? 1)));
    console.log(
      `${name.padEnd(44)} ${milliseconds.toFixed(0).padStart(7)} ms  ${ratio.toFixed(3).padStart(7)} × cp -a`,
    );
  }
} finally {
  rmSync(room, { recursive: true, force: true });
}
