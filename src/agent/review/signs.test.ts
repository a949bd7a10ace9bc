/** What a change's syntax reveals: values, assertions, handlers. */
import { describe, expect, it } from "vitest";
import type { Source } from "../../syntax/reading.ts";
import { compareTexts, readSource } from "../code/change.ts";
import { bodiesOf, listTestBodies } from "../code/test-bodies.ts";
import { listAssertions, listSkips } from "../code/test-strength.ts";
import { listHandlers, listSilenced } from "./careless/suppressions.ts";
import { compareTests } from "./checks/edited-tests.ts";
import { judgeForm } from "./checks/form.ts";
import { listNewlyHidden } from "./checks/hidden-errors.ts";
import { findLost } from "./checks/lost-definitions.ts";
import { findElsewhere, findStrangers } from "./checks/reach.ts";
import { judgeTests } from "./checks/weak-tests.ts";
import { showChange } from "./reviewer/show-change.ts";

async function sourceOf(path: string, text: string): Promise<Source> {
  const source = await readSource(path, text);
  if (source === undefined) throw new Error(`no dialect for ${path}`);
  return source;
}

function allLines(text: string): Set<number> {
  return new Set(text.split("\n").map((_, index) => index + 1));
}

describe("a changed file of tests", () => {
  const python =
    "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n\n    def test_b(self):\n        self.assertTrue(f(2))\n";
  const weightsOf = async (path: string, before: string, after: string | undefined): Promise<string[]> =>
    (await compareTests(compareTexts(path, before, after))).map(({ weight, text }) => `${weight} ${text}`);

  it("is refuted where tests or assertions are gone, rewritten or skipped", async () => {
    const path = "tests/test_a.py";
    expect(await weightsOf(path, python, undefined)).toEqual([expect.stringMatching(/^refuted .*deletes/)]);
    expect(await weightsOf(path, python, python.slice(0, python.indexOf("    def test_b")))).toEqual([
      expect.stringMatching(/^refuted .*T test_b/),
      expect.stringMatching(/^refuted .*assertTrue/),
    ]);
    expect(await weightsOf(path, python, python.replace("f(1), 2", "f(1), 3"))).toEqual([
      expect.stringMatching(/^refuted .*assertEqual\(f\(1\), 2\)/),
    ]);
    const skipped = python.replace("    def test_b", "    @unittest.skip\n    def test_b");
    expect(await weightsOf(path, python, skipped)).toEqual([
      expect.stringMatching(/^refuted .*@unittest\.skip/),
    ]);
    const js = 'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n';
    expect(await weightsOf("a.test.js", js, js.replace('it("adds"', 'it.skip("adds"'))).toContainEqual(
      expect.stringMatching(/^refuted .*it\.skip/),
    );
    const go =
      'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\tif f() != 1 {\n\t\tt.Fatal("no")\n\t}\n}\n';
    expect(await weightsOf("a_test.go", go, go.replace('t.Fatal("no")', "_ = 1"))).toEqual([
      expect.stringMatching(/^refuted .*t\.Fatal/),
    ]);
  });

  it("is not where tests are only added", async () => {
    const more = `${python}\n    def test_c(self):\n        self.assertEqual(f(3), 4)\n`;
    expect(await weightsOf("tests/test_a.py", python, more)).toEqual([]);
  });

  it("is doubted where other lines of it are rewritten", async () => {
    const renamed = python.replace("import unittest", "import unittest as u");
    expect(await weightsOf("tests/test_a.py", python, renamed)).toEqual([expect.stringMatching(/^doubt /)]);
  });
});

