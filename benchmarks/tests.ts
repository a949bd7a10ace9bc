/**
 * Compares Millwright's counts of tests with the project's own. Runs `millwright tests`, and plainly the command that
 * it found, on the same folders. The folders' tests must be able to run; the benchmark does not write to them. `npm run
 * bench:tests -- FOLDER…`; `FOLDER=COMMAND` names another command for the comparison. Prints a row for each folder, and
 * each difference.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { type Counts, readCounts } from "./tests-counts.ts";

interface Found {
  readonly command: string;
  readonly directory: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly timedOut: readonly string[];
}

const limits = { timeout: 30 * 60_000, maxBuffer: 1 << 28, encoding: "utf8" } as const;
const program = join(import.meta.dirname, "../bin/millwright");

function askMillwright(folder: string): Found | string {
  const ended = spawnSync(program, ["tests", "--repo", folder, "--json"], limits);
  if (ended.status !== 0) return ended.stderr.trim().split("\n").at(-1) ?? "nothing was said";
  return JSON.parse(ended.stdout) as Found;
}

/** In a copy, beside the original: virtual environments and caches name its path. */
function askProject(folder: string, command: string, directory: string): Counts | undefined {
  const copies = mkdtempSync(join(tmpdir(), "bench-tests-"));
  try {
    const copy = join(copies, basename(folder));
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    const environment = { ...process.env, GOFLAGS: "-buildvcs=false -v -count=1", CI: "1" };
    const ended = spawnSync("sh", ["-c", command], {
      ...limits,
      cwd: join(copy, directory),
      env: environment,
    });
    return readCounts(`${ended.stdout}\n${ended.stderr}`);
  } finally {
    rmSync(copies, { recursive: true, force: true });
  }
}

const known = { commands: 0, equal: 0, compared: 0 };
for (const given of process.argv.slice(2)) {
  const [place = "", ...own] = given.split("=");
  const folder = resolve(place);
  const found = askMillwright(folder);
  if (typeof found === "string") {
    console.log(`${basename(folder)}: no command (${found})`);
    continue;
  }
  known.commands += 1;
  const counts = askProject(folder, own.length > 0 ? own.join("=") : found.command, found.directory);
  const { passed = 0, failed = 0, errored = 0 } = found.counts;
  const ours: Counts = { passed, failed: failed + errored + found.timedOut.length };
  const says = ({ passed: good, failed: bad }: Counts): string => `${good} passed, ${bad} failed`;
  if (counts === undefined) {
    console.log(
      `${basename(folder)}: ${says(ours)}; the output of its own command has no known counts (${found.command})`,
    );
    continue;
  }
  known.compared += 1;
  const isEqual = counts.passed === ours.passed && counts.failed === ours.failed;
  if (isEqual) known.equal += 1;
  const limited =
    found.timedOut.length > 0
      ? `; ${found.timedOut.length} exceeded our limit: ${found.timedOut.join(", ")}`
      : "";
  console.log(
    `${basename(folder)}: ${isEqual ? "equal" : "DIFFERS"}: ${says(ours)}; its own command: ${says(counts)}${limited} (${found.command})`,
  );
}
console.log(
  `found the command for ${known.commands} of ${process.argv.length - 2} folders; the counts are equal for ${known.equal} of ${known.compared}`,
);
