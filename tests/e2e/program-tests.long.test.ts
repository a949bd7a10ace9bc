/** Written tests that only run a program: they show the fault if the program is the repository's own. Whole runs with a scripted model. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { use } from "./scripted-react.ts";
import { editBlock, solveScripted } from "./scripted-solve.ts";
import { act, done, edit, predicate } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

/** A word of it is in the name of what is changed, and nothing else. */
const statement = "Customers see too few packs at the door.";

interface Case {
  readonly fixture: string;
  readonly code: string;
  readonly wrong: string;
  readonly right: string;
  /** Files of the repository. */
  readonly files: Readonly<Record<string, string>>;
  readonly test: string;
  readonly text: string;
}

const anyTest =
  "import unittest\n\n\nclass AnyTest(unittest.TestCase):\n    def test_any(self):\n        self.assertTrue(True)\n";
const python: Case = {
  fixture: "wrong-test-python",
  code: "parcels/__init__.py",
  wrong: "    return pieces // 6",
  right: "    return -(-pieces // 6)",
  files: {
    "tests/test_packs.py": anyTest,
    "parcels/__main__.py": "import sys\n\nfrom parcels import packs\n\nprint(packs(int(sys.argv[1])))\n",
  },
  test: "tests/test_door.py",
  text: runs('[sys.executable, "-m", "parcels", "13"]', "self.assertEqual(ended.stdout.strip(), '3')"),
};
const rust: Case = {
  fixture: "wrong-test-rust",
  code: "src/lib.rs",
  wrong: "    pieces / 6",
  right: "    (pieces + 5) / 6",
  files: {
    "src/lib.rs":
      "/// Counts the packs for so many pieces.\npub fn packs(pieces: u32) -> u32 {\n    pieces / 6\n}\n",
    "src/main.rs":
      'fn main() {\n    let text = std::env::args().nth(1).unwrap();\n    println!("{}", parcels::packs(text.parse().unwrap()));\n}\n',
  },
  test: "tests/door.rs",
  text: '#[test]\nfn door() {\n    let ended = std::process::Command::new(env!("CARGO_BIN_EXE_parcels")).arg("14").output().unwrap();\n    assert_eq!(String::from_utf8_lossy(&ended.stdout).trim(), "3");\n}\n',
};
const node: Case = {
  fixture: "without-tests",
  code: "lib/packs.js",
  wrong: "Math.floor(pieces / 6)",
  right: "Math.ceil(pieces / 6)",
  files: {
    "package.json": '{ "name": "parcels", "scripts": { "test": "node --test" } }',
    "test/any.test.js": 'require("node:test").test("any", () => {});\n',
    "lib/packs.js": "exports.packs = function packs(pieces) {\n  return Math.floor(pieces / 6);\n};\n",
    "bin/packs":
      '#!/usr/bin/env node\nconsole.log(require("../lib/packs.js").packs(Number(process.argv[2])));\n',
  },
  test: "test/door.test.js",
  text: 'const assert = require("node:assert");\nconst { execFileSync } = require("node:child_process");\nconst { test } = require("node:test");\n\ntest("door", () => {\n  const said = execFileSync(process.execPath, ["bin/packs", "13"], { encoding: "utf8" });\n  assert.equal(said.trim(), "3");\n});\n',
};
/** Another program, which prints the sources of the repository. */
const other: Case = {
  ...python,
  text: runs('["cat", "parcels/__init__.py"]', "self.assertIn('-pieces', ended.stdout)"),
};

function runs(command: string, asserts: string): string {
  return `import subprocess\nimport sys\nimport unittest\n\n\nclass DoorTest(unittest.TestCase):\n    def test_door(self):\n        ended = subprocess.run(${command}, capture_output=True, text=True)\n        ${asserts}\n`;
}

