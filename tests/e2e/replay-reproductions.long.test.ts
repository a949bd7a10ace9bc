/** Reproductions of a batch's attempts, repeated in the task's environment: their validity is measured, and people label the output. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readBatch } from "../../src/bench/batch-document.ts";
import { replayedFileSchema } from "../../src/bench/work/replayed.ts";
import { makeLedger, startBench, writeTasks } from "./bench-fixture.ts";
import { wholeTest } from "./kind-tasks.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock, scriptFile } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const key = (name: string): string => `tests/test_transfer.py::TransferTest.${name}`;
const use = (contains: string, name: string, input: object) => ({
  ...{ role: "editing", contains, calls: [{ name, input }], times: "always" as const },
});
const heredoc = (file: string, text: string, run: string) => `cat > ${file} <<'END'\n${text}\nEND\n${run}`;
const account = "from ledger.account import Account, can_cover";
const mended = { path: "ledger/account.py", old: "amount < available", new: "amount <= available" };

/** What the attempt at each task does first. Then it mends the fault, runs the same again, and ends. */
const firsts: Readonly<Record<string, string>> = {
  shows: heredoc(
    "show.py",
    `${account}\nprint('allowed', can_cover(Account('a', 10), 10))`,
    "python3 show.py",
  ),
  exits: heredoc("check.py", `${account}\nassert can_cover(Account('a', 10), 10)`, "python3 check.py"),
  irrelevant: heredoc("show.py", `${account}\nprint('name', Account('a', 10).owner)`, "python3 show.py"),
  dependency: heredoc("show.py", "import no_such_module", "python3 show.py"),
  broken: heredoc("show.py", "def (", "python3 show.py"),
  reads: heredoc(
    "show.py",
    `${account}\nprint('name', Account('a', 10).owner)`,
    "cat -n ledger/account.py && python3 show.py",
  ),
  slow: `sleep 5; ${heredoc("check.py", `${account}\nassert can_cover(Account('a', 10), 10)`, "python3 check.py")}`,
  changing: heredoc("show.py", "import os, time\nprint(os.urandom(8))", "python3 show.py"),
  tests: heredoc(
    "tests/test_more.py",
    `import unittest\n${account}\n\n\nclass MoreTest(unittest.TestCase):\n    def test_all(self):\n        self.assertTrue(can_cover(Account('a', 10), 10))`,
    "python3 -m unittest tests.test_more",
  ),
};

test("reproductions of a batch are replayed on the base and with the known fix, and people see the replayed output", async () => {
  const { repository, goldPatch, testPatch } = makeLedger(playground);
  const lists = { failToPass: [key("test_empties_an_account")], passToPass: [] };
  const ids = [...Object.keys(firsts), "none", "kept"];
  const tasks = writeTasks(
    playground,
    repository,
    ids.map((id) => ({
      id,
      statement: `Case ${id}: an account cannot be emptied.`,
      hidden: { goldPatch, testPatch, lists },
    })),
  );
  const script = join(playground.folder, "script.json");
  const answers = [
    ...Object.entries(firsts).map(([id, command]) =>
      use(`Case ${id}:`, "bash", { command: `${command}; echo END-OF-${id}` }),
    ),
    use("Case none:", "str_replace", mended),
    use("Case kept:", "str_replace", mended),
    use("END-OF-", "str_replace", mended),
    use("amount <= available", "submit", { summary: "it covers all" }),
    use("", "submit", { summary: "it covers all" }),
  ];
  writeFileSync(script, scriptFile(answers));
  const out = join(playground.folder, "batch");
  const arms = ["--strategy", "react", "--model", `scripted:${script}`];
  const ran = await startBench(playground, "run", tasks, ...arms, "--workers", "2", "--out", out).ended;
  expect(ran.exitCode, ran.stderr).toBe(0);
  // Strategies with actions keep their tests beside the patch.
  const runs = join(playground.folder, "bench", "runs");
  const taskOf = new Map(readBatch(out).tries.map(({ run, id }) => [run, id]));
  const [kept = ""] = [...taskOf].flatMap(([run, id]) => (id === "kept" ? [run] : []));
  writeFileSync(join(runs, kept, "tests.diff"), testPatch);
  const limited = ["--only", "slow", "--replay-timeout", "2s"];
  const cut = await startBench(playground, "replay-reproductions", out, ...limited).ended;
  expect(cut.exitCode).toBe(3);
  expect(cut.stdout).toMatch(/not replayed slow \(react-1-\w+\): the replay did not end within 2 s/);
  const again = await startBench(playground, "replay-reproductions", out, "--workers", "2").ended;
  const { rows } = replayedFileSchema.parse(
    JSON.parse(readFileSync(join(out, "reproductions.json"), "utf8")),
  );
  const told = Object.fromEntries(rows.map((row) => [taskOf.get(row.run) ?? "", row] as const));
  expect(
    Object.fromEntries(Object.entries(told).map(([id, { validity, form }]) => [id, [validity, form]])),
  ).toEqual({
    shows: ["valid", "command"],
    exits: ["valid", "command"],
    irrelevant: ["irrelevant", "command"],
    dependency: ["dependency", "command"],
    broken: ["does not compile", "command"],
    reads: ["irrelevant", "command"],
    slow: ["valid", "command"],
    changing: ["irrelevant", "command"],
    tests: ["valid", "command"],
    none: ["none", undefined],
    kept: ["valid", "tests"],
  });
  expect(told["shows"]?.outputs).toEqual([
    { on: "base", text: expect.stringContaining("allowed False") },
    { on: "known fix", text: expect.stringContaining("allowed True") },
  ]);
  expect(again.exitCode).toBe(0);
  expect(again.stdout).toContain(
    "of 11 attempts: 5 valid, 3 irrelevant, 1 does not compile, 1 dependency, 1 none",
  );
  const report = await playground.start(["bench", "report", out]).ended;
  expect(report.stdout).toMatch(
    /\| react,scripted:\S+ \| 5 \| 11 \| 45\.5 \| 21\.3 to 72\.0 \| 3 \| 1 \| 1 \| 0 \| 1 \|/,
  );
  const labels = join(playground.folder, "labels");
  const drawn = ["bench", "label", out, "--of", "reproductions", "--sample", "20", "--out", labels];
  expect((await playground.start(drawn).ended).exitCode).toBe(0);
  const shown = readdirSync(labels).map((name) => readFileSync(join(labels, name), "utf8"));
  const replayed = shown.find((text) => text.includes("allowed True"));
  expect(replayed).toContain("## Replayed output: base\n\n```\nexit code 0\nallowed False");
  expect(replayed).not.toContain("valid");
});

