import { describe, expect, test } from "vitest";
import { isTestFile } from "../../../languages/source-files.ts";
import { compareTexts } from "../../code/change.ts";
import { findTwins } from "./unchanged-twins.ts";

/** The places, as `FILE:LINE`, that equal what the change replaces. */
async function twinsIn(
  path: string,
  [before, after]: readonly [string, string],
  others: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const texts: Readonly<Record<string, string>> = { [path]: before, ...others };
  const base = { list: async () => Object.keys(texts), read: async (name: string) => texts[name] };
  const regions = { isWhole: isTestFile, spansIn: async () => [] };
  const found = await findTwins({ files: [compareTexts(path, before, after)], base, regions });
  return found.map((twin) => `${twin.path}:${twin.startLine}`);
}

/** Two functions with the same lines, and the repair in one or both. */
const repairs: readonly {
  path: string;
  head: (name: string) => string;
  body: (variable: string) => string;
  fault: string;
  repair: string;
}[] = [
  {
    path: "src/map.rs",
    head: (name) => `fn ${name}(&mut self, iter: I) {`,
    body: (it) =>
      `    let reserve = if self.is_empty() {\n        ${it}.size_hint().0\n    } else {\n        (${it}.size_hint().0 + 1) / 2\n    };\n    self.reserve(reserve);\n    for (k, v) in ${it} {\n        self.append(k, v);\n    }\n}\n`,
    fault: "self.reserve(reserve);",
    repair: "self.reserve(reserve.min(MAX_SIZE));",
  },
  {
    path: "src/set.rs",
    head: (name) => `fn ${name}(&mut self, iter: I) {`,
    body: (it) =>
      `    let reserve = if self.is_empty() { ${it}.size_hint().0 } else { (${it}.size_hint().0 + 1) / 2 };\n    self.reserve(reserve);\n    ${it}.for_each(|k| self.add(k));\n}\n`,
    fault: "    self.reserve(reserve);",
    repair:
      "    let most = usable_capacity(MAX_SIZE);\n    let reserve = reserve.min(most);\n    self.reserve(reserve);",
  },
  {
    path: "prices/cart.py",
    head: (name) => `def ${name}(rows, rate):`,
    body: (it) =>
      `    total = 0\n    for ${it} in rows:\n        if ${it}.is_paid and ${it}.count > 0:\n            total += round(${it}.price * rate)\n    return total\n`,
    fault: ".count > 0",
    repair: ".count >= 0",
  },
  {
    path: "lib/pages.js",
    head: (name) => `function ${name}(items, size) {`,
    body: (it) =>
      `  const ${it} = Math.floor(items.length / size);\n  if (items.cursor > ${it}) throw new RangeError("page");\n  return items.slice(0, ${it});\n}\n`,
    fault: "Math.floor",
    repair: "Math.ceil",
  },
  {
    path: "pkg/parse.go",
    head: (name) => `func ${name}(data string) (int, error) {`,
    body: (it) =>
      `\t${it}, err := strconv.Atoi(strings.TrimSpace(data))\n\tif err != nil {\n\t\treturn 0, fmt.Errorf("bad number %q", data)\n\t}\n\treturn ${it}, nil\n}\n`,
    fault: '"bad number %q", data)',
    repair: '"bad number %q: %w", data, err)',
  },
  {
    path: "src/main/java/Ledger.java",
    head: (name) => `class ${name} { int sum(List<Row> rows) {`,
    body: (it) =>
      `  int ${it} = 0;\n  for (Row row : rows) {\n    if (row.isOpen() && row.amount() > limit) ${it} += row.amount();\n  }\n  return ${it};\n} }\n`,
    fault: "> limit",
    repair: ">= limit",
  },
  {
    path: "src/list.c",
    head: (name) => `int ${name}(struct list *list) {`,
    body: (it) =>
      `  struct node *${it} = list->first;\n  while (${it}->next != NULL) {\n    if (compare(${it}->value, list->key) == 0) return ${it}->index;\n    ${it} = ${it}->next;\n  }\n  return -1;\n}\n`,
    fault: "->next != NULL",
    repair: " != NULL",
  },
  {
    path: "lib/text.rb",
    head: (name) => `def ${name}(words)`,
    body: (it) =>
      `  ${it} = words.select { |word| word.length > 3 }\n  raise ArgumentError, "no words" if ${it}.empty?\n  ${it}.map(&:capitalize).join(" ")\nend\n`,
    fault: "length > 3",
    repair: "length >= 3",
  },
];

