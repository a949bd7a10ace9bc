/** `solve` without a model: tests in a file of any name, and a failing test that is named. */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { readReport } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const solve = (repository: string, ...args: string[]) =>
  playground.start(["solve", "--repo", repository, "--output", "json", ...args]).ended;

describe("solve without a model", () => {
  test("tests in a file whose name says nothing are not repaired away, and code beside tests is repaired", async () => {
    const wrong = playground.copyRepository("two-faults-python");
    for (const file of readdirSync(wrong))
      if (file !== ".git") rmSync(join(wrong, file), { recursive: true });
    const code = "def slug(text):\n    return text.lower().replace(' ', '-')\n";
    writeFileSync(join(wrong, "slug.py"), code);
    const test = "class SlugTest(unittest.TestCase):\n    def test_slug(self):";
    const asserts = "        self.assertEqual(slug('A b'), 'a-b')\n";
    const never = "        self.assertEqual(slug('A!'), 'never')\n";
    const imports = "import unittest\n\nfrom slug import slug";
    writeFileSync(join(wrong, "test.py"), `${imports}\n\n\n${test}\n${asserts}${never}`);
    const refused = readReport(await solve(wrong, "--test-command", "python3 -m unittest test.py"));
    expect(refused.outcome).not.toBe("verified");
    expect(refused.patch).not.toContain("test.py");

    writeFileSync(
      join(wrong, "slug.py"),
      `import unittest\n\n\n${code.replace("lower", "upper")}\n\n${test}\n${asserts}`,
    );
    rmSync(join(wrong, "test.py"));
    const mended = readReport(await solve(wrong, "--test-command", "python3 -m unittest slug.py"));
    expect(mended).toMatchObject({ outcome: "verified", files: [{ path: "slug.py" }] });
    expect(mended.patch).toContain("+    return text.lower()");
    expect(mended.gate).toContainEqual(expect.objectContaining({ predicate: "tests-intact", holds: true }));
  });

  test("0: the one that was named is repaired, 11: no test has the name", async () => {
    const repository = playground.copyRepository("two-faults-python");
    const end = await solve(repository, "--failing-test", "test_the_newest_stands_last");
    expect(end.exitCode).toBe(0);
    expect(readReport(end)).toMatchObject({
      outcome: "verified",
      patch: expect.stringContaining("shelf.py"),
    });
    const lost = await solve(repository, "--failing-test", "test_lost");
    expect(lost.exitCode).toBe(11);
    expect(readReport(lost).reason).toContain("No failing test is named test_lost");
  });
});
