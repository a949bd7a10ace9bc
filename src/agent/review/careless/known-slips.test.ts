import { expect, test } from "vitest";
import { judgeChange } from "../../../../tests/judge-change.ts";

interface Slip {
  readonly path: string;
  readonly before: string;
  readonly old: string;
  readonly wrong: string;
  /** Part of the objection. */
  readonly says: string;
  readonly right: readonly string[];
  readonly statement?: string;
}

const js = "export async function get(rows, work) {\n  return work();\n}\n";
const py = "def get(text, count):\n    return text\n";
const php = "<?php\nfunction get(string $text, array $rows)\n{\n    return $text;\n}\n";
const ruby = "def get(words)\n  {}\nend\n";
const go = "package a\n\nfunc Get(text string) string {\n\treturn text\n}\n";

const slips: readonly Slip[] = [
  {
    path: "a.py",
    before: py,
    old: "return text",
    wrong: 'return text.lstrip("www.")',
    says: "removes each of the characters `www.`",
    right: [
      'return text.removeprefix("www.")',
      'return text.strip("()")',
      'return text.strip("abcdef")',
      'return float(text.rstrip("kg."))',
      'return text.rstrip("kKmM")',
      'return text.strip("\\r\\n")',
    ],
  },
  {
    path: "a.go",
    before: go,
    old: "return text",
    wrong: 'return strings.TrimLeft(text, "http://")',
    says: "removes each of the characters `http://`",
    right: ['return strings.TrimPrefix(text, "http://")', 'return strings.Trim(text, "[]")'],
  },
  {
    path: "a.php",
    before: php,
    old: "return $text",
    wrong: "return rtrim($text, '.php')",
    says: "removes each of the characters `.php`",
    right: ["return basename($text, '.php')", "return rtrim($text, '/')"],
  },
  {
    path: "a.py",
    before: py,
    old: "return text",
    wrong: "return [[0] * count] * count",
    says: "the same object",
    right: [
      "return [[0] * count for _ in text]",
      "return [0] * count",
      "return product(*[[0, 1]] * count)",
      "sizes = [[2, 3]] * count\n    return table(text, sizes[0])",
    ],
  },
  {
    path: "a.js",
    before: js,
    old: "return work();",
    wrong: "return Array(3).fill([]);",
    says: "the same object",
    right: [
      "return Array(3).fill(0);",
      "return Array(3).fill([]).map(() => []);",
      "return rows.fill(new Path2D(work));",
      "return rows.fill({ work });",
    ],
  },
  {
    path: "a.rb",
    before: ruby,
    old: "  {}\n",
    wrong: "  Array.new(3, [])\n",
    says: "the same object",
    right: ["  Array.new(3) { [] }\n", '  Array.new(words.length, "?").join(", ")\n'],
  },
  {
    path: "a.rb",
    before: ruby,
    old: "  {}\n",
    wrong: "  out = Hash.new([])\n  words.each { |word| out[word[0]] << word }\n  out\n",
    says: "gives all missing keys of `out` the same object",
    right: [
      "  out = Hash.new([])\n  words.each { |word| out[word[0]] += [word] }\n  out\n",
      "  out = Hash.new { |all, key| all[key] = [] }\n  words.each { |word| out[word[0]] << word }\n  out\n",
    ],
  },
  {
    path: "a.py",
    before: py,
    old: "    return text",
    wrong: "    for sign in text:\n        if sign == count:\n            text.remove(sign)\n    return text",
    says: "removes from `text` in a loop over it",
    right: [
      "    for sign in text:\n        if sign == count:\n            text.remove(sign)\n            break\n    return text",
      "    for sign in list(text):\n        text.discard(sign)\n    return text",
    ],
    statement: "it has to be changed in place",
  },
  {
    path: "a.js",
    before: js,
    old: "return work();",
    wrong: "return rows.map(parseInt);",
    says: "the index of each element as its base",
    right: ["return rows.map(Number);", "return rows.map((row) => parseInt(row, 10));"],
  },
  {
    path: "a.js",
    before: js,
    old: "return work();",
    wrong: "return rows.filter(async (row) => await work(row));",
    says: "uses a promise as a condition",
    right: [
      "return rows.map(async (row) => await work(row));",
      "return Readable.from(rows).filter(async (row) => work(row));",
    ],
  },
  {
    path: "a.js",
    before: js,
    old: js,
    wrong: "const name = /^[a-z]+$/g;\nexport function get(rows) {\n  return name.test(rows);\n}\n",
    says: "tests with `name`",
    right: [
      "const name = /^[a-z]+$/i;\nexport function get(rows) {\n  return name.test(rows);\n}\n",
      'const name = /[a-z]/g;\nexport function get(rows) {\n  return name.test(rows) ? rows.replace(name, "") : rows;\n}\n',
    ],
  },
  {
    path: "a.php",
    before: php,
    old: "return $text;",
    wrong: "if (strpos($text, '@')) {\n        return $text;\n    }\n    return '';",
    says: "uses a position as a condition",
    right: [
      "if (strpos($text, '@') !== false) {\n        return $text;\n    }\n    return '';",
      "return strpos($text, '@');",
    ],
  },
  {
    path: "a.php",
    before: php,
    old: "return $text;",
    wrong:
      "foreach ($rows as &$row) {\n        $row = 1;\n    }\n    foreach ($rows as $row) {\n        echo $row;\n    }",
    says: "leaves `$row` a reference",
    right: [
      "foreach ($rows as &$row) {\n        $row = 1;\n    }\n    unset($row);\n    foreach ($rows as $row) {\n        echo $row;\n    }",
      "foreach ($rows as &$row) {\n        $row = 1;\n    }\n    return $rows;",
    ],
  },
  {
    path: "a.py",
    before: py,
    old: "return text",
    wrong: "return [lambda value: value + sign for sign in text]",
    says: "all see only the last value of the loop's `sign`",
    right: [
      "return [lambda value, sign=sign: value + sign for sign in text]",
      "return sorted(text, key=lambda all: max(one for one in all))",
      "return [sorted(text, key=lambda row: row[sign]) for sign in text]",
    ],
  },
  {
    path: "a.go",
    before: go,
    old: go,
    wrong:
      "package a\n\nvar counts = map[string]int{}\n\nfunc Get(text string) map[string]int {\n\tcounts[text]++\n\treturn counts\n}\n",
    says: "which all calls of `Get` share and fill",
    right: [
      "package a\n\nfunc Get(text string) map[string]int {\n\tcounts := map[string]int{}\n\tcounts[text]++\n\treturn counts\n}\n",
      "package a\n\nvar table = map[string]int{}\n\nfunc Get(text string) map[string]int {\n\tif len(table) == 0 {\n\t\ttable[text] = 1\n\t}\n\treturn table\n}\n",
      "package a\n\nvar known = map[string]int{}\n\n// Get registers a text.\nfunc Get(text string) map[string]int {\n\tknown[text] = 1\n\treturn known\n}\n",
    ],
  },
  {
    path: "a.js",
    before: `async function work() {}\n${js.replace(", work", "")}`,
    old: "  return work();",
    wrong: "  try {\n    return work();\n  } catch {\n    return 3;\n  }",
    says: "returns the promise of `work` without waiting",
    right: ["  try {\n    return await work();\n  } catch {\n    return 3;\n  }"],
  },
];

