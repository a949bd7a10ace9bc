import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { type OpenGraph, openGraph } from "../../graph/open-graph.ts";
import { openSearcher } from "../../graph/retrieval/open-searcher.ts";
import { openTextFiles } from "../../workspace/text-files.ts";
import type { ActionContext } from "../action.ts";
import { emptyState, type Place } from "../state/task-state.ts";
import { exampleOf, renderExistingTests } from "./existing-tests.ts";

const files: Readonly<Record<string, string>> = {
  "bank/pay.py": "def pay_rent(amount):\n    return amount - 1\n\n\ndef close():\n    return None\n",
  "tests/test_pay.py":
    "# Of paying.\nimport unittest\n\nfrom bank.pay import pay_rent\n\n\ndef helper():\n    return pay_rent(1)\n\n\nclass PayTest(unittest.TestCase):\n    limit = 3\n\n    def test_pays(self):\n        self.assertEqual(0, pay_rent(1))\n",
  "test/pay_test.rb":
    'require "pay"\n\ndescribe Pay do\n  before do\n    @pay = Pay.new\n  end\n\n  it "pays" do\n    assert @pay.pay\n  end\nend\n',
  "tests/test_far.py":
    "import unittest\n\n\nclass FarTest(unittest.TestCase):\n    def test_other(self):\n        self.assertTrue(True)\n\n    def test_ini(self):\n        self.run('payday = friday')\n",
  "tests/test_plugged.py": `import pytest\nfrom bank import (\n${"    name,\n".repeat(11)})\npytest_plugins = "pytester"\n\ndef test_plugged(pytester):\n    pytester.run()\n`,
  "tests/test_told.py":
    '"""Of the bank.\n\nIt opens at nine.\n"""\nimport unittest\n\n\ndef test_told():\n    assert True\n',
  "tests/test_query.py":
    'QUERY = """\nselect rent\n"""\nfrom bank import name\n\n\ndef test_query():\n    assert name(QUERY)\n',
  "bank/plugin.py": "def on_exit(session):\n    return session\n",
  "tests/test_plugin.py":
    "def test_quiet(runner):\n    runner.run('start')\n\ndef test_warns(runner):\n    # An unknown option.\n    runner.run('warning: unknown option')\n",
  "tests/test_late.py":
    "from bank.pay import pay_rent\n\n\ndef test_is_paid_late():\n    assert pay_rent(1) == 0\n",
  "benches/bench_pay.py": "from bank.pay import pay_rent\n\n\ndef test_bench():\n    pay_rent(1)\n",
  "src/parse.rs":
    "use core::str;\n\nfn parse_zone(s: &str) -> i32 {\n    s.len() as i32\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn test_zone() {\n        assert_eq!(1, super::any());\n    }\n}\n",
};

let folder: string;
let graph: OpenGraph;
let context: ActionContext;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "existing-"));
  const repository = join(folder, "repository");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  graph = openGraph({ repository, directory: join(folder, "index"), home: undefined });
  await graph.refresh({});
  const view = {
    searcher: async () => openSearcher({ graph, repository }),
    graph: async () => graph,
    files: openTextFiles(repository, folder),
  };
  context = partOf<ActionContext>({
    task: { statement: "It is wrong" },
    suite: { outcomes: [], command: { command: "", directory: "" } },
    workspace: { base: "b", trees: { list: async () => [] } },
    view: { tree: () => "b", context: view },
    frameworks: [],
  });
});
afterAll(() => {
  graph.close();
  rmSync(folder, { recursive: true, force: true });
});

const place = (file: string, startLine: number): Place => ({
  file,
  startLine,
  endLine: startLine + 1,
  why: "",
});

test("skips helpers in a test file when it looks for an example of a test", async () => {
  const likely = { places: [], tests: [{ ...place("tests/test_pay.py", 7), endLine: 8 }] };
  const example = await exampleOf(
    { ...context, likely },
    { ...emptyState, codePlaces: [place("bank/pay.py", 1)] },
  );
  expect(example).toContain("def test_pays");
  expect(example).not.toContain("def helper");
});

test("the head above an example contains what follows long imports, such as plugins", async () => {
  const likely = { places: [], tests: [{ ...place("tests/test_plugged.py", 17), endLine: 18 }] };
  const example = await exampleOf({ ...context, likely }, emptyState);
  expect(example).toContain('pytest_plugins = "pytester"');
});

test("the head above an example contains no text of a docstring", async () => {
  const likely = { places: [], tests: [{ ...place("tests/test_told.py", 8), endLine: 9 }] };
  const example = await exampleOf({ ...context, likely }, emptyState);
  expect(example).toBe("### tests/test_told.py\nimport unittest\n…\n8\tdef test_told():\n9\t    assert True");
});

test("the head above an example contains an assigned text, and the lines after it", async () => {
  const likely = { places: [], tests: [{ ...place("tests/test_query.py", 7), endLine: 8 }] };
  const example = await exampleOf({ ...context, likely }, emptyState);
  expect(example).toContain('QUERY = """\nselect rent\n"""\nfrom bank import name\n…\n7\tdef test_query():');
});

