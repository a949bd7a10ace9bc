import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type OpenGraph, openGraph } from "../../graph/open-graph.ts";
import { compareTexts, withoutHunks } from "../code/change.ts";
import { readSignature } from "../state/statement-signature.ts";
import { sayStatedPlace, testsWithout } from "./patched-place.ts";

const text = `package shop

type Splitter struct{ depth int }

func (s *Splitter) Next(word string) int {
	if word == "IF" {
		return s.depth
	}
	return 0
}

func Total(prices []int) int { return len(prices) }

func hidesParent(parentFlags int) bool { return parentFlags > 0 }

type Cart struct{}

${Array.from({ length: 21 }, (_, at) => `func (c *Cart) M${at}() int { return ${at} }`).join("\n\n")}
`;

const fields = Array.from({ length: 11 }, (_, at) => `    field${at} = ${at}\n`).join("");
const methods = Array.from({ length: 20 }, (_, at) => `    def m${at}(self):\n        return ${at}\n`).join(
  "",
);
const basket = `class Basket:\n${fields}${methods}`;

let folder: string;
let graph: OpenGraph;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "patched-"));
  writeFileSync(join(folder, "shop.go"), text);
  writeFileSync(join(folder, "basket.py"), basket);
  graph = openGraph({ repository: folder, directory: join(folder, "index"), home: undefined });
  await graph.refresh();
});
afterAll(() => {
  graph.close();
  rmSync(folder, { recursive: true, force: true });
});

const total: [string, string] = ["len(prices)", "len(prices) + 1"];
const next: [string, string] = ['word == "IF"', 'word == "IF" || word == "CASE"'];
const member: [string, string] = ["return 20 }", "return 21 }"];
const depth: [string, string] = ["return s.depth", "return s.depth + 1"];
const flags: [string, string] = ["parentFlags > 0", "parentFlags > 1"];

test.each<[string, readonly [string, string][], string | undefined]>([
  ["`Total` counts too few", [total], "the patch changes Total, which the statement names"],
  ["`Splitter` forgets a word", [next], "the patch changes Splitter, which the statement names"],
  ["`Total` counts too few", [next], undefined],
  // Misspelt by one letter, if only one name is that close; the scope in a commit's subject.
  ["hidesParents fails for none", [flags], "the patch changes hidesParent, which the statement names"],
  ["hidesParental fails for none", [flags], undefined],
  ["fix(Total): count all", [total], "the patch changes Total, which the statement names"],
  ["fix(shop): count all", [total], undefined],
  // Another place uses the named field.
  [
    "use the outer `depth` of nested words",
    [depth],
    "the patch changes code that uses Splitter.depth, which the statement names",
  ],
  ["use the outer `depth` of nested words", [total], undefined],
  // Most of it is elsewhere.
  ["`Total` counts too few", [total, next, flags], undefined],
  // Two words; one word, and words of the new text, do not count, nor any words if another place is named.
  [
    "Fix splitting of words",
    [next],
    "the patch changes Splitter.Next, which contains words of the statement: split, word",
  ],
  ["Fix splitting of CASE", [next], undefined],
  ["`Total` is wrong in splitting words", [next], undefined],
  ["Fix the CASE of letters", [next], undefined],
  [
    "Options that shadow those of a parent command are shown in the global section of the help page, where people look for flags at last",
    [flags],
    "the patch changes hidesParent, which contains words of the statement: parent, flag",
  ],
  [
    "Options that shadow those of a parent command are shown in the global section of the help page, where people look for them at last",
    [flags],
    undefined,
  ],
])("%s %j", (statement, edits, said) => {
  const after = edits.reduce((left, [from, to]) => left.replace(from, to), text);
  const files = [compareTexts("shop.go", text, after)];
  expect(sayStatedPlace(graph, files, { statement, signature: readSignature(statement) })?.says).toBe(said);
});

test.each([
  ["Fix the wrong sums of the total", [total], "total is a word of Total"],
  ["Fix the wrong sums of prices", [total], undefined],
  ["`Splitter` makes wrong totals", [total], undefined],
  // The name of the class, and one changed place of several.
  ["Fix the splitter of lines", [next], "split is a word of Splitter"],
  ["Fix the wrong sums of the total", [next, flags, total], "total is a word of Total"],
  // Every patch of a large class is inside that class.
  ["Fix the wrong sums of the cart", [member], undefined],
] as const)(
  "what supports an opinion is a word in the name of what is changed: %s",
  (statement, edits, said) => {
    const after = edits.reduce((left, [from, to]) => left.replace(from, to), text);
    const files = [compareTexts("shop.go", text, after)];
    const stated = { statement, signature: readSignature(statement), byName: true };
    expect(sayStatedPlace(graph, files, stated)?.says).toBe(said);
  },
);

test("a class is large by its functions, each counted once, and the graph is read once for all changes", () => {
  const after = basket.replace("return 3\n", "return 33\n").replace("return 7\n", "return 77\n");
  const files = [compareTexts("basket.py", basket, after)];
  const statement = "Fix the wrong sums of the basket";
  const reading = vi.spyOn(graph, "files");
  const said = sayStatedPlace(graph, files, { statement, signature: readSignature(statement), byName: true });
  expect(said?.says).toBe("basket is a word of Basket");
  expect(said?.changes).toHaveLength(2);
  expect(reading).toHaveBeenCalledOnce();
  reading.mockRestore();
});

test("of a patch with other changes too, the place has only its own ones", () => {
  const after = text.replace("{ return len(prices) }", "{ /* all */ return len(prices) }").replace(...flags);
  const files = [compareTexts("shop.go", text, after)];
  const statement = "`Total` counts too few";
  const place = sayStatedPlace(graph, files, { statement, signature: readSignature(statement) });
  expect(place).toMatchObject({ isNamed: true, isAll: false });
  expect(place?.changes).toHaveLength(1);
  const [file] = files;
  const rest = file && withoutHunks(file, place?.changes.map(({ hunk }) => hunk) ?? []);
  expect(rest).toBe(text.replace(...flags));
  const alone = [compareTexts("shop.go", text, text.replace(...total))];
  const isAll = (changed: typeof files) =>
    sayStatedPlace(graph, changed, { statement, signature: readSignature(statement) })?.isAll;
  expect(isAll(alone)).toBe(true);
  expect(isAll([...alone, compareTexts("shop_test.go", "", "x")])).toBe(true);
  expect(isAll([...alone, compareTexts("new.go", undefined, "package shop\n")])).toBe(false);
});

test("a name ties no test to the patch if the rest of the patch does not build", () => {
  const key = { package: "", target: "shop_test.go", name: "TestTotal" };
  const failed = { key, status: "failed" as const, durationMs: 1 };
  expect(testsWithout({ outcomes: [], invalid: "does not build" }, [key], true)).toEqual({
    ...{ tests: [key], isNamed: false },
  });
  expect(testsWithout({ outcomes: [failed], invalid: undefined }, [key], true)).toEqual({
    ...{ tests: [key], isNamed: true },
  });
});
