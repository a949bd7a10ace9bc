import { expect, test } from "vitest";
import type { QueuedJob } from "../queue/contract.ts";
import { countTries } from "./queued-batch.ts";

test("a try counts once, by its last round: one that is queued again has not ended", () => {
  const job = (name: string, state: QueuedJob["state"], outcome: string | null = null): QueuedJob => ({
    ...{ name, state, outcome },
  });
  const failed = "infrastructure-error";
  const jobs = [
    job("0/1/0/resolved", "ended", "resolved"),
    job("0/1/0/queued-again", "ended", failed),
    job("0/1/1/queued-again", "waiting"),
    job("0/1/1/mended", "ended", "unresolved"),
    job("0/1/0/mended", "ended", failed),
    job("1/1/0/failed", "ended", failed),
    job("1/1/0/lost", "lost"),
    job("1/2/0/lost", "active"),
  ];
  expect(countTries(jobs)).toEqual({
    ...{ tries: 6, waiting: 1, active: 1, ended: 4, infrastructureErrors: 2 },
  });
});
