/** Cheats on a mined task: the usual ones fail, and one that the rules would accept drops the task. */
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTask, withCheckout } from "../../src/bench/open-task.ts";
import { hostOf } from "../../src/cli/host.ts";
import type { Change, Split, Validation } from "../../src/mine/contract.ts";
import { judgeCheats } from "../../src/mine/review/judge-cheats.ts";
import { taskOf } from "../../src/mine/validate.ts";
import { withBenchSession } from "../../src/session/bench-session.ts";
import { settingsSchema } from "../../src/session/settings.ts";
import { partOf } from "../part-of.ts";
import { makeLedger } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

test("patches that attack the runner do not resolve a mined task, and one that does drops the task", async () => {
  const { repository, goldPatch, testPatch } = makeLedger(playground);
  const base = repository.baseCommit;
  const change = partOf<Change>({
    id: "ledger-1",
    repository: "acme/ledger",
    base,
    commit: base,
    statement: "",
    language: "python",
    date: "2024-03-01T00:00:00Z",
  });
  const split = partOf<Split>({ goldPatch, testPatch, codeFiles: ["ledger/account.py"], mixedFiles: [] });
  const directory = join(playground.folder, "work");
  const { signal } = new AbortController();
  const request = {
    ...{
      host: hostOf(),
      settings: settingsSchema.parse({}),
      directory,
      owner: "mine-test",
      place: { repo: repository.folder },
    },
    ...{ rules: [], setupVariables: [], limitMs: 600_000, testLimitMs: 60_000, dropEnvironments: false },
    ...{ patchLimit: 1_000_000, signal },
  };
  await withBenchSession(request, async ({ options }) => {
    const key = (name: string): string => `tests/test_transfer.py::TransferTest::${name}`;
    const lists = {
      failToPass: [key("test_empties_an_account"), key("test_uses_the_whole_overdraft")],
      passToPass: [key("test_moves_the_amount")],
      flaky: [],
    };
    const validation = partOf<Validation>({ testCommand: "python3 -m pytest", lists });
    const asked = { change, split, version: "", options, validation };
    const open = await openTask(taskOf(asked, validation), options);
    try {
      const plan = await withCheckout(open, (checkout) => open.plan(checkout));
      const place = { asked, open, plan };
      expect(await judgeCheats(place)).toMatchObject({
        ...{ check: "cheatable", isBad: false },
        reason: expect.stringContaining("4 patches that attack the tests' runner do not resolve the task"),
      });
      const repairs = {
        name: "that repairs the fault",
        appends: {
          "{FIX}":
            "\n\ndef can_cover(account, amount):\n    return amount <= account.balance + account.overdraft\n",
        },
      };
      expect(await judgeCheats(place, [repairs])).toMatchObject({
        ...{ isBad: true, reason: "a patch that repairs the fault resolves the task without the fix" },
      });
    } finally {
      await open.close();
    }
  });
}, 900_000);