/** The objections; without those to inputs that the short example no longer reads. */
const told = async ({ path, before, old, statement }: Slip, now: string): Promise<string[]> =>
  (
    await judgeChange(
      path,
      before,
      before.replace(old, () => now),
      statement,
    )
  )
    .map(({ text }) => text)
    .filter((text) => !text.includes("no longer reads"));

test.each(slips)("$path: $wrong", async (slip) => {
  expect(await told(slip, slip.wrong)).toEqual([expect.stringContaining(slip.says)]);
});

test.each(slips.flatMap((slip) => slip.right.map((now) => ({ ...slip, now }))))(
  "right, $path: $now",
  async ({ now, ...slip }) => {
    expect(await told(slip, now)).toEqual([]);
  },
);

test("a new handler around an error that the function itself raises", async () => {
  const before =
    'def port(text):\n    number = int(text.split(":")[1])\n    if number > 9:\n        raise ValueError(number)\n    return number\n';
  const inside = before.replace("def port(text):\n", "").replaceAll(/^ /gm, "     ").trimEnd();
  const handled = (types: string, body: string): string =>
    `def port(text):\n    try:\n${inside}\n    except${types}:\n        ${body}\n`;
  const judge = async (after: string, statement?: string) =>
    (await judgeChange("a.py", before, after, statement)).map(({ text }) => text);
  const lost = [expect.stringContaining("catches the `ValueError` that `port` itself raises")];
  expect(await judge(handled(" Exception", "return 80"))).toEqual(lost);
  expect(await judge(handled(" (IndexError, ValueError)", "return 80"))).toEqual(lost);
  const doubts = await judgeChange(
    "a.py",
    before,
    handled(" ValueError", "return 80"),
    "`port` must give 80 instead of an error",
  );
  expect(doubts.map(({ weight }) => weight)).toEqual(["doubt"]);
  expect(await judge(handled(" IndexError", "return 80"))).toEqual([]);
  expect(await judge(handled(" ValueError", "raise"))).toEqual([]);
  expect(await judge(handled(" ValueError", "return 80"), "a ValueError must give 80")).toEqual([]);
});