describe("what hides errors", () => {
  it.each([
    ["a.py", "try:\n    f()\nexcept Exception:\n    x = 1\n", ["`except Exception` catches every error"]],
    ["a.py", "try:\n    f()\nexcept:\n    log()\n", ["`except` catches every error"]],
    ["a.py", "try:\n    f()\nexcept KeyError:\n    pass\n", ["`except KeyError` swallows the error"]],
    [
      "a.py",
      "try:\n    f()\nexcept KeyError:\n    x = 1\nexcept Exception as e:\n    raise Other() from e\n",
      [],
    ],
    [
      "a.js",
      "try { f(); } catch (e) {}\ntry { f(); } catch (e) { report(e); }",
      ["`catch (e)` swallows the error"],
    ],
    [
      "A.java",
      "class A { void f() { try { g(); } catch (Exception e) { h(); } try { g(); } catch (IOException e) { h(); } } }",
      ["`catch (Exception e)` catches every error"],
    ],
  ])("is found in %s: %s", async (path, text, wanted) => {
    expect(listHandlers(await sourceOf(path, text), allLines(text)).map((each) => each.text)).toEqual(wanted);
  });

  it("is found in orders to checkers and in results that nobody looks at", () => {
    const found = (language: string, text: string): number =>
      listSilenced(language, text, allLines(text)).length;
    expect(found("python", "x = f()  # type: ignore\ny = 1\n")).toBe(1);
    expect(found("go", "_ = f()\nx, _ := g(1)\nx, err := g(1)\n")).toBe(2);
    expect(found("rust", "f().ok();\nlet x = g()?;\n")).toBe(1);
  });
});

it("what hides errors is no doubt on lines that had it before", async () => {
  const found = async (before: string, after: string): Promise<string[]> =>
    (await listNewlyHidden(compareTexts("a.py", before, after))).map(({ text }) => text);
  const before = "x = f()  # type: ignore\ntry:\n    g()\nexcept:\n    log()\n";
  expect(await found(before, before.replace("f()", "f(1)").replace("except:", "except :"))).toEqual([]);
  expect(await found(before, `${before}y = f(2)  # type: ignore\n`)).toHaveLength(1);
  expect(await found("x = f()\n", "x = f(1)  # type: ignore\n")).toHaveLength(1);
  expect(
    await found(before, before.replace("f()", "f(1)").replace("try", "z = 1  # type: ignore\ntry")),
  ).toHaveLength(1);
});

describe("written tests", () => {
  it.each([
    [
      "tests/test_a.py",
      "def test_none():\n    f()\n\n\ndef test_true():\n    assert True\n\n\ndef test_good():\n    assert f(3) == 4\n",
      ["test_none", "test_true"],
    ],
    [
      "a.test.js",
      'it("none", () => {\n  f();\n});\nit("same", () => {\n  expect(1).toBe(1);\n});\nit("good", () => {\n  expect(f(1)).toBe(1);\n});\n',
      ["none", "same"],
    ],
    [
      "a_test.go",
      'package a\n\nfunc refused(err error, t *testing.T) {\n\tif err == nil {\n\t\tt.Fatal("no error")\n\t}\n}\n\nfunc TestNone(t *testing.T) {\n\tf()\n}\n\nfunc TestGood(t *testing.T) {\n\trefused(f(), t)\n}\n',
      ["TestNone"],
    ],
  ])("of %s that assert nothing or constants are named", async (path, text, wanted) => {
    const findings = await judgeTests(path, text, await listTestBodies(path, text));
    expect(findings.map((finding) => /: (\S+) \(/.exec(finding.text)?.[1])).toEqual(wanted);
  });

  it("that put more in place of the code than they ask of it are named", async () => {
    const calls = ["a", "b", "c", "d"].map((name) => `    mock.patch("x.${name}")`).join("\n");
    const text = `def test_much(a):\n${calls}\n    assert f(a) == 2\n`;
    const findings = await judgeTests("tests/test_a.py", text, await listTestBodies("tests/test_a.py", text));
    expect(findings[0]?.text).toContain("contain far more mocks than assertions");
  });

  it("are found by the names of a report", async () => {
    const bodies = await listTestBodies(
      "a.test.js",
      'describe("add", () => {\n  it("sums up", () => {});\n  it("sums", () => {});\n});',
    );
    const named = bodiesOf(bodies, { package: "", target: "a.test.js", name: "add > sums" });
    expect(named.map(({ path }) => path)).toEqual(["add sums"]);
  });

  it("have their assertions in every language", async () => {
    const rust = "#[test]\nfn a() {\n    assert_eq!(f(1), 2);\n}\n";
    expect(listAssertions(await sourceOf("src/a.rs", rust)).length).toBe(1);
    const java = "class ATest { @Test void a() { assertEquals(1, f()); assertThat(f()).isEqualTo(2); } }";
    expect(listAssertions(await sourceOf("ATest.java", java)).length).toBe(2);
    expect(listSkips("  @Disabled\n  #[ignore]\n  t.Skip()\n  xit('a', f)\n  skipped = 1\n").length).toBe(4);
  });
});

it("doubts small patches whose form is mostly wrong", () => {
  const go =
    "package a\n\nfunc f(s string) error {\n\tv, err := g(s)\n\tif err != nil {\n\t\treturn err\n\t}\n\tuse(v)\n\treturn nil\n}\n";
  const rebuilt = compareTexts("build/a.go", go, "package a\n\nfunc g() {}\n\nfunc f() {\n\tg()\n}\n");
  const say = (after: string): string[] =>
    judgeForm({ files: [compareTexts("a.go", go, after), rebuilt] }).map(({ text }) => text);
  expect(say(go.replace("return err", "return nil"))).toEqual([
    expect.stringMatching(/a\.go:6 hides an error/),
  ]);
  const copy =
    "package a\n\nfunc f(w W) (int, error) {\n\tn, err := copy(w)\n\tw.n += n\n\treturn n, err\n}\n";
  const returning = (call: string): string[] => {
    const after = copy.replace(/\tn, err[^}]*/, `\t// Write counts.\n\t${call}\n`);
    return judgeForm({ files: [compareTexts("a.go", copy, after), rebuilt] }).map(({ text }) => text);
  };
  expect(returning("return copy(w)")).toEqual([]);
  expect(returning("return 0, nil")).toEqual([expect.stringMatching(/hides an error/)]);
  expect(say(go.replace("\tuse(v)\n", ""))).toEqual([expect.stringMatching(/a\.go:8 removes code/)]);
  expect(say(go.replace("use(v)", "use(v + 1)"))).toEqual([]);
});

