import fc from "fast-check";
import { expect, test } from "vitest";
import { fixturePrograms } from "../../../tests/fixture-programs.ts";
import { extractSymbols } from "./extract-symbols.ts";

async function read(path: string, text: string) {
  const symbols = await extractSymbols(path, text);
  if (symbols === undefined) throw new Error(`no outline reads ${path}`);
  return symbols;
}

test("an unknown language is undefined", async () => {
  expect(await extractSymbols("a.unknown", "x")).toBeUndefined();
});

test.each([
  ["larger than", "a.py", "x = 1\n".repeat(1_500_000)],
  ["binary", "a.py", "x = 1\n\0\0"],
  ["minified", "a.js", "var a=1;".repeat(5000)],
])("gives up and says why: %s", async (reason, path, text) => {
  const symbols = await read(path, text);
  expect(symbols.skipped).toContain(reason);
  expect(symbols.definitions).toEqual([]);
});

test("reads a text that looks binary or minified if it must be read whole", async () => {
  for (const text of [
    "def f():\n    return 1\n# \0\n",
    `def f():\n    return 1\n# ${"word ".repeat(8_000)}\n`,
  ]) {
    expect(await read("a.py", text)).toHaveProperty("skipped");
    const symbols = await extractSymbols("a.py", text, { whole: true });
    expect(symbols?.skipped).toBeUndefined();
    expect(symbols?.definitions.map(({ name }) => name)).toEqual(["f"]);
  }
});

test("a broken file still gives what stands around the broken place", async () => {
  const symbols = await read("a.py", "def one():\n    return 1\n\ndef (((\n\ndef two():\n    return one()\n");
  expect(symbols.syntaxErrors).toBeGreaterThan(0);
  expect(symbols.definitions.map((definition) => definition.name)).toContain("one");
});

test("uses of parameters and local variables are no references, those of everything else are", async () => {
  const { references, definitions } = await read(
    "a.py",
    "LIMIT = 3\n\ndef run(items):\n    total = 0\n    for item in items:\n        total += item + LIMIT\n    return [x for x in total]\n",
  );
  expect(references.map((reference) => reference.name)).toEqual(["LIMIT"]);
  expect(definitions.map((definition) => definition.name)).toEqual(["LIMIT", "run"]);
});

test("a receiver that is a local variable has the type that its declaration says", async () => {
  const { references } = await read(
    "a.ts",
    "function f(a: Parcel) { const b = new Box(); a.price(); b.open(); c.shut(); }",
  );
  const calls = references.filter((reference) => reference.receiver !== undefined);
  expect(calls.map((call) => [call.receiver, call.receiverType])).toEqual([
    ["a", "Parcel"],
    ["b", "Box"],
    ["c", undefined],
  ]);
});

test("columns count UTF-16 code units", async () => {
  const { references } = await read("a.py", '"😀"; run()\n');
  expect(references[0]?.at).toEqual({ line: 1, column: 6 });
});

test.each([
  ["a comment before the body", "a.py", "def f(a):  # why\n    # more\n    return a\n", "def f(a)"],
  ["a comment after an annotation", "A.java", "@Old // since 2\npublic class A {}\n", "public class A"],
  ["a comment behind a macro's value", "a.h", "#define RAW (1 << 7) /* raw */\n", "#define RAW (1 << 7)"],
  ["a macro's body", "a.h", "#define RUN(f) \\\n  { f(); }\n", "#define RUN(f)"],
  ["what an alias holds", "a.ts", "export type A = {\n  // one\n  a: 1;\n};\n", "export type A = {…}"],
  ["what a table holds", "a.lua", "op.table = {\n  add = 1, -- one\n}\n", "op.table = {…}"],
  ["the word that hands it out", "a.js", "return function f(a) {\n};\n", "function f(a)"],
  ["line breaks", "a.py", "def f(\n    a,  # one\n    b,\n):\n    pass\n", "def f(a, b)"],
])("a signature is without %s", async (_, path, text, signature) => {
  const { definitions } = await read(path, text);
  expect(definitions[0]?.signature).toBe(signature);
});

test("a function that is assigned is seen to be one", async () => {
  const { definitions } = await read("a.js", "const typeOf = (type) => (thing) => typeof thing === type;\n");
  expect(definitions[0]?.signature).toBe("const typeOf = (type) =>");
});

test("a mark of comments in a string begins none", async () => {
  const { definitions } = await read("a.py", 'URL = "http://a.b/#c"  # where\n');
  expect(definitions[0]?.signature).toBe('URL = "http://a.b/#c"');
});

test("a struct that its alias holds is shown once", async () => {
  const { definitions } = await read("a.h", "typedef struct a {\n  int b;\n} a_t;\n");
  expect(definitions.map(({ signature }) => signature)).toContain("typedef struct a {…} a_t");
});

test.each(Object.keys(fixturePrograms))(
  "a text that is read beside its last reading gives the same as alone: %s",
  async (path) => {
    const nat = fc.nat(10_000);
    const edit = fc.record({
      line: nat,
      removed: fc.nat(2),
      from: nat,
      added: fc.nat(2),
      isUndone: fc.boolean(),
    });
    const property = fc.asyncProperty(fc.array(edit, { minLength: 8, maxLength: 12 }), async (edits) => {
      let text = fixturePrograms[path] ?? "";
      for (const { line, removed, from, added, isUndone } of edits) {
        const before = text;
        const lines = text.split("\n");
        const copied = lines.slice(from % lines.length).slice(0, added);
        lines.splice(line % lines.length, removed, ...copied);
        text = lines.join("\n");
        expect(await extractSymbols(path, text, { keeps: true })).toEqual(await read(path, text));
        if (isUndone) text = before;
      }
    });
    await fc.assert(property, { numRuns: 3, seed: 35 });
  },
);
