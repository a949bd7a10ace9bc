/** Keys of the user's reach no disk and no screen through a test's output, a model's words or a statement. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPlayground } from "./millwright.ts";

const inRepository = "quite-a-long-value-41";
const inEnvironment = "another-long-value-42";

test("what a test prints, a model says and a statement holds is written without the user's keys", async () => {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const repository = playground.copyRepository("repair-python");
  writeFileSync(join(repository, ".env"), `PAYMENT_API_KEY=${inRepository}\n`);
  const prints = [
    "import unittest",
    "",
    "class LeakTest(unittest.TestCase):",
    "    def test_whole_overdraft_leaks(self):",
    '        key = open(".env").read().split("=")[1].strip()',
    "        print(key)",
    '        self.fail("InsufficientFunds for " + key)',
  ];
  writeFileSync(join(repository, "tests", "test_leak.py"), `${prints.join("\n")}\n`);
  const act = (name: string, input: object) => ({ when: { role: "planning" }, calls: [{ name, input }] });
  const edit = `ledger/account.py\n<<<<<<< SEARCH\n    return amount < available\n=======\n    # asked with ${inEnvironment}\n    return amount <= available\n>>>>>>> REPLACE\n`;
  const answers = [
    act("edit-code", { intent: `let it be paid with ${inEnvironment}` }),
    { when: { role: "editing" }, calls: [{ name: "edit", input: { edits: edit } }] },
    {
      when: { role: "editing" },
      calls: [{ name: "done", input: { summary: `it is paid with ${inEnvironment} and ${inRepository}` } }],
    },
    act("execute-tests", { candidate: "c1" }),
    { ...act("finish", { candidate: "c1" }), times: "always" },
  ];
  const script = join(playground.folder, "script.json");
  writeFileSync(script, JSON.stringify({ answers }));
  const statement = `A transfer of the \`whole_overdraft\` with the key ${inRepository} is refused: InsufficientFunds is raised`;
  const end = await playground.start(
    [
      ...["solve", statement, "--repo", repository, "--model", `scripted:${script}`],
      ...["--share", ".env", "--output", "json"],
    ],
    { env: { SHOP_TOKEN: inEnvironment } },
  ).ended;
  const { runDirectory, patch } = JSON.parse(end.stdout) as { runDirectory: string; patch: string };
  expect(patch).toContain("asked with [redacted]");
  // Others on this machine see nothing of the run.
  for (const name of ["", "events.jsonl", "report.json", "patch.diff"])
    expect(statSync(join(runDirectory, name)).mode & 0o077).toBe(0);
  const files = readdirSync(runDirectory, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
  expect(texts.join("\n")).toContain("InsufficientFunds for [redacted]");
  for (const text of [...texts, end.stdout, end.stderr]) {
    expect(text).not.toContain(inRepository);
    expect(text).not.toContain(inEnvironment);
  }
});
