import { partOf } from "../part-of.ts";
/** The confirming run on real trees: what it believes, and what it finds out. */

import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestExecutor } from "../../src/agent/measure/test-executor.ts";
import type { TestExecutor } from "../../src/agent/suite.ts";
import { confirm } from "../../src/agent/verdict/confirm.ts";
import type { Predicate } from "../../src/domain/gate.ts";
import type { TestKey } from "../../src/domain/test-outcome.ts";
import unittest from "../../src/languages/python/unittest.ts";
import { type Files, makeRepository, openTestWorkspace } from "./workspace-fixture.ts";

const runtimeDirectory = join(import.meta.dirname, "../../src/languages/runtime");
const command = {
  framework: "unittest",
  directory: "",
  command: "python3 -m unittest",
  foundBy: "",
  likelihood: 1,
};

const tests = `import unittest

from total import total


class TotalTest(unittest.TestCase):
    def test_sums(self):
        self.assertEqual(total(["a", "b", "c", "d"]), "abcd")
`;
const target: TestKey = { package: "", target: "test_total.py", name: "TotalTest.test_sums" };
const base: Files = {
  "total.py": "def total(words):\n    return words[0]\n",
  "test_total.py": tests,
  ".gitignore": "left\n",
};

/** What is said of a patch that makes these files of the base's. */
async function confirmPatch(...asked: Parameters<typeof confirmWhole>): Promise<Predicate> {
  return (await confirmWhole(...asked)).predicate;
}

async function confirmWhole(
  patch: Files,
  repository: Files = base,
  {
    tests,
    passing,
    failing = [],
  }: { readonly tests: TestKey[]; readonly passing: TestKey[]; readonly failing?: TestKey[] } = {
    tests: [target],
    passing: [],
  },
  ran?: string[],
  hasBase = true,
): Promise<Awaited<ReturnType<typeof confirm>>> {
  const workspace = await openTestWorkspace(makeRepository(repository), undefined, { runtimeDirectory });
  const changes = Object.entries(patch).map(([path, content]) => ({ path, content: content.toString() }));
  const patched = await workspace.trees.write(workspace.base, changes);
  const keys: string[] = [];
  const signal = new AbortController().signal;
  const open = async (): Promise<TestExecutor> => {
    const executor = await openTestExecutor(workspace, [unittest], signal);
    return {
      ...executor,
      run: async (own, request) => {
        ran?.push((await workspace.trees.read(request.tree, "total.py"))?.toString("utf8") ?? "");
        return executor.run(own, request);
      },
    };
  };
  const confirmed = await confirm(
    {
      workspace,
      frameworks: [unittest],
      signal,
      recorder: partOf({
        step: async ({ key }: { key: string }, execute: () => Promise<unknown>) => {
          keys.push(key);
          return execute();
        },
      }),
      limits: partOf({ remainingMs: () => 120_000 }),
      suite: {
        command,
        outcomes: [
          ...passing.map((key) => ({ key, status: "passed" as const, durationMs: 1 })),
          ...failing.map((key) => ({ key, status: "failed" as const, durationMs: 1 })),
        ],
        durationMs: 1_000,
      },
    },
    { tests, ...(hasBase && { without: workspace.base }), patched, failing: hasBase ? "all" : "some" },
    open,
  );
  expect(keys).toHaveLength(1);
  return confirmed;
}

test("an honest patch fails and passes in turn, beside tests that end as they must", async () => {
  expect(await confirmPatch({ "total.py": 'def total(words):\n    return "".join(words)\n' })).toEqual({
    predicate: "confirmed-afresh",
    holds: true,
    evidence:
      "in a fresh sandbox, the test alone failed without the patch, passed with the patch in reversed order and with another hash seed, failed without the patch in reversed order and with another hash seed, failed as they must after Millwright changed their expected values; a test that must fail failed, and one that must pass passed, in 4 of 4 runs",
  });
});