async function solve({ fixture, code, wrong, right, files, test: path, text }: Case) {
  const repository = playground.copyRepository(fixture);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, file)), { recursive: true });
    writeFileSync(join(repository, file), content);
  }
  const approved = { approved: true, analysis: "It counts what is begun.", advice: "" };
  const submit = { summary: "a begun pack counts", because: "the door shows whole packs alone" };
  return solveScripted(playground, {
    ...{ strategy: "react", statement, repository },
    answers: [
      use("create", { path, text }),
      use("str_replace", { path: code, old: wrong, new: right }),
      { ...use("submit", submit), times: "always" },
      {
        role: "review",
        calls: [{ name: "verdict", input: { patch: approved, tests: approved } }],
        times: "always",
      },
    ],
  });
}

test.each([
  ["Python", python],
  ["Rust", rust],
  ["JavaScript", node],
])(
  "react: a test of the repository's program shows the fault by its author's reason, in %s",
  async (_, project) => {
    const { report, exitCode, stderr } = await solve(project);
    expect(predicate(report, "failure-is-the-stated-one")?.evidence, stderr).toContain("; the review agrees");
    expect(exitCode, JSON.stringify(report.gate)).toBe(0);
  },
);

test("react: a test of another program shows nothing, though it fails before the patch alone", async () => {
  const { report, exitCode, stderr } = await solve(other);
  expect(predicate(report, "failing-tests-fail-on-base")?.holds, stderr).toBe(false);
  expect(exitCode).toBe(10);
});

const cased: Readonly<Record<string, string>> = {
  "join.py": "import sys\n\nprint('-'.join(sys.argv[1:-1]))\n",
  "tests/none.txt": "\n",
  "check.sh":
    'for each in tests/*.txt; do\n  got=$(python3 join.py $(head -1 "$each"))\n  want=$(tail -1 "$each")\n  [ "$got" = "$want" ] || { echo "join.py gives $got and not $want"; exit 1; }\ndone\n',
};
const last = "`join.py` leaves out the last word: `join.py red blue` gives `red`, and not `red-blue`.";

test.each([
  ["react", ["tests/two.txt", "red blue\nred-blue\n"], 0],
  ["unified", ["tests/two.txt", "red blue\nred-blue\n"], 0],
  ["unified", ["tests/two.txt", "\n\n"], 11],
] as const)(
  "%s: a file that a plain command reads is a test, by the exit code (%j)",
  async (strategy, [path, text], code) => {
    const repository = playground.copyRepository("without-tests");
    for (const [file, content] of Object.entries(cased)) {
      mkdirSync(dirname(join(repository, file)), { recursive: true });
      writeFileSync(join(repository, file), content);
    }
    const approved = { approved: true, analysis: "It joins all words.", advice: "" };
    const change = { path: "join.py", old: "sys.argv[1:-1]", new: "sys.argv[1:]" };
    const fix = editBlock("join.py", "print('-'.join(sys.argv[1:-1]))", "print('-'.join(sys.argv[1:]))");
    const { report, exitCode, stderr } = await solveScripted(playground, {
      ...{ strategy, statement: last, repository },
      args: ["--test-command", "sh check.sh", "--max-steps", "12", "--no-held-back"],
      answers: [
        ...(strategy === "react"
          ? [use("create", { path, text }), use("str_replace", change), { ...use("submit"), times: 3 }]
          : []),
        act("reproduction", { intent: "show it" }),
        {
          role: "reproduction",
          calls: [
            { name: "edit", input: { edits: editBlock(path, "", text.trimEnd()) } },
            { name: "show", input: { files: [path] } },
          ],
        },
        ...(code === 0 ? [act("edit-code", { intent: "join all words", from: "base" })] : []),
        ...(code === 0 ? [edit(fix), done("all words")] : []),
        {
          role: "review",
          calls: [{ name: "verdict", input: { patch: approved, tests: approved } }],
          times: "always",
        },
        { ...act("finish", { candidate: "c1" }), times: "always" },
      ],
    });
    expect(exitCode, `${stderr}\n${JSON.stringify(report.gate)}\n${report.reason}`).toBe(code);
  },
);
