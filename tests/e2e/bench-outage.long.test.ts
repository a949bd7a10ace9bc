/** A batch whose provider takes no calls: no attempt is blamed for it, and what was paid for is kept. */
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { makeAttempt } from "../../src/session/make-attempt.ts";
import { strategies } from "../../src/strategies/index.generated.ts";
import type { Reaction } from "../chat-server.ts";
import { serve } from "../model-fixture.ts";
import { makeLedger, startBench, writeTasks } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";

const key = (name: string): string => `tests/test_transfer.py::TransferTest.${name}`;
const lists = { failToPass: [key("test_empties_an_account")], passToPass: [key("test_moves_the_amount")] };
const documentSchema = z.object({
  tries: z.array(z.object({ strategy: z.string(), outcome: z.string(), reason: z.string() })),
});

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const prepare = (...ids: string[]) => {
  const { repository, goldPatch, testPatch } = makeLedger(playground);
  const hidden = { goldPatch, testPatch, lists };
  return writeTasks(
    playground,
    repository,
    ids.map((id) => ({ id, hidden })),
  );
};
const run = async (tasks: string, address: string, ...flags: string[]) => {
  const model = ["--model", "openai-compatible/test", "--model-url", address, "--max-steps", "3"];
  const { stdout, exitCode } = await startBench(playground, "run", tasks, ...model, "--json", ...flags).ended;
  return { ...documentSchema.parse(JSON.parse(stdout)), exitCode };
};

test("a provider that rejects the key is an infrastructure error; the same command continues the attempt", async () => {
  const tasks = prepare("ledger-1");
  const states: Reaction[] = [{ text: "Let me think." }, { status: 401 }];
  let asked = 0;
  const chat = await serve(() => {
    asked += 1;
    return states[Math.min(asked, states.length) - 1] ?? {};
  });
  const flags = ["--strategy", "react", "--retries", "0"];
  const refused = await run(tasks, chat.address, ...flags);
  expect(refused).toMatchObject({
    tries: [
      { outcome: "infrastructure-error", reason: expect.stringContaining("the model's provider failed") },
    ],
    exitCode: 3,
  });
  expect(asked).toBe(2);
  states[1] = { text: "I cannot mend it." };
  const { tries } = await run(tasks, chat.address, ...flags);
  expect(tries).toMatchObject([{ outcome: "unresolved" }]);
  // The first answer was recorded: the run continues with the refused question.
  expect(chat.requests[2]?.body).toEqual(chat.requests[1]?.body);
});

test("a request without a recording is an infrastructure error for every strategy, and says what to do", {
  timeout: 300_000,
}, async () => {
  const tasks = prepare("ledger-1");
  const recording = join(playground.folder, "recording");
  mkdirSync(recording);
  const names = strategies.filter(({ needsModel }) => needsModel === true).map(({ name }) => name);
  const arms = names.flatMap((name) => ["--strategy", name]);
  const flags = ["--model", `replay:${recording}`, "--retries", "0", "--json"];
  const { stdout, exitCode } = await startBench(playground, "run", tasks, ...arms, ...flags).ended;
  const { tries } = documentSchema.parse(JSON.parse(stdout));
  expect(tries.map(({ strategy, outcome }) => [strategy, outcome])).toEqual(
    names.map((name) => [name, "infrastructure-error"]),
  );
  for (const { reason } of tries)
    expect(reason).toMatch(/^the model has no recorded answer\. Repeat .*replay-similar:FOLDER/);
  expect(exitCode).toBe(3);
});

test("a long rate limit holds back its own arm, and ends no attempt", async () => {
  const tasks = prepare("ledger-1", "ledger-2");
  const chat = await serve([{ status: 429, headers: { "retry-after": "3600" } }]);
  const model = ["--model", "openai-compatible/test", "--model-url", chat.address, "--max-steps", "3"];
  const arms = ["--strategy", "react", "--strategy", "search-repair", "--workers", "1"];
  const batch = startBench(playground, "run", tasks, ...model, ...arms);
  // An attempt and a grading of each task.
  const results = (): string[] => globSync("bench/results/*.json", { cwd: playground.folder });
  await expect.poll(results, { timeout: 120_000, interval: 500 }).toHaveLength(4);
  await sleep(500);
  batch.kill("SIGINT");
  const { stdout, stderr } = await batch.ended;
  expect(stdout.match(/ledger-\d \([\w-]+/g)?.toSorted()).toEqual([
    "ledger-1 (search-repair",
    "ledger-2 (search-repair",
  ]);
  expect(stderr).toContain("attempts wait: openai-compatible accepts no calls for");
  expect(chat.requests).toHaveLength(1);
});

test("a returned attempt continues its run with the budget that is served now, also with --fresh", async () => {
  const since = new Date().toISOString();
  const { folder } = makeLedger(playground).repository;
  const states: Reaction[] = [{ text: "Let me think." }, { status: 401 }];
  const chat = await serve((_, count) => states[Math.min(count, states.length - 1)] ?? {});
  const attempt = (file: string) => {
    const batchBudget = join(playground.folder, file);
    writeFileSync(batchBudget, JSON.stringify({ calls: 100 }));
    const model = { model: "openai-compatible/test", modelUrl: chat.address, maxSteps: 3 };
    const task = { kind: "repair" as const, statement: "It is wrong.", repository: folder };
    const runs = { run: "ledger", runsDirectory: join(playground.folder, "runs"), since };
    const settings = { strategy: "react", ...model, batchBudget };
    const { signal } = new AbortController();
    const host = { environment: process.env, onNotice: () => {} };
    return makeAttempt(
      { schema: "millwright.attempt-request/1", ...runs, task, settings },
      { host, signal },
    ).finally(() => rmSync(batchBudget));
  };
  const refused = await attempt("first.json");
  // The first answer was paid for.
  expect(refused).toMatchObject({ outage: "auth", usage: { outputTokens: expect.any(Number) } });
  expect(Math.min(refused.usage.outputTokens, refused.seconds)).toBeGreaterThan(0);
  states[1] = { text: "I cannot mend it." };
  expect(await attempt("second.json")).toMatchObject({ state: "ended" });
  expect(chat.requests[2]?.body).toEqual(chat.requests[1]?.body);
});
