import { expect, test } from "vitest";
import { judgeChange } from "../../../../tests/judge-change.ts";

const judge = async (...change: Parameters<typeof judgeChange>): Promise<string[]> =>
  (await judgeChange(...change)).map(({ text }) => text);

const go =
  'package load\n\nfunc Load(read, fallback func() (string, error)) (int, error) {\n\ttext, err := read()\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\treturn strconv.Atoi(text)\n}\n\nfunc other() (string, error) { return "", nil }\n\nfunc kept() (string, bool) { return "", true }\n';
const inGo = (to: string): string => go.replace("\t\treturn 0, err\n", `\t\t${to}\n`);
const demand = "`Load` must use the fallback. Where it fails, its error has to be returned";

test("Go drops the error that the statement wants to be returned", async () => {
  const ofCall = (call: string) => [expect.stringContaining(`drops the error of \`${call}\``)];
  expect(await judge("a.go", go, inGo("text, _ = fallback()"), demand)).toEqual(ofCall("fallback"));
  expect(await judge("a.go", go, inGo("text, _ = other()"), demand)).toEqual(ofCall("other"));
});

test("Go returns the error, or has none to return", async () => {
  const right = "if text, err = fallback(); err != nil {\n\t\t\treturn 0, err\n\t\t}";
  expect(await judge("a.go", go, inGo(right), demand)).toEqual([]);
  expect(await judge("a.go", go, inGo("text, _ = kept()"), demand)).toEqual([]);
  expect(await judge("a.go", go, inGo("text, _ = fallback()"), "`Load` must use the fallback")).toEqual([]);
});

const rust =
  "/// The sum of the numbers, one in a line.\npub fn sum(text: &str) -> Result<i64, ParseIntError> {\n    let numbers: Result<Vec<i64>, _> = text.lines().map(|line| line.trim().parse::<i64>()).collect();\n    Ok(numbers?.iter().sum())\n}\n";
const inRust = (body: string): string => rust.replace(/ {4}let[\s\S]*sum\(\)\)\n/, () => `    ${body}\n`);
const blanks =
  "`sum` fails for blank lines: they have to be skipped. A line that is no number must still be an error";

test("Rust drops errors by taking the values alone", async () => {
  const said = [expect.stringContaining("hides every error of `sum`")];
  for (const values of [
    "flat_map(|line| line.trim().parse::<i64>())",
    "map(|line| line.trim().parse::<i64>()).flatten()",
    "map(|line| line.trim().parse::<i64>()).filter_map(Result::ok)",
    "filter_map(|line| line.trim().parse::<i64>().ok())",
  ])
    expect(await judge("a.rs", rust, inRust(`Ok(text.lines().${values}.sum())`), blanks)).toEqual(said);
  const right =
    "text.lines().filter(|line| !line.trim().is_empty()).map(|line| line.trim().parse::<i64>()).sum()";
  expect(await judge("a.rs", rust, inRust(right), blanks)).toEqual([]);
});

const others = "`number` fails for a text; it has to be nothing then. Other errors must reach the caller";
const handlers = {
  "a.rb": {
    before: "def number(source)\n  Integer(source.call)\nend\n",
    wrong: [
      "def number(source)\n  Integer(source.call) rescue nil\nend\n",
      "def number(source)\n  Integer(source.call)\nrescue => error\n  nil\nend\n",
      "def number(source)\n  Integer(source.call)\nrescue StandardError\n  nil\nend\n",
    ],
    right: "def number(source)\n  Integer(source.call)\nrescue ArgumentError\n  nil\nend\n",
  },
  "a.py": {
    before: "def number(source):\n    return int(source())\n",
    wrong: [
      "def number(source):\n    try:\n        return int(source())\n    except Exception:\n        return None\n",
    ],
    right:
      "def number(source):\n    try:\n        return int(source())\n    except ValueError:\n        return None\n",
  },
  "A.java": {
    before:
      "class A {\n    Integer number(Supplier<String> source) {\n        return Integer.valueOf(source.get());\n    }\n}\n",
    wrong: [
      "class A {\n    Integer number(Supplier<String> source) {\n        try {\n            return Integer.valueOf(source.get());\n        } catch (RuntimeException | Exception error) {\n            return null;\n        }\n    }\n}\n",
    ],
    right:
      "class A {\n    Integer number(Supplier<String> source) {\n        try {\n            return Integer.valueOf(source.get());\n        } catch (NumberFormatException error) {\n            return null;\n        }\n    }\n}\n",
  },
  "a.js": {
    before: "export function number(source) {\n  return BigInt(source());\n}\n",
    wrong: [
      "export function number(source) {\n  try {\n    return BigInt(source());\n  } catch {\n    return null;\n  }\n}\n",
    ],
    right:
      "export function number(source) {\n  try {\n    return BigInt(source());\n  } catch (error) {\n    if (!(error instanceof SyntaxError)) throw error;\n    return null;\n  }\n}\n",
  },
};

test.each(Object.entries(handlers))(
  "a handler of every error where others must pass: %s",
  async (path, each) => {
    for (const wrong of each.wrong) {
      const found = await judgeChange(path, each.before, wrong, others);
      expect(found.map(({ weight }) => weight)).toContain("objection");
      expect(found.map(({ text }) => text).join("\n")).toContain("wants to reach the caller");
      expect(
        await judge(path, each.before, wrong, "`number` fails for a text; it has to be nothing then"),
      ).toEqual([]);
    }
    expect(await judge(path, each.before, each.right, others)).toEqual([]);
  },
);
