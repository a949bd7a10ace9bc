import { expect, test } from "vitest";
import { formatTestKey, type TestOutcome } from "../domain/test-outcome.ts";
import { languageOf } from "../languages/source-files.ts";
import { readTestTexts } from "./test-text.ts";

function failing(target: string, name: string, lines: readonly number[] = []): TestOutcome {
  const frames = lines.map((line) => ({ file: target, line }));
  const failure = { type: "AssertionError", message: "", text: "", frames };
  return { key: { package: "", target, name }, status: "failed", durationMs: 1, failure };
}

const python = `import shelf

def helper(title):
    assert shelf.find(title)

class TestShelf:
    def test_find(self, title):
        helper(title)

    def test_other(self):
        assert shelf.sort()
`;

const javascript = `describe("a shelf", () => {
  it("finds", () => {
    expect(find(1)).toBe(2);
  });
  it("sorts", () => {
    check();
  });
  it.each([1, 2])("adds %i", (n) => {
    expect(add(n)).toBe(n);
  });
});
`;

async function bodyOf(file: string, text: string, outcome: TestOutcome) {
  const texts = await readTestTexts([outcome], new Map([[file, text]]), languageOf);
  return texts.get(formatTestKey(outcome.key));
}

test("a function is found by its name, whatever its parameters", async () => {
  const found = await bodyOf(
    "test_shelf.py",
    python,
    failing("test_shelf.py", "TestShelf::test_find[a.b::c]"),
  );
  expect(found?.body).toContain("helper(title)");
  expect(found?.body).not.toContain("shelf.sort");
});

test("what a failing test calls in its own file counts with it, and the lines where it failed", async () => {
  const outcome = failing("test_shelf.py", "TestShelf::test_find[x]", [8, 4]);
  const found = await bodyOf("test_shelf.py", python, outcome);
  expect(found?.body).toContain("def test_find");
  expect(found?.body).toContain("shelf.find(title)");
  expect(found?.failingLines).toBe("        helper(title)\n    assert shelf.find(title)");
});

test("a call is found by its title", async () => {
  const found = await bodyOf("shelf.test.js", javascript, failing("shelf.test.js", "a shelf > finds"));
  expect(found?.body).toContain("find(1)");
  expect(found?.body).not.toContain("check()");
});

test("a test with a made title is found by its frame", async () => {
  const found = await bodyOf("shelf.test.js", javascript, failing("shelf.test.js", "a shelf > adds 2", [9]));
  expect(found?.body).toContain("add(n)");
});

test("a test that stands nowhere has no text", async () => {
  expect(await bodyOf("shelf.test.js", javascript, failing("other.test.js", "else"))).toBeUndefined();
});