describe.each(repairs)("in $path", ({ path, head, body, fault, repair }) => {
  const mended = (text: string): string => text.replace(fault, repair);
  const first = `${head("one")}\n${body("found")}`;
  // With a variable of another name.
  const second = `${head("another")}\n${body("other")}`;
  const before = `${first}\n${second}`;

  test("the function that the patch leaves is a twin of the one that it changes", async () => {
    const lines = first.split("\n").length;
    const [twin, ...more] = await twinsIn(path, [before, `${mended(first)}\n${second}`]);
    expect(more).toEqual([]);
    expect(Number(twin?.split(":")[1])).toBeGreaterThan(lines);
  });

  test("in another file too", async () => {
    const other = path.replace(/(\w+)(\.\w+)$/, "elsewhere$2");
    expect(await twinsIn(path, [first, mended(first)], { [other]: second })).toHaveLength(1);
  });

  test("none is left where both are changed", async () => {
    expect(await twinsIn(path, [before, `${mended(first)}\n${mended(second)}`])).toEqual([]);
  });
});

const cart = repairs.find(({ path }) => path.endsWith(".py"));
if (cart === undefined) throw new Error("there is no example in Python");
const { head, body, fault, repair } = cart;
const one = `${head("one")}\n${body("found")}`;
const two = `${head("two")}\n${body("found")}`;
const changed = one.replace(fault, repair);

test("an added guard has a twin where the code around its place is the same", async () => {
  const guarded = one.replace(" in rows:\n", " in rows:\n        if found is None:\n            continue\n");
  expect(await twinsIn("a.py", [`${one}\n${two}`, `${guarded}\n${two}`])).toHaveLength(1);
});

test("the same insertion near the twin answers it, in another order of the cases", async () => {
  const cases = (name: string, first = "", last = ""): string =>
    `func ${name}(flag Flag) any {\n\tswitch flag.ValueType() {\n\tcase "intSlice":\n\t\tres, _ := readAsCSV(flag.ValueString())\n\t\treturn cast.ToIntSlice(res)\n${first}\tcase "stringToString":\n\t\treturn stringToStringConv(flag.ValueString())\n${last}\tdefault:\n\t\treturn flag.ValueString()\n\t}\n}\n\n${"// A comment.\n".repeat(30)}`;
  const fresh =
    '\tcase "durationSlice":\n\t\tslice := strings.Split(flag.ValueString(), ",")\n\t\treturn cast.ToDurationSlice(slice)\n';
  const head = "package a\n\n";
  const before = head + cases("Find") + cases("Default");
  const found = (after: string): Promise<string[]> => twinsIn("viper.go", [before, head + after]);
  expect(await found(cases("Find", fresh) + cases("Default", "", fresh))).toEqual([]);
  expect(await found(cases("Find", fresh) + cases("Default"))).not.toEqual([]);
  const other = fresh.replace("ToDurationSlice", "ToSlice");
  expect(await found(cases("Find", fresh) + cases("Default", "", other))).not.toEqual([]);
});

test("tests, generated files, vendored files and examples have no twins", async () => {
  const others = {
    "tests/test_cart.py": two,
    "vendor/cart.py": two,
    "examples/cart.py": two,
    "made.py": `# Code generated by a tool. DO NOT EDIT.\n${two}`,
  };
  expect(await twinsIn("a.py", [one, changed], others)).toEqual([]);
});

test("does not call two equal short lines twins", async () => {
  const before = "def one(a):\n    b = a\n    return b + 1\n\n\ndef two(c):\n    d = c\n    return d + 1\n";
  expect(await twinsIn("a.py", [before, before.replace("b + 1", "b + 2")])).toEqual([]);
});

test("code at many places is an idiom", async () => {
  const all = ["two", "three", "four", "five", "six"].map((name) => `${head(name)}\n${body("found")}`);
  expect(await twinsIn("a.py", [[one, ...all].join("\n"), [changed, ...all].join("\n")])).toEqual([]);
});

test("new names of variables, comments and types repair nothing", async () => {
  const renamed = one.replaceAll("total", "whole");
  const typed = one.replace("(rows, rate)", "(rows: list[Row], rate: float)");
  const said = one.replace("    total = 0", "    # paid rows only\n    total = 0");
  for (const after of [renamed, typed, said])
    expect(await twinsIn("a.py", [`${one}\n${two}`, `${after}\n${two}`])).toEqual([]);
});

test("equal places in a folder of any name, if the patch changes no other code", async () => {
  const [{ head, body, fault, repair }] = repairs.filter(({ path }) => path.endsWith(".py")) as [
    (typeof repairs)[number],
  ];
  const one = `${head("one")}\n${body("row")}`;
  const two = `\n\n${head("two")}\n${body("each")}`;
  const before = one + two;
  const after = one.replace(fault, repair) + two;
  expect(await twinsIn("build/cart.py", [before, after])).toHaveLength(1);
  expect(
    await twinsIn("build/cart.py", [one, one.replace(fault, repair)], { "build/shop.py": two }),
  ).toHaveLength(1);
  expect(await twinsIn("cart.py", [one, one.replace(fault, repair)], { "build/cart.py": two })).toEqual([]);
  // The notice is the patch's own.
  expect(await twinsIn("cart.py", [before, `# @generated\n${after}`])).toHaveLength(1);
});
