import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { GradingOptions } from "../bench/open-task.ts";
import { openResultStore } from "../bench/result-store.ts";
import type { Outcome, Review, Validation } from "./contract.ts";
import { mine } from "./pipeline.ts";
import { refresh } from "./refresh.ts";
import type { MineRequest, MineSettings } from "./settings.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-refresh-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Commits a function with its test, as the change of a request. */
function commit(name: string, number: number): void {
  const clone = join(folder, "clone");
  mkdirSync(join(clone, "tests"), { recursive: true });
  writeFileSync(join(clone, `${name}.py`), `def ${name}(a):\n    return a + ${number}\n`);
  const call = `    assert ${name}(1) == ${number + 1}\n`;
  writeFileSync(join(clone, "tests", `test_${name}.py`), `def test_${name}():\n${call}`);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.invalid", ...args], { cwd: clone });
  git("init", "-q");
  git("add", "-A");
  const said = `Nobody can ask for the sum of the ${name} and its usual supplement, which every caller computes.`;
  git("commit", "-q", "-m", `Know the ${name} (#${number})\n\n${said}`);
}

const validation: Outcome<Validation> = {
  verdict: "kept",
  value: {
    ...{ testCommand: "pytest", framework: "pytest", runFiles: [], failures: {}, attempts: [] },
    ...{ repeats: [], seconds: 1, notes: [] },
    lists: { failToPass: ["a"], passToPass: [], flaky: [] },
  },
};
const review = (patchKey: string): Outcome<Review> => ({
  verdict: "kept",
  value: { type: "feature", score: 1, findings: [], patchKey },
});
const broken = { verdict: "error", cause: "sandbox", detail: "the sandbox broke" };

type Decide = NonNullable<MineRequest["elsewhere"]>;

async function request(elsewhere: Decide, limit?: number): Promise<MineRequest> {
  const settings: MineSettings = {
    ...{ repository: "acme/ledger", gitDirectory: join(folder, "clone", ".git"), since: undefined, limit },
    ...{ mostFiles: 15, mostLines: 500, linkedOnly: false, given: {}, suiteLimitMs: 1000, seed: 1 },
    ...{ issues: new Map(), forge: undefined, sampleSize: 1, splitDate: undefined, cutoffs: [] },
  };
  const signal = new AbortController().signal;
  return {
    ...{ settings, folder: join(folder, "mined"), conditions: [], workers: 1, environment: {} },
    store: await openResultStore(join(folder, "mined", "results"), false),
    options: partOf<GradingOptions>({ directory: join(folder, "work"), setupVariables: [], signal }),
    ...{ onVerdict() {}, onProgress() {}, onStep() {} },
    elsewhere,
  };
}

test.each(["validate", "review"])(
  "refresh tries a change again that a broken sandbox hit in %s",
  async (step) => {
    const works: Decide = async (job) => (job.step === "validate" ? validation : review(job.key));
    const breaks: Decide = async (job) => (job.step === step ? broken : works(job));
    commit("price", 1);
    await mine(await request(works), "publish");
    commit("discount", 2);
    const hit = await refresh(await request(breaks));
    expect(hit.card?.tasks).toBe(0);
    expect(hit.reports.at(step === "review" ? 3 : 2)).toMatchObject({ step, errors: 1 });
    commit("tax", 3);
    const later = await refresh(await request(works, 1));
    expect(later.candidates.map(({ change }) => change.id).sort()).toEqual([
      "acme__ledger-2",
      "acme__ledger-3",
    ]);
    expect(later.reports[0]).toMatchObject({ step: "collect", candidates: 1 });
    const last = await refresh(await request(works));
    expect(last.candidates).toEqual([]);
    expect(last.card?.tasks).toBe(2);
  },
);
