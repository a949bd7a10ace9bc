import { expect, test } from "vitest";
import { replaceText } from "./replace-text.ts";
import { spliceText, splitText } from "./text-lines.ts";

function replace(text: string, original: string, replacement: string, line?: number): string {
  const file = splitText(text);
  const edit = {
    kind: "replace",
    path: undefined,
    original,
    replacement,
    ...(line === undefined ? {} : { line }),
  } as const;
  const result = replaceText(file.lines, edit);
  return result.ok
    ? `${result.rung}\n${spliceText(file, result.splices)}`
    : `${result.kind}: ${result.message}`;
}

const code = "def f(a):\n    if a:\n        b = g( a )\n        return b\n\n    return None\n";

test.each([
  ["exact", "        return b", "        return -b"],
  ["whitespace", "        return b  \n    return None", "        return -b\n    return None"],
  ["indentation", "return b", "return -b"],
  ["indentation", "\t\treturn b", "\t\treturn -b"],
  ["indentation", "if a:\n  b = g( a )\n  return b", "if a:\n  b = g( a )\n  return -b"],
  ["spacing", "b = g(a)\nreturn b", "b = g(a)\nreturn -b"],
  ["anchors", "    if a:\n        ...\n        return b", "    if a:\n        ...\n        return -b"],
  [
    "anchors",
    "def f(a):\n    # ... existing code ...\n    return b",
    "def f(a):\n    # ... existing code ...\n    return -b",
  ],
  [
    "anchors",
    "    if a:\n        b = h(a)\n        return b",
    "    if a:\n        b = h(a)\n        return -b",
  ],
  ["exact", "4:         return b\n5:\n6:     return None", "4:         return -b\n5:\n6:     return None"],
  ["exact", "   4\t        return b", "   4\t        return -b"],
  ["exact", "-        return b", "+        return -b"],
])("finds a place on the rung %s: %j", (rung, original, replacement) => {
  expect(replace(code, original, replacement)).toBe(`${rung}\n${code.replace("return b", "return -b")}`);
});

test("new lines get the indentation of the place, in the file's unit", () => {
  const file = "class A {\n\tf() {\n\t\treturn 1\n\t}\n}\n";
  expect(
    replace(
      file,
      "  f() {\n    return 1\n  }",
      "  f() {\n    if (x) {\n      return 2\n    }\n    return 1\n  }",
    ),
  ).toBe("indentation\nclass A {\n\tf() {\n\t\tif (x) {\n\t\t\treturn 2\n\t\t}\n\t\treturn 1\n\t}\n}\n");
});

test("entities are characters where the file has these, and entities where it has those", () => {
  expect(replace("if (a < b) {\n", "if (a &lt; b) {", "if (a &gt; b) {")).toBe(
    "spacing\nif (a > b) {\n".replace("spacing", "exact"),
  );
  expect(replace('s = "&lt;"\n', 's = "&lt;"', 's = "&gt;"')).toBe('exact\ns = "&gt;"\n');
  expect(replace("f(a)\n", "f(a)", "if (a &lt; b) f(a)")).toBe("exact\nif (a < b) f(a)\n");
});

test("entities in new strings are asked about where nothing tells what they are", () => {
  expect(replace("f(a)\n", "f(a)", 'f("&lt;b&gt;")')).toMatch(/^unclear: .*JSON record/);
  expect(replace('g("&amp;")\nf(a)\n', "f(a)", 'f("&lt;b&gt;")')).toContain('f("&lt;b&gt;")');
  expect(replace("f(a)\n", "f(a)", "/**\n * `A&lt;B&gt;`\n */\nf(a)")).toContain("A&lt;B&gt;");
  expect(replace("f(a)\n", "f(a)", 'f("&amp;lt;")')).toContain('f("&lt;")');
});

test("two places that fit as well are both named; the author's line number decides where it is right", () => {
  const file = "a\nsame\nb\nsame\nc\n";
  expect(replace(file, "same", "x")).toMatch(/^ambiguous: .*lines 2-2 and 4-4/);
  expect(replace(file, "same", "x", 4)).toBe("exact\na\nsame\nb\nx\nc\n");
  expect(replace(file, "same", "x", 3)).toMatch(/^ambiguous/);
});

test("a text that is misremembered in two like places is refused, unless only one has its other words", () => {
  const twice = "open(first)\nread(first)\nclose(first)\nopen(other)\nread(other)\nclose(other)\n";
  expect(replace(twice, "open(thing)\nread(thing)\nclose(thing)", "x\ny\nz")).toMatch(/^no-match/);
  expect(replace(twice, "open(first)\nreads(first)\nclose(first)", "open(first)\nclose(first)")).toContain(
    "open(first)\nclose(first)\nopen(other)",
  );
});

test("a line that the original leaves out between the replaced ones is asked for", () => {
  expect(replace("first thing\nsecond thing\nthird thing\n", "first thing\nthird thing", "1\n3")).toMatch(
    /^unclear: .*leaves out `second thing`/,
  );
});

test("the nearest text is shown with its lines", () => {
  expect(replace(`${code}\n\n`, "b = h(a, c)\nreturn c", "x")).toMatch(
    /^no-match: .*lines 3-4:\n {8}b = g\( a \)\n {8}return b/,
  );
});

test("what is there already is no change", () => {
  expect(replace("a\nb\n", "a", "a")).toMatch(/^no-change/);
});

test("what the replacement alone leaves out is taken from the original, where it is clear", () => {
  const file = "def f():\n    one()\n    two()\n    three()\n";
  const original = "def f():\n    one()\n    two()\n    three()\n";
  expect(replace(file, original, "def f():\n    # ... existing code ...\n    three(3)\n")).toMatch(
    /^unclear/,
  );
  expect(replace(file, original, "def f(x):\n    one()\n    # ... existing code ...\n")).toBe(
    "exact\ndef f(x):\n    one()\n    two()\n    three()\n",
  );
});

test("comments that end with dots are lines like others where the file has them", () => {
  const file = "f();\n// wait for it ...\ng();\nh();\n";
  expect(replace(file, "f();\n// wait for it ...\ng();", "f();\n// wait for it ...\nG();")).toBe(
    "exact\nf();\n// wait for it ...\nG();\nh();\n",
  );
});

test("what blank lines leave open is asked for", () => {
  expect(replace("one()\n\ntwo()\n", "one()\ntwo()", "one()\nnew()\ntwo()")).toMatch(
    /^unclear: .*before or after the blank line/,
  );
  expect(replace("one()\n\ntwo()\n", "one()\ntwo()", "one()\n\nnew()\ntwo()")).toContain(
    "one()\n\nnew()\n\ntwo()",
  );
});
