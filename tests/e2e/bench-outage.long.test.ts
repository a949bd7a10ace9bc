/** A batch whose provider takes no calls: no attempt is blamed for it, and what was paid for is kept. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
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
      { outcome: "infrastructure-error", reason: expect.stringContaining("the model could not be called") },
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