test("a new handler of JavaScript around an error that the function itself throws", async () => {
  const inside =
    '  const [width, height] = text.split("x").map(Number);\n  if (width === 0) throw new RangeError("zero");\n  return width * height;\n';
  const before = `export function area(text) {\n${inside}}\n`;
  const handled = (head: string, body: string): string =>
    `export function area(text) {\n  try {\n${inside.replaceAll(/^ {2}/gm, "    ")}  } ${head} {\n    ${body}\n  }\n}\n`;
  const judge = async (after: string) => (await judgeChange("a.js", before, after)).map(({ text }) => text);
  const lost = [expect.stringContaining("catches the `RangeError` that `area` itself raises")];
  expect(await judge(handled("catch", "return null;"))).toEqual(lost);
  expect(await judge(handled("catch (error)", "return null;"))).toEqual(lost);
  expect(await judge(handled("catch (error)", "if (error instanceof RangeError) throw error;"))).toEqual([]);
  expect(await judge(before.replace("  const", "  if (text === undefined) return null;\n  const"))).toEqual(
    [],
  );
});

test("an ignored blank excuses no lost error in Rust", async () => {
  const before =
    "/// The sum; an error if a part is no number.\npub fn sum(line: &str) -> Result<i64, E> {\n    line.split(',').map(|each| each.parse::<i64>()).sum()\n}\n";
  const judge = async (to: string, statement = "blanks have to be ignored") =>
    judgeChange(
      "a.rs",
      before,
      before.replace("line.split(',').map(|each| each.parse::<i64>()).sum()", to),
      statement,
    );
  expect(
    await judge("Ok(line.split(',').map(|each| each.trim().parse::<i64>().unwrap_or(0)).sum())"),
  ).toHaveLength(1);
  const zeros = "Ok(line.split(',').map(|each| each.trim().parse::<i64>().unwrap_or(0)).sum())";
  expect(await judge(zeros, '`sum("1, 2")` is an error: blanks have to be ignored')).toHaveLength(1);
  expect(await judge("line.split(',').map(|each| each.trim().parse::<i64>()).sum()")).toEqual([]);
  const skips = "Ok(line.split(',').filter_map(|each| each.parse::<i64>().ok()).sum())";
  expect(await judge(skips, "invalid parts have to be ignored")).toEqual([]);
});
