import { expect, test } from "vitest";
import { judgeChange } from "../../../../tests/judge-change.ts";

const weigh = async (...change: Parameters<typeof judgeChange>): Promise<string[]> =>
  (await judgeChange(...change)).map(({ weight }) => weight);

const handler = (type: string, documentation: string): string => `class ${type}:
    def on_error(self, data):
        """${documentation}"""
        return self.close(data)
`;
const unread = (text: string): string => text.replace("close(data)", "close()");

test.each([
  ["A", ":param data: the received bytes"],
  ["A", ":param bytes data: the received bytes"],
  ["A", "Handles it.\n\n        data: the received bytes\n        "],
  ["A", "Handles it.\n\n        data (bytes): the received bytes\n        "],
  ["A", "Handles it. data: the received bytes"],
  ["A", "Closes with `data`."],
  ["A(object)", "Closes with `data`."],
])("class %s, documentation %j: the unread input is an objection", async (type, documentation) => {
  const before = handler(type, documentation);
  expect(await weigh("a.py", before, unread(before))).toEqual(["objection"]);
});

test.each([
  ["A", "Handles an error in the data stream."],
  ["A", "Shows the data: one row a line."],
  ["A(Base)", ":param data: the received bytes"],
])("class %s, documentation %j: the unread input is a doubt", async (type, documentation) => {
  const before = handler(type, documentation);
  expect(await weigh("a.py", before, unread(before))).toEqual(["doubt"]);
});

test("a documented input that another function also takes is a doubt", async () => {
  const before = `${handler("A", ":param data: the bytes")}
    def on_end(self, data):
        return data
`;
  expect(await weigh("a.py", before, unread(before))).toEqual(["doubt"]);
});

test.each([
  ["a.js", "class H extends B {", "draw(node, options) {", "}"],
  ["a.ts", "class H implements B {", "draw(node: Node, options: Options) {", "}"],
  ["A.java", "class H implements B {", "int draw(Node node, Options options) {", "}"],
  ["a.rs", "impl B for H {", "fn draw(&self, node: Node, options: Options) -> u8 {", "}"],
  ["a.rb", "class H < B", "def draw(node, options)", "end"],
])("%s: a base fixes the parameters", async (path, type, header, end) => {
  const text = (head: string): string =>
    `${head}\n  # NOTE\n  ${header}\n    return paint(node, options.color);\n  ${end}\n${end}\n`.replace(
      "# NOTE",
      path === "a.rb"
        ? "# `options` has the colour."
        : path === "a.rs"
          ? "/// `options` has the colour."
          : "/** `options` has the colour. */",
    );
  const change = (before: string): string => before.replace("options.color", "node.color");
  expect(await weigh(path, text(type), change(text(type)))).toEqual(["doubt"]);
  const alone = text(
    type.replace(/ (?:extends|implements|<) B|B for /, (part) => (part.startsWith("B") ? "" : "")),
  );
  expect(await weigh(path, alone, change(alone))).toEqual(["objection"]);
});

test("a rest parameter may hold the input", async () => {
  const before = "/** Sends `env`. */\nexport function send(request, env) {\n  return to(request, env);\n}\n";
  const after =
    "/** Sends `env`. */\nexport function send(request, env, ...rest) {\n  return to(request, rest[0]);\n}\n";
  expect(await weigh("a.js", before, after)).toEqual([]);
  const inner = before.replace(
    "return to(request, env);",
    "const go = (...all) => to(all);\n  return go(request);",
  );
  expect(await weigh("a.js", before, inner)).toEqual(["objection"]);
});

const parse = `def parse(value):
    if not PATTERN.match(value):
        raise ValueError(value)
    return Decimal(value)
`;
const early = (lines: string): string => parse.replace("    if not", () => `${lines}    if not`);

test.each([
  ['    text = value.strip()\n    if text == "":\n        return None\n'],
  ["    known = CACHE.get(value)\n    if known is not None:\n        return known\n"],
])("an early return may test a variable that the input makes: %s", async (lines) => {
  expect(await weigh("a.py", parse, early(lines))).toEqual([]);
});

test("an early return without a test of the input is a doubt, and an objection if it keeps the input", async () => {
  expect(await weigh("a.py", parse, early("    if FAST:\n        return Decimal(value)\n"))).toEqual([
    "doubt",
  ]);
  const kept = "    if FAST:\n        SEEN.append(value)\n        return None\n";
  expect(await weigh("a.py", parse, early(kept))).toEqual(["objection"]);
  const made = "    amount = value * 2\n    if FAST:\n        TOTALS[0] += amount\n        return None\n";
  expect(await weigh("a.py", parse, early(made))).toEqual(["objection"]);
});
