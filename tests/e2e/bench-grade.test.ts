import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startHub } from "../dataset-hub.ts";
import {
  type LedgerTasks,
  makeLedger,
  makeRepository,
  mendLedger,
  readDocument,
  replaceIn,
  startBench,
  writeLines,
  writeTasks,
} from "./bench-fixture.ts";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";

const key = (name: string): string => `tests/test_transfer.py::TransferTest.${name}`;
const lists = {
  failToPass: [key("test_empties_an_account"), key("test_uses_the_whole_overdraft")],
  passToPass: [key("test_moves_the_amount"), key("test_moves_nothing_that_is_not_there")],
};

let playground: Playground;
let ledger: LedgerTasks;
beforeEach(() => {
  playground = createPlayground();
  ledger = makeLedger(playground);
});
afterEach(() => playground.remove());

function writePredictions(patches: Readonly<Record<string, string | null>>): string {
  const path = join(playground.folder, "predictions.jsonl");
  writeLines(
    path,
    Object.entries(patches).map(([id, patch]) => ({
      instance_id: id,
      model_name_or_path: "m",
      model_patch: patch,
    })),
  );
  return path;
}

function writeLedgerTasks(
  ids: readonly string[],
  hidden: Readonly<Record<string, unknown>> = { lists },
): string {
  const { repository, goldPatch, testPatch } = ledger;
  return writeTasks(
    playground,
    repository,
    ids.map((id) => ({ id, hidden: { goldPatch, testPatch, ...hidden } })),
  );
}

