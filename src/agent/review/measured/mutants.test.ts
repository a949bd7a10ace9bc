import { expect, it } from "vitest";
import { languageOfFixture } from "../../../../tests/fixture-programs.ts";
import { addedLines, compareTexts } from "../../code/change.ts";
import { listMutants, mutatedText, takeInTurn } from "../../mutants/list-mutants.ts";
import { describeComparison, readComparison } from "../checks/behaviour.ts";
import { describeMutants } from "../checks/mutants.ts";
import { placesOf } from "./plan-mutants.ts";

const before = "def f(a, b):\n    return a\n\n\ndef g(a):\n    return a\n";
const after =
  "def f(a, b):\n    if a < b and a > 3:\n        return a + 1\n    return b\n\n\ndef g(a):\n    return -a\n";

async function mutate(most: number) {
  const file = compareTexts("a.py", before, after);
  const lines = new Set(addedLines(file));
  const hunks = { before, list: file.hunks };
  return listMutants(
    [{ file: "a.py", text: after, language: languageOfFixture("a.py"), lines, hunks }],
    most,
  );
}

it("mutates the changed lines alone, each in turn, and takes each hunk back", async () => {
  const mutants = await mutate(12);
  expect(mutants.length).toBeGreaterThanOrEqual(10);
  expect(new Set(mutants.map(({ line }) => line))).toEqual(new Set([2, 3, 4, 8]));
  const texts = mutants.map(mutatedText);
  expect(new Set(texts).size).toBe(mutants.length);
  expect(texts).toContain(after.replace("return -a", "return a"));
  expect(texts.every((text) => text.includes("def f(a, b):\n") && text.includes("def g(a):\n"))).toBe(true);
  expect(await mutate(12)).toEqual(mutants);
  expect((await mutate(3)).map(({ line }) => line).length).toBe(3);
});

it("mutates built and vendored files only if the patch changes no other code", () => {
  const change = (path: string) => compareTexts(path, before, after, false);
  const files = ["build/a.py", "dist/a.py", "src/a.py", "tests/test_a.py"].map(change);
  const mutated = (...changed: typeof files) => placesOf({ files: changed }).map(({ file }) => file);
  expect(mutated(...files)).toEqual(["src/a.py"]);
  const deleted = compareTexts("src/b.py", before, undefined, false);
  expect(mutated(...files.slice(0, 2), deleted)).toEqual(["build/a.py", "dist/a.py"]);
});

it("takes back no comment: no test can notice one", async () => {
  const [old, now] = ["# a\ndef f(a):\n    return a\n", "# b\ndef f(a):\n    return -a\n"];
  const file = compareTexts("a.py", old, now);
  const place = { file: "a.py", text: now, language: languageOfFixture("a.py") };
  const hunks = { before: old, list: file.hunks };
  const mutants = await listMutants([{ ...place, lines: new Set(addedLines(file)), hunks }], 12);
  expect(mutants.length).toBeGreaterThan(0);
  expect(mutants.map(({ line }) => line)).not.toContain(1);
});

it.each([
  [
    "a.py",
    "def f(a, b=None):\n    c = g(a)\n    return c\n",
    "def f(a: int, b: int | None = None) -> list[int]:\n    c: list[int] = g(a)\n    return -c\n",
    { lines: [2, 3], reverted: "c = g(a)" },
  ],
  [
    "a.ts",
    "export function f(a: any, b?: number) {\n  const c = a;\n  return c as any;\n}\ninterface A { b: 1 }\n",
    "export function f<T>(a: T[], b?: number | string): T[] {\n  const c: T[] = a;\n  return c as T[];\n}\ninterface A { b: 1 | 2 }\nf([-1]);\n",
    { lines: [3, 6], reverted: "const c = a" },
  ],
])(
  "mutates no annotation of %s, and takes none back: no test can notice one",
  async (path, old, now, { lines, reverted }) => {
    const file = compareTexts(path, old, now);
    // One hunk per line, as if other lines stood between them.
    const list = now.split("\n").flatMap((_, at) => {
      const [start, end] = [at + 1, at + 2];
      const isThere = at < old.split("\n").length - 1;
      return isThere ? [{ beforeStart: start, beforeEnd: end, afterStart: start, afterEnd: end }] : [];
    });
    const place = { file: path, text: now, language: languageOfFixture(path) };
    const hunks = { before: old, list };
    const mutants = await listMutants([{ ...place, lines: new Set(addedLines(file)), hunks }], 12);
    expect(new Set(mutants.map(({ line }) => line))).toEqual(new Set(lines));
    expect(mutants.map(mutatedText).filter((text) => text.includes(reverted))).toEqual([]);
  },
);

