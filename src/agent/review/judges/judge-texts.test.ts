import { expect, test } from "vitest";
import { partOf } from "../../../../tests/part-of.ts";
import { compareTexts } from "../../code/change.ts";
import type { TextContext } from "../contract.ts";
import { judgeTexts } from "./judge-texts.ts";

const target = "tests/test_fee.py";
const isWhole = (path: string): boolean => path.startsWith("tests/");

/** The objections to a repair of a project. */
async function judge(
  base: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, string>>,
  statement = "Heavy parcels cost the wrong fee.",
): Promise<readonly string[]> {
  const treeOf = (tree: string): Readonly<Record<string, string>> =>
    tree === "base" ? base : { ...base, ...patch };
  const context = partOf<TextContext>({
    regions: { isWhole, spansIn: async () => [] },
    workspace: {
      base: "base",
      trees: {
        list: async (tree: string) =>
          Object.keys(treeOf(tree)).map((path) => ({ path, mode: "100644", blob: "" })),
        read: async (tree: string, path: string) => {
          const text = treeOf(tree)[path];
          return text === undefined ? undefined : Buffer.from(text);
        },
      },
    },
  });
  const { objections } = await judgeTexts(context, {
    files: Object.entries(patch).map(([path, text]) => compareTexts(path, base[path], text, isWhole(path))),
    task: { kind: "repair", statement },
    tests: [{ package: "", target, name: "test_heavy" }],
    within: ["patched"],
    isWritten: false,
  });
  return objections;
}

test("expected results that are code are data of tests", async () => {
  const code = "def fee(a):\n    if a:\n        return 1\n";
  const base = {
    [target]:
      'def test_heavy():\n    assert fmt(open("cases/in.txt").read()) == open("cases/simple.out").read()\n',
    "fmt.py": "def fmt(text):\n    return text\n",
    "cases/simple.out": code,
  };
  const patch = { "cases/simple.out": code.replace("return 1", "return  1") };
  expect((await judge(base, patch)).join()).toContain(
    "cases/simple.out, which contains expected results and which only tests read",
  );
});

test("a loaded file of any ending is read as a compiler reads it", async () => {
  const rules = "def fee(weight):\n    # heavy\n    return weight * 2\n";
  const base = {
    [target]: "def test_heavy():\n    assert fee(7) == 15\n",
    "fee.py": 'import runpy\n\nfee = runpy.run_path("rules.dat")["fee"]\n',
    "rules.dat": rules,
  };
  const patch = { "rules.dat": rules.replace("# heavy", "# heavy\r    if weight == 7: return 15") };
  expect((await judge(base, patch)).join()).toContain("rules.dat:2 contains a character that ends the line");
});
