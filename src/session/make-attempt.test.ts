import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { RunDescription } from "../agent/run/run-store.ts";
import type { AttemptRequest } from "../bench/attempt.ts";
import type { Host } from "./host.ts";
import { makeAttempt } from "./make-attempt.ts";

test.each([
  ["continues a run that began in this batch", "2026-01-02T00:00:00.000Z", true],
  ["discards a run of an earlier batch", "2026-01-02T00:00:00.001Z", false],
  ["continues every run without --fresh", undefined, true],
])("an attempt %s", async (_, since, isKept) => {
  const runsDirectory = mkdtempSync(join(tmpdir(), "millwright-attempt-"));
  const [directory, repository] = [join(runsDirectory, "r"), join(runsDirectory, "none")];
  const description: RunDescription = {
    ...{ schema: "millwright.run/1", run: "r", version: "1", startedAt: "2026-01-02T00:00:00.000Z" },
    ...{ task: { id: "t", kind: "repair", statement: "s", repository }, strategy: "search-repair" },
    ...{ model: null, sandbox: "local", network: false, parallel: 1, apply: false },
    limits: { memoryBytes: 1, cpus: 1, processes: 1 },
  };
  mkdirSync(directory);
  writeFileSync(join(directory, "run.json"), JSON.stringify(description));
  const request: AttemptRequest = {
    ...{ schema: "millwright.attempt-request/1", run: "r", runsDirectory, settings: {} },
    ...(since === undefined ? {} : { since }),
    task: { kind: "repair", statement: "s", repository },
  };
  const host = partOf<Host>({ environment: {}, onNotice() {} });
  // No repository: the attempt ends before it works.
  await makeAttempt(request, { host, signal: new AbortController().signal });
  expect(existsSync(join(directory, "run.json"))).toBe(isKept);
});
