import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { MillwrightError } from "../base/errors.ts";
import type { GradingOptions } from "../bench/open-task.ts";
import type { SandboxProvider } from "../sandbox/contract.ts";
import local from "../sandbox/local.ts";
import type { Change, Split } from "./contract.ts";
import { type ValidateRequest, validateChange } from "./validate.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-validate-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const manifest = '{"devDependencies": {"vitest": "1"}}';
const author = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];

function makeBase(): string {
  const repo = join(folder, "source");
  execFileSync("git", ["init", "-q", repo]);
  writeFileSync(join(repo, "package.json"), manifest);
  const git = (...args: string[]) =>
    execFileSync("git", [...author, ...args], { cwd: repo, encoding: "utf8" });
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
  return git("rev-parse", "HEAD").trim();
}

/** Validates a change of a project whose recipes are setups, and last the machine's own toolchain. */
function validate(
  provider: SandboxProvider,
  given: ValidateRequest["given"],
  openWorkspace: GradingOptions["openWorkspace"],
) {
  const base = makeBase();
  const change = { id: "a", repository: "acme/ledger", base, commit: base, language: "typescript" };
  const options = partOf<GradingOptions>({
    ...{ place: { repo: join(folder, "source") }, directory: join(folder, "bench"), rules: [] },
    sandbox: {
      ...{ provider, mounts: "none", owner: "test", network: false },
      limits: { memoryBytes: 2 ** 30, cpus: 1, processes: 100 },
    },
    ...{ setupVariables: [], hostEnvironment: { PATH: process.env["PATH"] }, limitMs: 60_000 },
    ...{ dropEnvironments: false, signal: new AbortController().signal },
  });
  return validateChange({
    change: partOf<Change>({ ...change, date: "2024-03-02T12:00:00Z", statement: "Adds." }),
    split: partOf<Split>({ goldPatch: "", testPatch: "", mixedFiles: [] }),
    project: {
      files: ["package.json"],
      read: (path) => (path === "package.json" ? manifest : undefined),
      exists: (path) => path === "package.json",
    },
    ...{ version: "", suiteLimitMs: 60_000, given },
    options: { ...options, openWorkspace },
  });
}

const fail = (code: "repository" | "sandbox") => (): Promise<never> =>
  Promise.reject(new MillwrightError(code, `${code} failed`));

test.each([
  ["Temporary failure in name resolution", { verdict: "error", cause: "network" }],
  ["npm error code ETIMEDOUT", { verdict: "error", cause: "network" }],
  ["cp: error writing 'a': No space left on device", { verdict: "error", cause: "disk" }],
  ["SyntaxError: invalid syntax", { verdict: "dropped", cause: "never-built" }],
])("a setup that ends with %j", async (message, expected) => {
  const later = Array(9).fill("echo later").join("; ");
  const setup = `echo "${message}" >&2; ${later}; exit 1`;
  expect(await validate(local, { setup }, fail("sandbox"))).toMatchObject(expected);
});

const brokenProvider: SandboxProvider = { ...local, open: fail("sandbox") };
const withoutPackages: SandboxProvider = {
  ...local,
  async open(request) {
    const sandbox = await local.open(request);
    return { ...sandbox, execute: (command) => sandbox.execute({ ...command, run: "exit 1" }) };
  },
};

test.each([
  ["the setups, and the toolchain does not build", brokenProvider, "repository"],
  ["the toolchain, and the setups do not build", withoutPackages, "sandbox"],
] as const)("a change is tried again if the sandbox breaks for %s", async (_, provider, code) => {
  expect(await validate(provider, {}, fail(code))).toMatchObject({ verdict: "error", cause: "sandbox" });
});
