import { describe, expect, it } from "vitest";
import { fixturePrograms as fixtures, languageOfFixture as languages } from "../../tests/fixture-programs.ts";
import { countSyntaxErrors } from "../syntax/parser.ts";
import type { Proposal } from "./proposal.ts";
import { proposeRepairs } from "./propose-repairs.ts";
import { applyChange } from "./syntax-check.ts";

async function proposeAll(file: string, text: string): Promise<Proposal[]> {
  const language = languages(file);
  const statements = text.split("\n").map((_, index) => suspect(file, index + 1));
  return proposeRepairs({ file, text, language, statements });
}

function suspect(file: string, line: number, score = 1) {
  return { file, startLine: line, endLine: line, score };
}

describe("proposeRepairs", () => {
  it.each(Object.entries(fixtures))("keeps its promises on %s", async (file, text) => {
    const proposals = await proposeAll(file, text);
    expect(proposals.length).toBeGreaterThan(40);
    const grammar = languages(file).grammar(file.slice(file.lastIndexOf(".")));
    const results = proposals.map((proposal) => applyChange(text, proposal));
    expect(new Set(results).size).toBe(results.length);
    expect(results).not.toContain(text);
    // Parsing again takes milliseconds, so only every seventh of the thousands is checked.
    for (const [index, result] of results.entries()) {
      if (index % 7 !== 0) continue;
      const errors = await countSyntaxErrors(grammar, result);
      expect(errors, `${proposals[index]?.template}: ${proposals[index]?.description}\n${result}`).toBe(0);
    }
    for (const proposal of proposals) {
      expect(proposal.prior).toBeGreaterThan(0);
      expect(proposal.prior).toBeLessThanOrEqual(1);
      expect(proposal.likeness).toBeGreaterThan(0);
      expect(proposal.likeness).toBeLessThanOrEqual(1);
      expect(proposal.line).toBe(text.slice(0, proposal.start).split("\n").length);
    }
  });

  it("leaves imports, comments, docstrings and type annotations alone", async () => {
    const text = 'import os\n"""Doc 1."""\n# a < b\nx: List[int] = y\n';
    const proposals = await proposeAll("a.py", text);
    expect(proposals.filter((proposal) => proposal.line < 4)).toEqual([]);
    expect(
      proposals.every(
        (proposal) =>
          applyChange(text, proposal).includes("List[int]") || proposal.start <= text.indexOf("x:"),
      ),
    ).toBe(true);
  });

  it("still works in a file that does not parse throughout", async () => {
    const text = "def broken(:\n    pass\n\ndef f(a, b):\n    return a < b\n";
    const proposals = await proposeRepairs({
      file: "a.py",
      text,
      language: languages("a.py"),
      statements: [suspect("a.py", 5)],
    });
    expect(proposals.map((proposal) => applyChange(text, proposal))).toContain(
      text.replace("a < b", "a <= b"),
    );
  });

  it("offers no two of one normal form, and none of the file's own", async () => {
    const text = "def f(a, b):\n    return (a < b)\n";
    const results = (await proposeAll("a.py", text)).map((proposal) => applyChange(text, proposal));
    const bare = results.map((result) => result.replaceAll(/[()]/g, ""));
    expect(new Set(bare).size).toBe(bare.length);
    expect(bare).not.toContain(text.replaceAll(/[()]/g, ""));
  });

  it("has nothing for a language that it does not know", async () => {
    const language = { name: "cobol", grammar: () => "none" };
    expect(await proposeRepairs({ file: "a.cob", text: "x", language, statements: [] })).toEqual([]);
  });

  it("gives the same proposals each time", async () => {
    const file = "store.ts";
    const text = fixtures[file] ?? "";
    expect(await proposeAll(file, text)).toEqual(await proposeAll(file, text));
  });
});

it("never takes an assertion of the code away, or changes what it asks for", async () => {
  for (const [file, text, assertion] of [
    [
      "half.py",
      "def half(n):\n    if n > 1:\n        assert n % 2 == 0\n    return n // 2\n",
      "assert n % 2 == 0\n",
    ],
    [
      "half.rs",
      "pub fn half(n: u32) -> u32 {\n    assert!(n % 2 == 0);\n    n / 2\n}\n",
      "assert!(n % 2 == 0);",
    ],
    [
      "half.js",
      "function half(n) {\n  assert.equal(n % 2, 0);\n  return n / 2;\n}\n",
      "assert.equal(n % 2, 0);",
    ],
    [
      "Half.java",
      "class Half {\n  int half(int n) {\n    assert n % 2 == 0;\n    return n / 2;\n  }\n}\n",
      "assert n % 2 == 0;",
    ],
    [
      "agree.py",
      "def agree(got, wanted):\n    seen = got\n    if seen != wanted:\n        raise AssertionError\n    return seen\n",
      "if seen != wanted:\n",
    ],
    [
      "agree.js",
      "function agree(got, wanted) {\n  let seen = got;\n  if (seen !== wanted) {\n    throw new AssertionError();\n  }\n  return seen;\n}\n",
      "if (seen !== wanted) {\n",
    ],
  ] as const) {
    const proposals = await proposeAll(file, text);
    expect(proposals.length, file).toBeGreaterThan(3);
    const results = proposals.map((proposal) => applyChange(text, proposal));
    expect(results.filter((result) => !result.includes(assertion))).toEqual([]);
    const left = /^ *(?:if .*)?\b(?:return|continue|break)\b.*\n *(?:assert|raise|throw)/m;
    expect(results.filter((result) => left.test(result))).toEqual([]);
  }
});