it("takes from each group before it takes a second of any, and asks of what is taken alone", async () => {
  expect(await takeInTurn([[1, 2, 3], [4], [5, 6]], 5)).toEqual([1, 4, 5, 2, 6]);
  const asked: number[] = [];
  const isOdd = async (item: number): Promise<boolean> => asked.push(item) > 0 && item % 2 === 1;
  expect(await takeInTurn([[2, 1, 7], [4], [5, 9]], 3, isOdd)).toEqual([1, 5, 7]);
  expect(asked).toEqual([2, 1, 4, 5, 7]);
});

it("doubts where a mutant survives, says what was not run, and counts none that does not build", async () => {
  const mutants = await mutate(4);
  expect(describeMutants({ mutants, verdicts: ["noticed", "noticed", "unbuildable", "unknown"] })).toEqual([
    {
      weight: "note",
      text: expect.stringContaining("each of 2 mutants"),
      mutants: { tried: 2, noticed: 2 },
    },
  ]);
  const none = describeMutants({ mutants, verdicts: ["unknown", "unknown", "unknown", "unknown"] });
  expect(none).toMatchObject([{ weight: "note", isForPeople: true }]);
  const [finding] = describeMutants({
    mutants,
    verdicts: ["noticed", "survives", "noticed", "noticed"],
  });
  expect(finding).toMatchObject({
    weight: "doubt",
    text: expect.stringMatching(/^1 of 4 mutants .*a\.py:\d/),
  });
});

it("doubts a patch that does something else where the base is believed right, or ends badly", () => {
  const origins = ["passing", "passing", "failing", "derived"] as const;
  const compare = (patch: string[]) =>
    readComparison({
      origins,
      invalid: undefined,
      behaviours: new Map([
        [0, ["v1", "v2", "v3", "v4"]],
        [1, patch],
      ]),
    });
  const say = (patch: string[]) => {
    const compared = compare(patch);
    return compared === undefined ? [] : describeComparison(compared);
  };
  expect(say(["v1", "v2", "v9", "v4"])).toEqual([
    { weight: "note", text: expect.stringContaining("differs from the base on 1") },
  ]);
  expect(say(["v1", "v7", "v9", "v4"])).toEqual([
    { weight: "doubt", text: expect.stringContaining("gives 2 and the patch 7") },
  ]);
  expect(say(["v1", "v2", "v9", "hang"])).toEqual([
    { weight: "doubt", text: expect.stringContaining("hangs") },
  ]);
  expect(readComparison({ origins, invalid: undefined, behaviours: new Map([[0, ["v1"]]]) })).toBeUndefined();
  const around = Array.from({ length: 12 }, () => "derived" as const);
  const same = around.map(() => "v5");
  const narrow = readComparison({
    origins: ["failing", ...around],
    invalid: undefined,
    behaviours: new Map([
      [0, ["v1", ...same]],
      [1, ["v2", ...same]],
    ]),
  });
  expect(narrow && describeComparison(narrow)).toEqual([
    { weight: "doubt", isNarrow: true, text: expect.stringContaining("none of 12 similar inputs") },
  ]);
});
