import { expect, test } from "vitest";
import { partOf } from "../../../../tests/part-of.ts";
import { readTestRegions } from "../../../judging/test-regions.ts";
import type { TreeStore, Workspace } from "../../../workspace/contract.ts";
import { findParts } from "./find-parts.ts";

type Files = Readonly<Record<string, string>>;

const code = "def fields(line):\n    return line.split(',')\n";
const mended = "def fields(line):\n    return read(line, ',')\n";
const deciding = "from csvline import fields\n\ndef test_quoted():\n    assert fields('a,b') == ['a', 'b']\n";
const statement = "Empty fields are fields, too, also at the end of a line.";

async function open(base: Files, written: Files): Promise<readonly (readonly [string, boolean])[]> {
  const texts: Readonly<Record<string, Files>> = {
    base,
    patch: { ...base, "csvline.py": mended },
    written: { ...base, ...written },
  };
  const trees = partOf<TreeStore>({
    list: async (tree) =>
      Object.entries(texts[tree] ?? {}).map(([path, text]) => ({ path, mode: "100644", blob: text })),
    read: async (tree, path) => {
      const text = texts[tree]?.[path];
      return text === undefined ? undefined : Buffer.from(text);
    },
  });
  const regions = await readTestRegions({
    files: Object.keys({ ...base, ...written }),
    read: async (path) => ({ ...base, ...written })[path],
    outcomes: [],
    framework: undefined,
  });
  const workspace = partOf<Workspace>({ trees, base: "base" });
  const tests = [{ package: "", target: "tests/test_csvline.py", name: "test_quoted" }];
  const parts = await findParts({ workspace, regions }, { statement, within: ["patch", "written"], tests });
  return parts.map(({ text, isCertain }) => [text, isCertain] as const);
}

const base: Files = { "csvline.py": code, "tests/test_csvline.py": deciding };
const text = `an empty input: ${statement}`;
const other = (call: string): Files => ({
  "tests/test_other.py": `import csvline\n\ndef test_other():\n    assert ${call}\n`,
});

test("a demanded input that no test has is a certain case; a written test that passes without the patch closes it", async () => {
  expect(await open(base, {})).toEqual([[text, true]]);
  expect(await open(base, other("csvline.fields('a,,b') == ['a', '', 'b']"))).toEqual([]);
});

test("another test of the same function with such an input leaves the case uncertain", async () => {
  expect(await open({ ...base, ...other("csvline.fields(',a') == ['', 'a']") }, {})).toEqual([[text, false]]);
  expect(await open({ ...base, ...other("csvline.other(',a') == ['', 'a']") }, {})).toEqual([[text, true]]);
});

test("a comment or docstring of a written test shows no input", async () => {
  const only = (line: string): Files => ({
    "tests/test_other.py": `from csvline import fields\n\ndef test_other():\n    ${line}\n    assert fields('a,b') == ['a', 'b']\n`,
  });
  expect(await open(base, only("# an empty field: []"))).toEqual([[text, true]]);
  expect(await open(base, only('"""An empty field."""'))).toEqual([[text, true]]);
});