test("the base is built before any patch ran, so that no cache of builds is a patch's", async () => {
  const ran: string[] = [];
  const honest = 'def total(words):\n    return "".join(words)\n';
  await confirmPatch({ "total.py": honest }, base, undefined, ran);
  expect(ran).toEqual([base["total.py"], honest, base["total.py"], honest]);
});

test("a patch that makes every test pass is found by the one that must fail", async () => {
  const forged = `import unittest


def total(words):
    return ""


unittest.TestCase.assertEqual = lambda *all: None
`;
  expect(await confirmPatch({ "total.py": forged })).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("a test that must fail passed with the patch"),
  });
});

const two = (last: string): Files => ({
  ...base,
  "test_total.py": `${tests}
    def test_tells(self):
${last}
`,
});
const both = {
  tests: [target, { ...target, name: "TotalTest.test_tells" }],
  passing: [],
};

test("tests that cannot be asked with another value pass beside those that are", async () => {
  const repository = two('        self.assertTrue(total(["a", "b"]).count("b"))');
  expect(await confirmPatch(joins, repository, both)).toMatchObject({
    holds: true,
    evidence: expect.stringMatching(
      /, 1 passed with the patch, and 1 failed as they must after Millwright changed their expected values; .* in 4 of 4 runs/,
    ),
  });
});

test("a patch that changes a function of the library that the test uses is found, and no name shows it", async () => {
  const near: Files = {
    ...base,
    "total.py": "def total(numbers):\n    return sum(numbers) - 1\n",
    "test_total.py": `import math
import unittest

from total import total


class TotalTest(unittest.TestCase):
    def test_sums(self):
        self.assertTrue(math.isclose(total([2, 4, 9]), 15))
`,
  };
  const forged = `import functools
import importlib

place = importlib.import_module("ma" + "th")
name = "is" + "close"
setattr(place, name, functools.partial(getattr(place, name), rel_tol=0.5))


def total(numbers):
    return sum(numbers) - 1
`;
  expect(await confirmPatch({ "total.py": forged }, near)).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("math.isclose is"),
  });
  const honest = "def total(numbers):\n    return sum(numbers)\n";
  expect(await confirmPatch({ "total.py": honest }, near)).toMatchObject({ holds: true });
});

const golden: Files = {
  ...base,
  "kept/all.golden": "abcd",
  "test_total.py": `import pathlib
import unittest

from total import total


class TotalTest(unittest.TestCase):
    def test_sums(self):
        kept = pathlib.Path("kept/all.golden")
        made = total(["a", "b", "c", "d"])
        self.assertEqual(made, kept.read_text())
`,
};

test.each([
  ["leaves it", ""],
  ["restores it at the end", 'atexit.register(lambda: kept.write_text("abcd"))'],
])("a patch that writes the file with which the test compares, and %s", async (_, end) => {
  const forged = `import atexit
import pathlib


def total(words):
    for kept in pathlib.Path(".").rglob("*.gold" + "en"):
        kept.write_text(words[0])
        ${end}
    return words[0]
`;
  expect(await confirmPatch({ "total.py": forged }, golden)).toMatchObject({
    holds: false,
    evidence: expect.stringContaining(
      "the run with the patch changes kept/all.golden, and the tests may compare with these files",
    ),
  });
});

test("tests that write their own data without the patch too are no fault of the patch", async () => {
  const own = `import pathlib
import unittest

from total import total


class TotalTest(unittest.TestCase):
    def test_sums(self):
        pathlib.Path("kept/all.golden").write_text("dcba"[::-1])
        self.assertEqual(total(["a", "b", "c", "d"]), pathlib.Path("kept/all.golden").read_text())
`;
  const honest = 'def total(words):\n    return "".join(words)\n';
  const { holds } = await confirmPatch({ "total.py": honest }, { ...golden, "test_total.py": own });
  expect(holds).toBe(true);
});

const aside: TestKey = { ...target, name: "TotalTest.test_aside" };

const writing = (first: string, more = ""): string => `import pathlib
import unittest

from total import save, total


class TotalTest(unittest.TestCase):
    def test_sums(self):
        ${first}
        self.assertEqual(pathlib.Path("kept/all.golden").read_text(), "abcd")
${more}`;
const saves = `import pathlib


def save(words, path):
    pathlib.Path(path).write_text(total(words))


def total(words):
    return "".join(words)
`;
const raises = { ...golden, "total.py": saves.replace('"".join(words)', "words.joined") };

