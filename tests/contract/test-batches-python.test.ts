/** That a Python candidate has the same verdict in one start with many others as in a start of its own, or none. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestBench, type TestBench } from "../../src/agent/test-bench.ts";
import { formatTestKey, type TestKey, type TestOutcome } from "../../src/domain/test-outcome.ts";
import type { BatchReport, TestCommand, TestFramework } from "../../src/languages/contract.ts";
import pytest from "../../src/languages/pytest.ts";
import unittest from "../../src/languages/unittest.ts";
import type { Workspace } from "../../src/workspace/contract.ts";
import { openWorkspace } from "../../src/workspace/open-workspace.ts";
import { type SwapCase, swapCases } from "./test-batches-python.ts";
import { pythonFixtures } from "./test-frameworks-python.ts";
import { git, localSandbox } from "./workspace-fixture.ts";

const source = join(import.meta.dirname, "../fixtures/repos/python-swap");
const runtimeDirectory = join(import.meta.dirname, "../../src/languages/runtime");
const changed = "kiosk/stock.py";
const target = "tests/test_stock.py";
const base = readFileSync(join(source, changed), "utf8");
/** These tests do what shuts every candidate out of a batch. */
const outside = new Set(["command_line", "writes"]);
const testTimeoutMs = 1000;

function apply({ from, to }: SwapCase): string {
  if (!base.includes(from)) throw new Error(`${from} is not in ${changed}`);
  return base.replace(from, to);
}

function statusesOf(outcomes: readonly TestOutcome[] | undefined): Record<string, string> {
  const ran = (outcomes ?? []).filter((outcome) => outcome.status !== "not-run");
  return Object.fromEntries(ran.map((outcome) => [formatTestKey(outcome.key), outcome.status]));
}

interface Opened {
  readonly workspace: Workspace;
  readonly bench: TestBench;
  readonly command: TestCommand;
  close(): Promise<void>;
}

async function openProject(framework: TestFramework, text: string): Promise<Opened> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "batch-test-")));
  const repository = join(folder, "project");
  const directory = join(folder, "workspace");
  cpSync(source, repository, { recursive: true });
  mkdirSync(directory);
  git(repository, "init", "--quiet");
  const { provider, mounts } = localSandbox;
  const limits = { memoryBytes: 1024 ** 3, cpus: 2, processes: 256 };
  const workspace = await openWorkspace({
    repository,
    directory,
    runtimeDirectory,
    sandbox: { provider, mounts, owner: `batch-test-${process.pid}`, network: false, limits },
  });
  const bench = await openTestBench(workspace, [framework], new AbortController().signal);
  const command = framework.recognise(text, bench.project);
  if (command === undefined) throw new Error(`${framework.name} does not recognise ${text}`);
  return {
    workspace,
    bench,
    command,
    async close() {
      await workspace.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const frameworks = [
  { framework: pytest, text: "python3 -m pytest", nameOf: (test: string) => `StockTest::test_${test}` },
  {
    framework: unittest,
    text: "python3 -m unittest discover",
    nameOf: (test: string) => `StockTest.test_${test}`,
  },
];

for (const { framework, text, nameOf } of frameworks) {
  const reason = await pythonFixtures.find((each) => each.framework === framework)?.unavailable();
  const title = `candidates of ${framework.name} in one start`;
  describe.skipIf(reason !== undefined)(
    reason === undefined ? title : `${title} (skipped: ${reason})`,
    () => {
      let opened: Opened;
      const keyOf = (name: string): TestKey => ({ package: "", target, name: nameOf(name) });
      const inside = [...new Set(swapCases.map((each) => each.test))].filter((name) => !outside.has(name));

      beforeAll(async () => {
        opened = await openProject(framework, text);
      });
      afterAll(() => opened?.close());

      function runBatch(cases: readonly SwapCase[], tests: readonly string[]): Promise<BatchReport> {
        return opened.bench.runBatch(opened.command, framework.batch, {
          tree: opened.workspace.base,
          tests: tests.map(keyOf),
          candidates: cases.map((each, at) => ({
            id: at + 1,
            files: [{ path: changed, content: apply(each) }],
          })),
          testTimeoutMs,
          timeoutMs: 100_000,
          stopAtFirstFailure: false,
        });
      }

      async function runPlainly(change: SwapCase): Promise<Record<string, string>> {
        const { workspace, bench, command } = opened;
        const tree = await workspace.trees.write(workspace.base, [{ path: changed, content: apply(change) }]);
        const tests = inside.map(keyOf);
        const selection = { kind: "tests", tests } as const;
        const run = await bench.run(command, { tree, selection, testTimeoutMs, timeoutMs: 100_000 });
        return statusesOf(run.report.outcomes);
      }

      test("has the verdicts of a start for each, or none", async () => {
        const cases = swapCases.filter((each) => !outside.has(each.test));
        const report = await runBatch(cases, inside);
        expect(report.invalid).toBeUndefined();
        const results = cases.map(({ title, test }, at) => {
          const statuses = statusesOf(report.outcomes.get(at + 1));
          const status = statuses[formatTestKey(keyOf(test))];
          return [title, status === undefined ? "left open" : status === "passed" ? "passes" : "fails"];
        });
        expect(Object.fromEntries(results)).toEqual(
          Object.fromEntries(cases.map(({ title, batch }) => [title, batch])),
        );
        for (const [at, change] of cases.entries()) {
          const found = statusesOf(report.outcomes.get(at + 1));
          if (change.batch === "left open") expect(found, change.title).toEqual({});
          else expect(await runPlainly(change), change.title).toMatchObject(found);
        }
      });

      test("leaves open what tests do outside of their process", async () => {
        for (const change of swapCases.filter((each) => outside.has(each.test))) {
          const report = await runBatch([change], [change.test]);
          expect(report.invalid, change.title).toBeUndefined();
          expect([...report.outcomes], change.title).toEqual([]);
        }
      });

      test("says why nothing can be said where a test is not there", async () => {
        const report = await runBatch(swapCases.slice(0, 1), ["closure", "gone"]);
        expect(report.invalid).toMatch(/test_gone was not found/);
        expect([...report.outcomes]).toEqual([]);
      });
    },
  );
}