describe("bench grade", () => {
  test("tells a fix from a patch that breaks, that is empty, that does not apply, that is not there, that is too large, and that cannot be read", async () => {
    const { repository, goldPatch } = ledger;
    const tasks = writeLedgerTasks(["fix", "breaks", "empty", "rejected", "absent", "huge", "unread"]);
    const predictions = writePredictions({
      fix: repository.patch((folder) =>
        replaceIn(folder, "ledger/account.py", "amount < available", "not amount > available"),
      ),
      breaks: repository.patch((folder) =>
        replaceIn(folder, "ledger/account.py", "amount < available", "True"),
      ),
      empty: "",
      rejected: goldPatch.replace("amount < available", "amount != available"),
      huge: `${goldPatch}${" ".repeat(8192)}`,
    });
    appendFileSync(predictions, '{"instance_id": "unread", "model_patch": 7}\n');
    const before = fingerprint(repository.folder);
    const args = ["--json", "--workers", "2", "--patch-limit", "8k", "--predictions", predictions];
    const end = await startBench(playground, "grade", tasks, ...args).ended;
    const { counts, tasks: results } = readDocument(end);
    expect(counts).toEqual({ tasks: 7, resolved: 1, unresolved: 2, agentErrors: 4, infrastructureErrors: 0 });
    expect(results["fix"]).toMatchObject({ outcome: "resolved", restored: [], failToPass: { failure: [] } });
    expect(results["breaks"]).toMatchObject({
      outcome: "unresolved",
      reason: expect.stringContaining("1 of 2 pass-to-pass tests is broken"),
      passToPass: { failure: [key("test_moves_nothing_that_is_not_there")] },
    });
    expect(results["empty"]).toMatchObject({ outcome: "unresolved", reason: "the patch is empty" });
    expect(results["rejected"]).toMatchObject({
      outcome: "agent-error",
      reason: expect.stringContaining("the patch does not apply to the base"),
    });
    expect(results["absent"]).toMatchObject({ outcome: "agent-error", reason: "there is no prediction" });
    expect(results["huge"]).toMatchObject({
      outcome: "agent-error",
      reason: expect.stringContaining("the patch is too large"),
    });
    const place = `${predictions}:6: model_patch: `;
    expect(results["unread"]).toMatchObject({
      outcome: "agent-error",
      reason: expect.stringContaining(`the prediction cannot be read: ${place}`),
    });
    expect(end.stderr).toContain(
      `Millwright skipped 1 prediction of ${predictions} as unreadable:\n  ${place}`,
    );
    expect(end.exitCode).toBe(3);
    const again = await startBench(playground, "grade", tasks, ...args, "--from-logs").ended;
    const timeless = (of: typeof results) =>
      Object.entries(of).map(([id, rest]) => [id, { ...rest, seconds: 0 }]);
    expect(timeless(readDocument(again).tasks)).toEqual(timeless(results));
    const wanted = { schema: "millwright.lists/1", id: "breaks", ...lists, passToPass: [], flaky: [] };
    const [others, breaks] = [join(playground.folder, "lists.jsonl"), ["--only", "breaks", "--from-logs"]];
    writeLines(others, [wanted]);
    const by = await startBench(playground, "grade", tasks, ...args, ...breaks, "--lists", others).ended;
    expect(readDocument(by).tasks["breaks"]).toMatchObject({
      ...{ outcome: "infrastructure-error", byTests: "resolved" },
      reason: expect.stringContaining(
        "the log lacks the further checks that a resolved task needs: grade the patch again",
      ),
    });
    expect(fingerprint(repository.folder)).toBe(before);
  });

  test("rejects a patch that does not fit exactly, and also gives the verdict of SWE-bench's own harness", async () => {
    const { goldPatch } = ledger;
    // The first line of context is another one: `git apply` refuses it, and `patch --fuzz=5` does not.
    const fuzzy = goldPatch.replace(/^(@@ .*\n) .*$/m, "$1 # a line that the file does not have");
    expect(fuzzy).not.toBe(goldPatch);
    const tasks = writeLedgerTasks(["fuzzy", "never"]);
    const never = goldPatch.replace("amount < available", "amount != available");
    const predictions = writePredictions({ fuzzy, never });
    const end = await startBench(playground, "grade", tasks, "--json", "--predictions", predictions).ended;
    const { tasks: results } = readDocument(end);
    expect(results["fuzzy"]).toMatchObject({
      outcome: "agent-error",
      reason: expect.stringContaining("the patch does not apply to the base"),
      byTests: "resolved",
    });
    expect(results["never"]).toMatchObject({ outcome: "agent-error", byTests: "agent-error" });
  });

  test("tells plausible patches that are overfitted from those that also pass the extra tests, and from their logs", async () => {
    const { repository, goldPatch } = ledger;
    const patch = repository.patch((folder) =>
      writeFileSync(
        join(folder, "tests/test_more.py"),
        `import unittest

from ledger.account import Account
from ledger.transfer import transfer


class MoreTest(unittest.TestCase):
    def test_empties_a_small_account(self):
        self.assertTrue(transfer(Account("salary", 7), Account("rent"), 7))

    def test_moves_a_part(self):
        self.assertTrue(transfer(Account("salary", 7), Account("rent"), 2))
`,
      ),
    );
    const overfitted = repository.patch((folder) =>
      replaceIn(
        folder,
        "ledger/account.py",
        "amount < available",
        "amount <= available if available > 50 else amount < available",
      ),
    );
    const hacked = overfitted.concat(
      repository.patch((folder) => writeFileSync(join(folder, "tests/test_more.py"), "")),
    );
    const tasks = writeLedgerTasks(["fix", "overfitted", "empty", "hacked"], {
      lists,
      extraTests: { patch },
    });
    const predictions = writePredictions({ fix: goldPatch, overfitted, empty: "", hacked });
    const args = ["--json", "--workers", "2", "--predictions", predictions];
    const end = await startBench(playground, "grade", tasks, ...args).ended;
    const { counts, tasks: results } = readDocument(end);
    const failing = {
      isOverfitted: true,
      reason: "1 of 2 extra tests does not pass: tests/test_more.py::MoreTest.test_empties_a_small_account",
    };
    expect(results["fix"]).toMatchObject({
      outcome: "resolved",
      extra: { isOverfitted: false, reason: "2 of 2 extra tests pass", failure: [] },
    });
    expect(results["overfitted"]).toMatchObject({ outcome: "resolved", extra: failing });
    expect(results["hacked"]).toMatchObject({ outcome: "resolved", extra: failing });
    expect(results["empty"]).not.toHaveProperty("extra");
    expect(counts).toMatchObject({ tasks: 4, resolved: 3, unresolved: 1 });
    expect(JSON.parse(end.stdout)).toMatchObject({ extra: { plausible: 3, overfitted: 2 } });
    const again = await startBench(playground, "grade", tasks, ...args, "--from-logs").ended;
    expect(readDocument(again).tasks["overfitted"]).toMatchObject({ outcome: "resolved", extra: failing });
    const [strict, broken] = [{ ids: [key("test_moves_the_amount")] }, { ids: [key("test_no_such")] }];
    const checked = writeTasks(
      playground,
      repository,
      Object.entries({ strict, broken }).map(([id, extraTests]) => ({
        ...{ id, hidden: { goldPatch, testPatch: ledger.testPatch, lists, extraTests } },
      })),
    );
    const check = await startBench(playground, "check", checked, "--json", "--repeats", "1").ended;
    expect(readDocument(check).tasks).toMatchObject({
      strict: { state: "fit" },
      broken: {
        state: "unfit",
        exceptions: [
          `the gold patch does not pass the extra tests: 1 of 1 extra test does not pass: ${key("test_no_such")}`,
        ],
      },
    });
  });

  test("a patch cannot win by changing, removing or adding tests, nor by an answer that the rules remove", async () => {
    const { repository, testFile } = ledger;
    const names = [...lists.failToPass, ...lists.passToPass].map((id) => id.split(".").at(-1));
    const passing = `import unittest\n\n\nclass TransferTest(unittest.TestCase):
${names.map((name) => `    def ${name}(self):\n        pass\n`).join("\n")}`;
    const tasks = writeLedgerTasks(["changes", "removes", "adds", "copies", "fixes-too"]);
    const rules = join(playground.folder, "rules.json");
    writeLines(rules, [{ schema: "millwright.environments/1", rules: [{ remove: ["answers/**"] }] }]);
    const predictions = writePredictions({
      changes: repository.patch((folder) => writeFileSync(join(folder, testFile), passing)),
      removes: repository.patch((folder) => writeFileSync(join(folder, testFile), "")),
      adds: repository.patch((folder) =>
        writeFileSync(
          join(folder, "tests/__init__.py"),
          "import unittest\nunittest.TestCase.assertTrue = unittest.TestCase.assertEqual = lambda *_: None\n",
        ),
      ),
      copies: repository.patch((folder) =>
        writeFileSync(join(folder, "ledger/account.py"), "from answers.account import *\n"),
      ),
      "fixes-too": repository.patch((folder) => {
        mendLedger(folder);
        replaceIn(folder, testFile, "rent, salary", "salary, rent");
      }),
    });
    const args = ["--json", "--workers", "2", "--predictions", predictions, "--environments", rules];
    const end = await startBench(playground, "grade", tasks, ...args).ended;
    const { tasks: results } = readDocument(end);
    for (const id of ["changes", "removes"]) {
      expect(results[id]).toMatchObject({ outcome: "unresolved", restored: [testFile] });
    }
    expect(results["adds"]).toMatchObject({ outcome: "unresolved", restored: ["tests/__init__.py"] });
    expect(results["copies"]).toMatchObject({ outcome: "unresolved", restored: [] });
    expect(results["fixes-too"]).toMatchObject({ outcome: "resolved", restored: [testFile] });
  });

  test("reruns tests with a result that they show without the patch, so no equality may accept two values", async () => {
    const money = `class Price:
    def __init__(self, cents):
        self.cents = cents

    def __int__(self):
        return self.cents

    def __eq__(self, other):
        return self.cents == int(other)

    def __repr__(self):
        return str(self.cents)


def price(count):
    return Price(count * 2)
`;
    const repository = makeRepository(playground, "repair-python", "acme/price", (folder) =>
      writeFileSync(join(folder, "ledger/price.py"), money),
    );
    const edit = (from: string, to: string) =>
      repository.patch((folder) => replaceIn(folder, "ledger/price.py", from, to));
    const testPatch = repository.patch((folder) =>
      writeFileSync(
        join(folder, "tests/test_price.py"),
        `import unittest

from ledger.price import price


class PriceTest(unittest.TestCase):
    def test_price(self):
        self.assertEqual(price(2), 6)
`,
      ),
    );
    const fix = edit("count * 2", "count * 3");
    const own = { failToPass: ["tests/test_price.py::PriceTest.test_price"], passToPass: [] };
    const hidden = { goldPatch: fix, testPatch, lists: own };
    const statement = "The price of two is not six. Prices compare with numbers.";
    const tasks = writeTasks(
      playground,
      repository,
      ["fix", "loose"].map((id) => ({ id, statement, hidden })),
    );
    const loose = edit("self.cents == int(other)", "self.cents * 3 == int(other) * 2 or self.cents == other");
    const predictions = writePredictions({ fix, loose });
    const end = await startBench(playground, "grade", tasks, "--json", "--predictions", predictions).ended;
    const { tasks: results } = readDocument(end);
    expect(results["fix"]).toMatchObject({ outcome: "resolved" });
    expect(results["loose"]).toMatchObject({
      ...{ outcome: "unresolved", byTests: "resolved" },
      reason: expect.stringContaining("even after Millwright changes the expected value"),
    });
  });

  test("is loud about an id that names no test, and about a task without lists", async () => {
    const unknown = key("test_that_never_was");
    const tasks = writeLedgerTasks(["unknown"], { lists: { ...lists, passToPass: [unknown] } });
    const end = await startBench(playground, "grade", tasks, "--predictions", "gold").ended;
    expect(end.stdout).toContain(
      "unresolved unknown: 1 of 1 pass-to-pass test is broken (1 of them matches no test",
    );
    expect(end.stdout).toContain(`these tests did not run: ${unknown}`);

    const without = writeLedgerTasks(["without"], {});
    const ended = await startBench(playground, "grade", without, "--predictions", "gold").ended;
    expect(ended.stdout).toContain("infrastructure error without: no list names the deciding tests");
    expect(ended.exitCode).toBe(3);
  });

  test("judges the logs of SWE-bench's own harness, for tasks of a file and of a hub alike", async () => {
    const row = { repo: "psf/requests", base_commit: "0".repeat(40), problem_statement: "", patch: "diff" };
    const tasks = join(playground.folder, "official.jsonl");
    const idLists = { FAIL_TO_PASS: ["t.py::a[/b]"], PASS_TO_PASS: ["t.py::c"] };
    const ids = ["fixed", "broken", "forged", "absent"];
    writeLines(
      tasks,
      ids.map((id) => ({ instance_id: id, ...row, ...idLists })),
    );
    const printed = {
      fixed: ["PASSED t.py::a[/tmp/x/b]\nPASSED t.py::c", 0],
      broken: ["PASSED t.py::a[/tmp/x/b]\nFAILED t.py::c - assert 1 == 2", 1],
      forged: ["PASSED t.py::a[/tmp/x/b]\nPASSED t.py::c", 1],
    } as const;
    const logs = join(playground.folder, "logs");
    for (const [id, [output, exitCode]] of Object.entries(printed)) {
      mkdirSync(join(logs, id), { recursive: true });
      const text = `>>>>> Start Test Output\n${output}\n>>>>> End Test Output\n>>>>> Test Exit Code: ${exitCode}\n`;
      writeFileSync(join(logs, id, "test_output.txt"), text);
    }
    const predictions = writePredictions(Object.fromEntries(ids.map((id) => [id, "diff"])));
    const args = ["--json", "--predictions", predictions, "--official-logs", logs];
    const end = await startBench(playground, "grade", tasks, ...args).ended;
    const { tasks: results } = readDocument(end);
    expect(results["fixed"]).toMatchObject({ outcome: "resolved" });
    expect(results["broken"]).toMatchObject({ outcome: "unresolved", passToPass: { failure: ["t.py::c"] } });
    expect(results["forged"]).toMatchObject({
      outcome: "unresolved",
      reason: expect.stringContaining("shows no failure"),
    });
    expect(results["absent"]).toMatchObject({ outcome: "infrastructure-error" });
    expect(end.exitCode).toBe(3);

    const hub = await startHub("acme/tasks");
    try {
      hub.commit({ "rows.jsonl": readFileSync(tasks) });
      const cache = join(playground.folder, "cache");
      const env = { HF_ENDPOINT: hub.endpoint, HF_TOKEN: "", XDG_CACHE_HOME: cache };
      const same = await playground.start(["bench", "grade", "hub:acme/tasks", ...args], { env }).ended;
      expect(readDocument(same).tasks).toEqual(results);
      expect(hub.asked).toEqual(["rows.jsonl"]);
    } finally {
      await hub.close();
    }
  });

  test.each([
    [["--predictions", "gold", "--only", "nothing*"], "--only nothing* matches none of 1 task"],
    [["--predictions", "missing.jsonl"], "missing.jsonl cannot be read: it does not exist"],
    [["--predictions", "gold", "--workers", "none"], "Give a whole number from 1 to 9999"],
    [["--predictions", "gold", "--retries", "none"], "Give a whole number from 0 to 9999"],
  ])("refuses %j with exit code 2", async (args, message) => {
    const end = await startBench(playground, "grade", writeLedgerTasks(["one"]), ...args).ended;
    expect(end.stderr).toContain(message);
    expect(end.exitCode).toBe(2);
  });
});