it("names definitions that are gone, and files that nothing speaks of", async () => {
  const before = "class A:\n    def f(self):\n        pass\n\n    def g(self):\n        pass\n";
  const gone = await findLost(compareTexts("a.py", before, before.replace("def g", "def h")));
  expect(gone).toEqual(["A.g"]);
  const place = { file: "a.py", startLine: 1, endLine: 2, why: "" };
  const state = { codePlaces: [place], testPlaces: [], fault: undefined };
  expect(
    findStrangers(["a.py", "b.py", "lib/c.py", "CHANGES.rst", "tests/test_a.py"], "see c.py", state),
  ).toEqual(["b.py"]);
});

it("doubts a change that lies in no location, and in no function that the statement or a failing frame names", async () => {
  const before = "def one():\n    a = 1\n    return a\n\n\ndef two():\n    b = 2\n    return b\n";
  const files = [compareTexts("a.py", before, before.replace("b = 2", "b = 3"))];
  const place = (startLine: number) => ({ file: "a.py", startLine, endLine: startLine, why: "" });
  const state = (...codePlaces: ReturnType<typeof place>[]) => ({
    codePlaces,
    testPlaces: [],
    fault: undefined,
  });
  expect(await findElsewhere(files, "one is wrong", state(place(2)))).toEqual([
    { file: "a.py", startLine: 7, endLine: 7 },
  ]);
  expect(await findElsewhere(files, "two is wrong", state(place(2)))).toEqual([]);
  expect(await findElsewhere(files, "", state(place(2), place(8)))).toEqual([]);
  expect(await findElsewhere(files, "", state())).toEqual([]);
});

it("shows a change once, with what was added and removed marked in it", () => {
  const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n");
  const after = before.replace("line 15\n", "").replace("line 20", "LINE 20");
  const shown = showChange(compareTexts("a.py", before, after)).split("\n");
  expect(shown.slice(0, 2)).toEqual(["a.py", "5\tline 5"]);
  expect(shown.filter((line) => /^-|\+\t/.test(line))).toEqual(["-\tline 15", "-\tline 20", "19+\tLINE 20"]);
  expect(showChange(compareTexts("a.py", before, undefined))).toContain("a.py (deleted)\n-\tline 1\n");
});
