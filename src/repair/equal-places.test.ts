import { expect, it } from "vitest";
import { languageOfFixture } from "../../tests/fixture-programs.ts";
import { openProposals } from "./propose-repairs.ts";
import { applyChange } from "./syntax-check.ts";

async function resultsOf(text: string, line: number, atEqualPlaces = true): Promise<string[]> {
  const proposals = await openProposals({
    ...{ file: "a.py", text, language: languageOfFixture("a.py"), atEqualPlaces },
  });
  const found = proposals?.propose({ file: "a.py", startLine: line, endLine: line, score: 1 }) ?? [];
  proposals?.free();
  return found.map((proposal) => applyChange(text, proposal));
}

const twice = "def f(items, n):\n    return items[n + 1]\n\n\ndef g(items, n):\n    return items[n + 1]\n";
const both = twice.replaceAll("n + 1", "n - 1");

it("changes two places with the same code at once, or one", async () => {
  const results = await resultsOf(twice, 2);
  expect(results).toContain(both);
  expect(results).toContain(twice.replace("n + 1", "n - 1"));
});

it("changes one place only if nobody asked for more", async () => {
  expect(await resultsOf(twice, 2, false)).not.toContain(both);
});

it("removes or switches off nothing at two places", async () => {
  const logged = "def f(a):\n    check_all(a)\n    g(a)\n\n\ndef h(a):\n    check_all(a)\n";
  expect(await resultsOf(logged, 2)).not.toContain("def f(a):\n    g(a)\n\n\ndef h(a):\n");
  const guarded = "def f(a):\n    if a.limit < 3:\n        g(a)\n    if a.limit < 3:\n        h(a)\n";
  const off = guarded.replaceAll("a.limit < 3", "False");
  expect(await resultsOf(guarded, 2)).not.toContain(off);
});

it("leaves code at many places alone", async () => {
  const many = Array.from({ length: 6 }, (_, at) => `def f${at}(items, n):\n    return items[n + 1]\n`).join(
    "\n",
  );
  expect(await resultsOf(many, 2)).not.toContain(many.replaceAll("n + 1", "n - 1"));
});