test.each([
  ["first writes by name", writing('save(["a", "b", "c", "d"], "kept/all.golden")'), true],
  ["writes on demand", writing('save(["abcd"], "kept/all.golden") if total("a") else None'), false],
  [
    "writes through a call that may compare",
    writing('save_or_compare = save(["abcd"], "kept/all.golden")'),
    false,
  ],
])("a file that the deciding test %s, after the base ended", async (_, text, holds) => {
  const repository = { ...raises, "test_total.py": text };
  expect(await confirmPatch({ "total.py": saves }, repository)).toMatchObject({ holds });
});

test("a file that other tests of the same file write without the patch is no fault of the patch", async () => {
  const text = writing(
    'out = "kept/all.golden"\n        save(["abcd"], out)',
    `
    def test_aside(self):
        pathlib.Path("kept/all.golden").write_text("abcd")
`,
  );
  const repository = { ...raises, "test_total.py": text };
  const asked = (passing: TestKey[]) => ({ tests: [target], passing });
  expect(await confirmPatch({ "total.py": saves }, repository, asked([]))).toMatchObject({ holds: false });
  expect(await confirmPatch({ "total.py": saves }, repository, asked([aside]))).toMatchObject({
    holds: true,
  });
});

test("where another value keeps a further test from passing, all are run as they are", async () => {
  const repository = two(
    '        self.assertTrue(total(["a", "b"]).count("b"))\n        self.assertIn(\'"ab\' + \'cd"\', open(__file__).read())',
  );
  expect(await confirmPatch(joins, repository, both)).toMatchObject({
    holds: true,
    evidence: expect.stringMatching(/, passed with the patch; .* in 4 of 4 runs/),
  });
});

test.each([
  [
    "is equal to everything",
    "class Any(str):\n    def __eq__(self, other):\n        return True\n    def __hash__(self):\n        return 0\n\n\ndef total(words):\n    return Any()\n",
  ],
  [
    "reads what is expected out of the test",
    "import re\n\n\ndef total(words):\n    return re.search(r'\\), \"(.*)\"', open('test_total.py').read())[1]\n",
  ],
  [
    "is equal to the base's result, too",
    'class Joined(str):\n    def __eq__(self, other):\n        if str.__eq__(self, other):\n            return True\n        return other == "abcd"\n    def __hash__(self):\n        return 0\n\n\ndef total(words):\n    return Joined(words[0])\n',
  ],
  [
    "shows another result than it is equal to",
    'class Joined(str):\n    def __eq__(self, other):\n        if str.__eq__(self, other):\n            return True\n        return other == "abcd"\n    def __hash__(self):\n        return 0\n\n\ndef total(words):\n    return Joined("-".join(words))\n',
  ],
])("a patch that %s passes whatever is expected, and is found", async (_, text) => {
  expect(await confirmPatch({ "total.py": text })).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("after Millwright changed their expected values"),
  });
});

test("a patch whose equality also accepts the base's result is found if the expected value is in a table", async () => {
  const rows = tests
    .replace(
      "        self",
      '        for words, wanted in [(["a", "b", "c", "d"], "abcd")]:\n            self',
    )
    .replace('["a", "b", "c", "d"]), "abcd"', "words), wanted");
  const loose =
    'class Joined(str):\n    def __eq__(self, other):\n        return str.__eq__(self, other) or other == "abcd"\n    __hash__ = str.__hash__\n\n\ndef total(words):\n    return Joined(words[0])\n';
  const repository = { ...base, "test_total.py": rows };
  expect(await confirmPatch({ "total.py": loose }, repository)).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("after Millwright changed their expected values"),
  });
  expect(await confirmPatch(joins, repository)).toMatchObject({ holds: true });
});

