/** A batch of two arms that ends once one of them is better, and its report. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeLedger, startBench, writeTasks } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { scriptFile } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const use = (name: string, input: object, contains = "") => ({
  ...{ role: "editing", contains, calls: [{ name, input }], times: "always" as const },
});

test("bench run --stop-when-decided ends two arms once one is better, and refuses other batches", async () => {
  const { repository, goldPatch, testPatch } = makeLedger(playground);
  const lists = {
    failToPass: ["tests/test_transfer.py::TransferTest.test_empties_an_account"],
    passToPass: [],
  };
  const ids = [1, 2, 3, 4, 5, 6, 7].map((number) => `ledger-${number}`);
  const hidden = { goldPatch, testPatch, lists };
  const tasks = writeTasks(
    playground,
    repository,
    ids.map((id) => ({ id, hidden })),
  );
  const write = (name: string, ...answers: readonly ReturnType<typeof use>[]): string => {
    const path = join(playground.folder, name);
    writeFileSync(path, scriptFile([...answers, use("submit", { summary: "it is done" })]));
    return `scripted:${path}`;
  };
  const change = { path: "ledger/account.py", old: "amount < available", new: "amount <= available" };
  const idle = write("idle.json");
  const right = write("right.json", use("str_replace", change, "It does not do what it says."));
  const out = join(playground.folder, "batch");
  const run = (...args: readonly string[]) =>
    startBench(playground, "run", tasks, "--strategy", "react", "--workers", "2", "--out", out, ...args)
      .ended;

  const one = await run("--model", right, "--stop-when-decided");
  expect(one.exitCode).toBe(2);
  expect(one.stderr).toContain("compares two arms, and this batch has 1 arm, with 1 attempt at each task");
  const unclear = await run("--model", right, "--model", idle, "--stop-when-decided", "70");
  expect(unclear.exitCode).toBe(2);

  // Evidence of 1 / 0.4 is there after four tasks that only one arm resolves: 2^4 / 5.
  const end = await run("--model", idle, "--model", right, "--stop-when-decided", "40");
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.stdout + end.stderr).toMatch(
    /decided after 4 of 7 tasks: react,scripted:\S*right\.json resolves more \(evidence 3\.20, needed 2\.5; the error rate is at most 40 %\)/,
  );
  const document = JSON.parse(readFileSync(join(out, "report.json"), "utf8"));
  expect(document.stopped).toMatchObject({
    tasks: 4,
    error: 0.4,
    better: { strategy: "react", model: right },
  });
  expect(document.tries.length).toBeGreaterThanOrEqual(8);
  expect(document.tries.length).toBeLessThan(14);
  const compared = await playground.start(["bench", "compare", out]).ended;
  expect(compared.stdout).toContain("by neither: 0, only by the first: 0, only by the second: ");
});
