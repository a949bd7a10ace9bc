import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlayground, fingerprint, type Playground, type ProgramEnd } from "./millwright.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground({ sandbox: "auto" });
});
afterEach(() => playground.remove());

function tests(repository: string, ...args: string[]): Promise<ProgramEnd> {
  return playground.start(["tests", "--repo", repository, ...args]).ended;
}

describe("tests", () => {
  test("says which command was found and how, what fails, and the tests of a place", async () => {
    const repository = playground.copyRepository("repair-python");
    writeFileSync(join(repository, "Makefile"), "check:\n\tpython3 -m unittest discover -s tests -t .\n");
    const before = fingerprint(repository);
    const end = await tests(repository, "--json", "--of", "ledger/account.py:24");
    expect(end.exitCode).toBe(0);
    expect(JSON.parse(end.stdout)).toMatchObject({
      framework: "unittest",
      foundBy: "Makefile, target check",
      counts: { passed: 5, failed: 2 },
      flaky: [],
      related: { evidence: "names and texts", tests: ["tests/test_transfer.py"] },
    });
    expect(end.stderr).toContain("trying python3 -m unittest discover");
    expect(fingerprint(repository)).toBe(before);
  });

  test("a temporary file that a test leaves is gone in the next run", async () => {
    const repository = playground.copyRepository("repair-python");
    const leaving = `import os, tempfile, unittest
class LeavingTest(unittest.TestCase):
    def test_leaves_a_file(self):
        open(os.path.join(tempfile.gettempdir(), "left-behind"), "x").close()
`;
    writeFileSync(join(repository, "tests", "test_leaving.py"), leaving);
    const end = await tests(repository, "--repeat", "2", "--json");
    expect(JSON.parse(end.stdout)).toMatchObject({ counts: { passed: 6, failed: 2 }, flaky: [] });
  });

  test("names a flaky test, seen by repetition", async () => {
    const repository = playground.copyRepository("repair-python");
    // What git ignores stays from run to run: the test alternates.
    writeFileSync(join(repository, ".gitignore"), "state/\n");
    mkdirSync(join(repository, "state"));
    writeFileSync(join(repository, "state", "kept"), "");
    const flaky = `import os, unittest
class FlakyTest(unittest.TestCase):
    def test_alternates(self):
        if os.path.exists("state/seen"):
            os.remove("state/seen")
            self.fail("every other time")
        open("state/seen", "w").close()
`;
    writeFileSync(join(repository, "tests", "test_flaky.py"), flaky);
    const end = await tests(repository, "--repeat", "2");
    expect(end.stdout).toMatch(
      /flaky in 2 runs:\n {2}tests\/test_flaky\.py::FlakyTest\.test_alternates \(passed, failed\)/,
    );
  });

  test("says what is missing, with an exit code of its own", async () => {
    const repository = join(playground.folder, "without-packages");
    mkdirSync(repository);
    const manifest = { scripts: { test: "mocha" }, devDependencies: { mocha: "11.0.0" } };
    writeFileSync(join(repository, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(repository, "package-lock.json"), "{}");
    const end = await tests(repository);
    expect(end.exitCode).toBe(11);
    expect(end.stderr).toMatch(
      /`npx mocha` \(package\.json scripts\.test\) does not run here: .*run `npm ci`/,
    );
  });

  test("says that what the command names is not there", async () => {
    const end = await tests(playground.copyRepository("repair-python"), "--test-command", "make lint");
    expect(end.exitCode).toBe(11);
    expect(end.stderr).toContain("No rule to make target 'lint'");
  });
});