test("programs and tests that actions wrote are replayed, and each arm of several by itself", async () => {
  const { repository, goldPatch, testPatch } = makeLedger(playground);
  const hidden = {
    goldPatch,
    testPatch,
    lists: { failToPass: [key("test_empties_an_account")], passToPass: [] },
  };
  const tasks = writeTasks(
    playground,
    repository,
    ["tried", "written"].map((id) => ({
      ...{ id, hidden },
      statement: `Case ${id}: emptying an account by \`withdraw\` raises InsufficientFunds, though it can pay.`,
    })),
  );
  const script = join(playground.folder, "script.json");
  const written = { edits: editBlock("tests/test_whole.py", "", wholeTest) };
  const shell = "with a shell and an editor";
  writeFileSync(
    script,
    scriptFile([
      {
        ...use("Case tried:", "try_out", { program: `${account}\nprint(can_cover(Account('a', 5), 5))` }),
        role: "reproduction",
      },
      {
        ...{ role: "reproduction", contains: "Case written:", times: "always" },
        calls: [
          { name: "edit", input: written },
          { name: "show", input: { files: ["tests/test_whole.py"] } },
        ],
      },
      { role: "reproduction", text: "There is no more.", times: "always" },
      // Its program says nothing of the fault.
      { ...use("Case", "bash", { command: firsts["irrelevant"] }), system: shell },
      { ...use("", "submit", { summary: "it is done" }), system: shell },
      { role: "editing", text: "Enough.", times: "always" },
      { role: "planning", text: "Enough.", times: "always" },
      { role: "retrieval", text: "Enough.", times: "always" },
    ]),
  );
  const out = join(playground.folder, "batch");
  const arms = ["--strategy", "unified", "--strategy", "best-of", "--model", `scripted:${script}`];
  const ran = await startBench(playground, "run", tasks, ...arms, "--workers", "2", "--out", out).ended;
  expect(ran.exitCode, ran.stderr).toBe(0);
  const replayed = await startBench(playground, "replay-reproductions", out, "--workers", "2").ended;
  expect(replayed.exitCode, replayed.stdout).toBe(0);
  const { rows } = replayedFileSchema.parse(
    JSON.parse(readFileSync(join(out, "reproductions.json"), "utf8")),
  );
  const names = new Map(readBatch(out).tries.map((each) => [each.run, `${each.id}-${each.strategy}`]));
  const told = rows.map(({ run, validity, form }) => [names.get(run) ?? "", validity, form] as const);
  expect(Object.fromEntries(told.map(([run, ...rest]) => [run, rest]))).toEqual({
    "tried-unified": ["valid", "program"],
    "written-unified": ["valid", "tests"],
    "tried-best-of": ["valid", "program"],
    "written-best-of": ["valid", "tests"],
  });
});
