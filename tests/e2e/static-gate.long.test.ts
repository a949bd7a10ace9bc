/** What no test can show is judged by links, the statement's text, and the project's own compilers; with a scripted model. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeFailingTestsAway } from "./kind-tasks.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";
import { act, done, edit, predicate } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const approve: ScriptedAnswer = {
  role: "review",
  calls: [
    {
      name: "verdict",
      input: {
        patch: { approved: true, analysis: "It writes what the statement asks for" },
        tests: { approved: true, analysis: "There are none, and none could be" },
      },
    },
  ],
};

test("a finish that no test can show is judged by its links and by the statement's text", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const old = "It keeps teh accounts. See [the licence](LICENSE.md).";
  writeFileSync(join(repository, "LICENSE.md"), "# Licence\n");
  writeFileSync(join(repository, "README.md"), `# ledger\n\n${old}\n`);
  const finish = act("finish", { candidate: "c1", unverifiable: "no program reads README.md" });
  const solve = (text: string, ...more: ScriptedAnswer[]) =>
    solveScripted(playground, {
      ...{
        repository,
        strategy: "unified",
        statement: "Line 3 of README.md should read `keeps the accounts`",
      },
      answers: [
        act("edit-code", { intent: "correct the word", from: "base" }),
        edit(editBlock("README.md", old, text)),
        done("the word is corrected"),
        finish,
        approve,
        ...more,
      ],
    });
  const good = await solve("It keeps the accounts. See [the licence](LICENSE.md#licence).");
  expect(good.exitCode, good.stderr).toBe(10);
  for (const name of ["syntax-no-worse", "links-resolve", "stated-text-present"])
    expect(predicate(good.report, name)?.holds, name).toBe(true);
  const bad = await solve("It keeps these accounts. See [the licence](LICENCE.md).", {
    ...finish,
    contains: "a check failed",
  });
  expect(bad.exitCode, bad.stderr).toBe(10);
  expect(predicate(bad.report, "links-resolve")).toMatchObject({
    holds: false,
    evidence: "the patch leaves links without a target: README.md: LICENCE.md",
  });
  expect(predicate(bad.report, "stated-text-present")?.holds).toBe(false);
  expect(bad.report.reason).toContain("links-resolve");
});

const has = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

test.each([
  {
    ...{
      tool: "go vet",
      isHere: has("go", "version"),
      file: "fee.go",
      right: "weight * 2",
      wrong: "weigth * 2",
    },
    files: {
      "go.mod": "module shop\n\ngo 1.20\n",
      "fee.go": "package shop\n\nfunc Fee(weight int) int {\n\treturn weight * 3\n}\n",
    },
  },
  {
    ...{ tool: "python compileall", isHere: has("python3", "--version"), file: "fee.py" },
    ...{ right: "weight * 2", wrong: "weight * 2\n    return = 3" },
    files: { "fee.py": "def fee(weight):\n    return weight * 3\n" },
  },
  {
    ...{ tool: "cargo check", isHere: has("cargo", "--version"), file: "src/lib.rs", right: "weight * 2" },
    wrong: "weight * 2.5",
    files: {
      "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": "pub fn fee(weight: u32) -> u32 {\n    weight * 3\n}\n",
    },
  },
])(
  "without tests, $tool judges the patch on top of the base",
  async ({ tool, isHere, file, right, wrong, files }) => {
    if (!isHere) return;
    const repository = join(playground.folder, "shop");
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(repository, path, ".."), { recursive: true });
      writeFileSync(join(repository, path), text);
    }
    const solve = (text: string) =>
      solveScripted(playground, {
        ...{ repository, strategy: "react", statement: "A fee is two for each kilogram" },
        answers: [
          {
            role: "editing",
            calls: [{ name: "bash", input: { command: `cat > ${file} <<'END'\n${text}END` } }],
          },
          { role: "editing", calls: [{ name: "submit", input: { summary: "two" } }], times: "always" },
        ],
      });
    const text = (files as Readonly<Record<string, string>>)[file] ?? "";
    const good = await solve(text.replace("weight * 3", right));
    expect(predicate(good.report, "compiles-no-worse"), good.stderr).toEqual({
      ...{ predicate: "compiles-no-worse", holds: true, evidence: `${tool} reports no new error` },
    });
    const bad = await solve(text.replace("weight * 3", wrong));
    expect(bad.exitCode, bad.stderr).toBe(10);
    expect(predicate(bad.report, "compiles-no-worse")?.evidence).toContain(`${tool} reports 1 new error`);
  },
);