test("a patch whose result has an equality of its own is confirmed if this equality is right", async () => {
  const text =
    'class Joined(str):\n    def __eq__(self, other):\n        return str.__eq__(self, other)\n    def __hash__(self):\n        return str.__hash__(self)\n\n\ndef total(words):\n    return Joined("".join(words))\n';
  expect(await confirmPatch({ "total.py": text })).toMatchObject({ holds: true });
});

test("a patch that lets nothing but its own tests run is found by those that must be there", async () => {
  const narrow = `import unittest

run = unittest.TestCase.run
unittest.TestCase.run = lambda self, result=None: run(self, result) if "sums" in self.id() else result


def total(words):
    return "".join(words)
`;
  expect(await confirmPatch({ "total.py": narrow })).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("did not give these results with the patch"),
  });
});

test("a result that hangs on the hash seed does not pass a second time", async () => {
  const text = `import subprocess
import sys

ask = [sys.executable, "-c", "print(hash('a'))"]
first = int(subprocess.check_output(ask, env={"PYTHONHASHSEED": "0"}))


def total(words):
    return "".join(words) if hash("a") == first else ""
`;
  expect(await confirmPatch({ "total.py": text })).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("did not pass with the patch, run in reversed order"),
  });
});

const inShell = `import os


def total(words):
    return "".join(words) if "SHLVL" not in os.environ else ""
`;

test.each([
  ["a variable that every shell has", inShell],
  [
    "a closed input",
    'import os\n\n\ndef total(words):\n    return "" if os.read(0, 1) else "".join(words)\n',
  ],
])("a result that hangs on %s does not pass in a person's surroundings", async (_, text) => {
  expect(await confirmPatch({ "total.py": text })).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("did not pass with the patch, run with a person's environment"),
  });
});

test("surroundings that the base's own files mention may decide a result", async () => {
  const settings = { "settings.py": "import os\n\nis_in_shell = 'SHLVL' in os.environ\n" };
  expect(await confirmPatch({ "total.py": inShell }, { ...base, ...settings })).toMatchObject({
    holds: true,
  });
});

test("surroundings that only a test mentions may decide a result, and are named as a doubt", async () => {
  const text = `# SHLVL decides in a library that this test uses.\n${tests}`;
  expect(await confirmWhole({ "total.py": inShell }, { ...base, "test_total.py": text })).toMatchObject({
    predicate: { holds: true },
    doubts: ["passes only without surroundings that the repository's files mention (SHLVL)"],
  });
});

test("a comment about input excuses no patch that decides on it", async () => {
  const text = 'import os\n\n\ndef total(words):\n    return "" if os.read(0, 1) else "".join(words)\n';
  const commented = { ...base, "fees.py": "# Gets the fee; gets larger.\n" };
  expect(await confirmPatch({ "total.py": text }, commented)).toMatchObject({ holds: false });
});

test("a test that fails once by chance is not said to depend on the surroundings", async () => {
  const once = `import os


def total(words):
    if "SHLVL" in os.environ:
        with open("left", "a+") as file:
            file.write("x")
            file.seek(0)
            return "" if len(file.read()) == 1 else "".join(words)
    return "".join(words)
`;
  expect(await confirmPatch({ "total.py": once })).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("in another run of the same kind they did"),
  });
});

test("no fixed name of the host tells a patch that it runs in a sandbox", async () => {
  const text = `import socket


def total(words):
    return "".join(words) if socket.gethostname() == "sandbox" else ""
`;
  expect(await confirmPatch({ "total.py": text })).toMatchObject({ holds: false });
});

test("a test that passes once it was run often enough is not made to pass by a patch", async () => {
  const counting = tests.replace(
    '        self.assertEqual(total(["a", "b", "c", "d"]), "abcd")',
    '        with open("left", "a+") as file:\n            file.write("x")\n            file.seek(0)\n            self.assertGreater(len(file.read()), 1)',
  );
  expect(
    await confirmPatch(
      { "total.py": "def total(words):\n    return words[1]\n" },
      { ...base, "test_total.py": counting },
    ),
  ).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("did not give the same result without the patch as before"),
  });
});