test("of a group of tests the first one is the example, below the group's head", async () => {
  const likely = { places: [], tests: [{ ...place("test/pay_test.rb", 3), endLine: 11 }] };
  const example = await exampleOf({ ...context, likely }, emptyState);
  expect(example).toContain('describe Pay do\n  before do\n    @pay = Pay.new\n  end\n…\n8\t  it "pays" do');
});

test("of a place the tests are shown that name it, as they stand, and nothing where none does", async () => {
  const shown = await renderExistingTests(context, [place("bank/pay.py", 1)]);
  expect(shown).toMatch(/^tests\/test_pay\.py:14-15 \(.*which names pay_rent\)\n14\t {4}def test_pays/);
  expect(shown).not.toContain("helper");
  expect(await renderExistingTests(context, [place("bank/pay.py", 5)])).toBe("");
});

test("tests of a file in which none passes on the base come last: they lack something here", async () => {
  const outcome = (target: string, status: "passed" | "errored") => ({
    ...{ key: { package: "", target, name: "a" }, status, durationMs: 1 },
  });
  const outcomes = [outcome("tests/test_pay.py", "errored"), outcome("tests/test_late.py", "passed")];
  const shown = await renderExistingTests({ ...context, suite: { ...context.suite, outcomes } }, [
    place("bank/pay.py", 1),
  ]);
  expect(shown).toMatch(/^tests\/test_late\.py:/);
  expect(shown).toMatch(/Also .*tests\/test_pay\.py:14-15 /);
});

test("a test of the mirrored file counts without a name of the place if it shares words with the statement", async () => {
  const stated = partOf<ActionContext>({
    ...context,
    task: { statement: "A warning about an unknown option is missing when the plugin ends" },
  });
  const shown = await renderExistingTests(stated, [place("bank/plugin.py", 1)]);
  expect(shown).toMatch(/^tests\/test_plugin\.py:4-6 \(test_warns, in the tests of the place's file\)/);
  expect(shown).not.toContain("test_quiet");
  expect(await renderExistingTests(context, [place("bank/plugin.py", 1)])).toBe("");
});

test("a test with a rare name that the statement writes as code comes first, wherever it is", async () => {
  const listed = ["tests/test_far.py", "tests/test_pay.py"].map((path) => ({ path, mode: "100644" }));
  const stated = partOf<ActionContext>({
    ...context,
    task: { statement: "A warning is missing when :confval:`payday` is unknown" },
    workspace: { base: "b", trees: { list: async () => listed } },
  });
  const shown = await renderExistingTests(stated, [place("bank/pay.py", 1)]);
  expect(shown).toMatch(/^tests\/test_far\.py:8-9 \(test_ini, which names payday\)\n8\t {4}def test_ini/);
  expect(shown).toMatch(/Also .*tests\/test_pay\.py:14-15 /);
});

test("tests inside of a source file are found by their names", async () => {
  expect(await renderExistingTests(context, [place("src/parse.rs", 3)])).toMatch(
    /^src\/parse\.rs:1[12]-14 \(test_zone\)\n/,
  );
});

test("an example is a test with what stands above it in its file and its class", async () => {
  const example = await exampleOf(context, { ...emptyState, codePlaces: [place("bank/pay.py", 1)] });
  expect(example).toBe(
    "### tests/test_pay.py\nimport unittest\nfrom bank.pay import pay_rent\nclass PayTest(unittest.TestCase):\n    limit = 3\n…\n14\t    def test_pays(self):\n15\t        self.assertEqual(0, pay_rent(1))",
  );
  expect(await exampleOf(context, { ...emptyState, codePlaces: [place("src/parse.rs", 3)] })).toContain(
    "mod tests {\n    use super::*;\n",
  );
});

test("an example is no file that the build leaves out", async () => {
  const ran = partOf<ActionContext>({
    ...context,
    suite: { outcomes: [], command: { command: "", directory: "", framework: "cargo-test" } },
    frameworks: [
      {
        name: "cargo-test",
        testFiles: async () => ({ left: new Set(["tests/test_far.py"]), place: () => undefined }),
      },
    ],
    likely: { places: [place("bank/pay.py", 1)], tests: [place("tests/test_far.py", 5)] },
  });
  expect(await exampleOf(ran, emptyState)).toContain("### tests/test_pay.py");
});

test("an example is no benchmark that ranks first", async () => {
  const likely = { places: [place("bank/pay.py", 1)], tests: [place("benches/bench_pay.py", 1)] };
  expect(await exampleOf({ ...context, likely }, emptyState)).toContain("### tests/test_pay.py");
});

test("an example is no file that the command leaves out", async () => {
  const left = { ...place("bank/test_types.py", 1), endLine: 9 };
  const ran = partOf<ActionContext>({
    ...context,
    suite: { outcomes: [{ key: { target: "tests/test_pay.py" } }], command: { command: "", directory: "" } },
    workspace: {
      base: "b",
      trees: { list: async () => [{ path: left.file }, { path: "tests/test_pay.py" }] },
    },
    likely: { places: [place("bank/pay.py", 1)], tests: [left] },
  });
  expect(await exampleOf(ran, emptyState)).toContain("### tests/test_pay.py");
});
