import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import local from "../sandbox/local.ts";
import type { PackageDay } from "./package-day.ts";
import type { DatasetTask } from "./task.ts";
import { type EnvironmentOptions, type HeldEnvironment, holdEnvironment } from "./task-environment.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-environments-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", ...args], {
    cwd: join(folder, "source"),
    encoding: "utf8",
  });

/** Commits with a file of 200,000 bytes each. */
function makeCommits(count: number): string[] {
  execFileSync("git", ["init", "-q", join(folder, "source")]);
  return Array.from({ length: count }, (_, at) => {
    writeFileSync(join(folder, "source", "text.txt"), `${at}`.repeat(200_000));
    git("add", "-A");
    git("commit", "-q", "-m", "Change");
    return git("rev-parse", "HEAD").trim();
  });
}

function hold(
  commit: string,
  environmentQuota: number,
  made: { readonly setup?: string; readonly packagesUntil?: PackageDay } = {},
): Promise<HeldEnvironment> {
  const task = partOf<DatasetTask>({ repository: "acme/ledger", baseCommit: commit, version: "" });
  const place = { basePatch: undefined, setup: undefined, remove: [], image: undefined, ...made };
  const options = partOf<EnvironmentOptions>({
    place: { repo: join(folder, "source") },
    directory: join(folder, "bench"),
    sandbox: {
      ...{ provider: local, mounts: "none", owner: "test", network: false },
      limits: { memoryBytes: 2 ** 30, cpus: 1, processes: 100 },
    },
    setupVariables: [],
    hostEnvironment: { PATH: process.env["PATH"] },
    limitMs: 60_000,
    dropEnvironments: false,
    environmentQuota,
    signal: new AbortController().signal,
  });
  return holdEnvironment(task, place, options);
}

test("the least recently used environment goes first, and one in use stays", async () => {
  const [first = "", second = "", third = ""] = makeCommits(3);
  const quota = 520_000; // two of them
  const made: string[] = [];
  for (const [at, commit] of [first, second].entries()) {
    const held = await hold(commit, quota);
    await held.release();
    const used = dirname(held.repository);
    utimesSync(join(used, "environment.json"), at + 1, at + 1);
    made.push(used);
  }
  const again = await hold(first, quota); // now the second is the oldest
  const last = await hold(third, quota);
  await last.release();
  expect(made.map((path) => existsSync(path))).toEqual([true, false]);
  await again.release();
  const alone = await hold(first, 1);
  await (await hold(third, 1)).release();
  expect([made[0] ?? "", dirname(last.repository)].map((path) => existsSync(path))).toEqual([true, false]);
  await alone.release();
  expect(existsSync(made[0] ?? "")).toBe(false);
});

test("two recipes of one task each read their own files", async () => {
  const [baseCommit = ""] = makeCommits(1);
  const task = partOf<DatasetTask>({ repository: "acme/ledger", baseCommit, version: "" });
  const build = (files: string[]) => {
    const image = { base: "debian", steps: [{ run: "true", files }] };
    const options = partOf<EnvironmentOptions>({
      place: { repo: join(folder, "source") },
      directory: join(folder, "bench"),
      sandbox: { provider: local },
      setupVariables: [],
      images: {
        learn: async () => {},
        idOf: () => undefined,
        async hold(_name, _repository, _signal, layers = []) {
          if (layers.length > 0) throw new Error("planned");
          return { async release() {} };
        },
      },
    });
    return holdEnvironment(task, { basePatch: undefined, setup: undefined, remove: [], image }, options);
  };
  await expect(build(["text.txt"])).rejects.toThrow("planned");
  await expect(build(["other.txt"])).rejects.toThrow("has no file other.txt");
});

test("a setup installs packages of the commit's day or of a given day, each in an environment of its own", async () => {
  execFileSync("git", ["init", "-q", join(folder, "source")]);
  writeFileSync(join(folder, "source", "text.txt"), "text");
  git("add", "-A");
  git("-c", "user.name=T", "commit", "-q", "-m", "Begin", "--date=2020-01-01T00:00:00Z");
  const commit = git("rev-parse", "HEAD").trim();
  const today = new Date(Number(git("show", "-s", "--format=%ct").trim()) * 1000).toISOString().slice(0, 10);
  const setup =
    'echo "$MILLWRIGHT_DATE $UV_EXCLUDE_NEWER $PIP_UPLOADED_PRIOR_TO $npm_config_before" > day.txt';
  const seen: string[] = [];
  for (const made of [
    { setup },
    { setup, packagesUntil: "commit" },
    { setup, packagesUntil: "2023-06-30" },
  ]) {
    const held = await hold(commit, 2 ** 30, made);
    seen.push(readFileSync(join(held.repository, "day.txt"), "utf8").trim());
    await held.release();
  }
  const said = (day: string): string => [day, ...Array(3).fill(`${day}T23:59:59Z`)].join(" ");
  expect(seen).toEqual(["", said(today), said("2023-06-30")]);
});