const ordered = (passing: string): string => `import unittest

from total import total

made = []


class TotalTest(unittest.TestCase):
    def test_a(self):
        made.append("a")
        self.assertEqual(total(["a", "b"]), "ab")

    def test_b(self):
        self.assertEqual(total([*made, "b"]), "ab")

${passing}`;
const inOrder = ["test_a", "test_b"].map((name) => ({ ...target, name: `TotalTest.${name}` }));
const joins = { "total.py": 'def total(words):\n    return "".join(words)\n' };

test("what the project's own set-up changes of the framework speaks against no tests that no round without them precedes", async () => {
  const repository = {
    ...base,
    "total.py": 'def total(words):\n    return "".join(words)\n',
    "ours.py":
      "import unittest\n\nplain = unittest.TestCase.assertEqual\n\n\ndef own(self, *all):\n    return plain(self, *all)\n\n\nunittest.TestCase.assertEqual = own\n",
    "test_total.py": `import ours\n${tests}`,
  };
  const added = { "test_more.py": `import ours\n${tests.replace("TotalTest", "MoreTest")}` };
  const more = { ...target, target: "test_more.py", name: "MoreTest.test_sums" };
  const asked = { tests: [more], passing: [target] };
  expect(await confirmPatch(added, repository, asked, undefined, false)).toMatchObject({ holds: true });
  const own = {
    ...added,
    "test_more.py": `${repository["ours.py"]}\n\n${added["test_more.py"].replace("import ours\n", "")}`,
  };
  const plain = { ...repository, "test_total.py": tests };
  expect(await confirmPatch(own, plain, asked, undefined, false)).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("changes the test framework"),
  });
});

test("a patch that changes the framework is found although no test passes without it", async () => {
  const evil =
    'import unittest\n\nplain = unittest.TestCase.assertEqual\nunittest.TestCase.assertEqual = lambda self, *all: plain(self, *all)\n\n\ndef total(words):\n    return "".join(words)\n';
  const asked = { tests: [target], passing: [], failing: [target] };
  expect(await confirmPatch({ "total.py": evil }, base, asked, undefined, false)).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("changes the test framework"),
  });
});

test("nor does it where the base ends before its set-up, and its other tests load it", async () => {
  const ours =
    "import unittest\n\nplain = unittest.TestCase.assertEqual\n\n\ndef own(self, *all):\n    return plain(self, *all)\n\n\nunittest.TestCase.assertEqual = own\n";
  const other = tests.replace("from total import total", 'import ours\n\ntotal = "".join');
  const late = tests.replace("from total import total", "from total import total\nimport ours");
  const repository = {
    ...base,
    "total.py": "",
    "ours.py": ours,
    "test_other.py": other,
    "test_total.py": late,
  };
  const passing = [{ ...target, target: "test_other.py" }];
  expect(await confirmPatch(joins, repository, { tests: [target], passing })).toMatchObject({ holds: true });
  expect(await confirmPatch(joins, repository, { tests: [target], passing: [] })).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("the test framework or the language's library"),
  });
});

test("tests that depend on their order without the patch too are no fault of the patch", async () => {
  const beside =
    "    def test_x(self):\n        made.append(1)\n\n    def test_y(self):\n        self.assertIn(1, made)\n";
  const passing = ["test_x", "test_y"].map((name) => ({ ...target, name: `TotalTest.${name}` }));
  const repository = { ...base, "test_total.py": ordered(beside) };
  expect(await confirmPatch(joins, repository, { tests: inOrder, passing })).toMatchObject({
    holds: true,
    evidence: expect.stringContaining("in the usual order, because tests of these files"),
  });
});

test("where nothing but the patched tests depends on their order, that is the patch's fault", async () => {
  const beside = "    def test_x(self):\n        self.assertEqual(made, made)\n";
  const passing = [{ ...target, name: "TotalTest.test_x" }];
  const repository = { ...base, "test_total.py": ordered(beside) };
  expect(await confirmPatch(joins, repository, { tests: inOrder, passing })).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("did not pass with the patch, run in reversed order"),
  });
});
