import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LocalizeReport, localizeReportSchema } from "../../src/domain/localize-report.ts";
import { replaceIn } from "./bench-fixture.ts";
import { createPlayground, fingerprint, type Playground, type ProgramEnd } from "./millwright.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

function localize(repository: string, ...args: string[]): Promise<ProgramEnd> {
  return playground.start(["localize", "--repo", repository, ...args]).ended;
}

function readReport(end: ProgramEnd): LocalizeReport {
  return localizeReportSchema.parse(JSON.parse(end.stdout));
}

describe("localize", () => {
  test.each([
    ["repair-python", "ledger/account.py", "return amount < available"],
    ["repair-javascript", "src/row.js", "if (free > size)"],
  ])("names the statement and the function at fault in %s", async (fixture, file, text) => {
    const repository = playground.copyRepository(fixture);
    const before = fingerprint(repository);
    const end = await localize(repository, "--json");
    expect(end.exitCode).toBe(0);
    const report = readReport(end);
    expect(report.basis).toBe("coverage");
    const fault = report.statements.find((each) => each.file === file && each.text.startsWith(text));
    expect(fault?.evidence.failingCovering).toBe(report.failingTests.length);
    expect(report.functions.slice(0, 3)).toContainEqual(
      expect.objectContaining({ file, function: fault?.function }),
    );
    expect(fingerprint(repository)).toBe(before);
    expect(readdirSync(playground.runs)).toEqual([]);
  });

  test("prints statements and functions with their evidence for people", async () => {
    const end = await localize(playground.copyRepository("repair-python"), "--top", "3");
    expect(end.exitCode).toBe(0);
    expect(end.stdout).toMatch(/Statements\n {3}1\. \d\.\d\d {2}ledger\/\w+\.py:\d+ in /);
    expect(end.stdout).toMatch(/run by \d of \d failing and \d of \d passing tests/);
    expect(end.stdout).toMatch(/Functions\n {3}1\. /);
    expect(end.stdout).not.toMatch(/^ {3}4\. /m);
  });

  /** Ranked by the formula, with what every such ranking has. */
  async function rankBy(formula: string, repository: string, ...args: string[]): Promise<LocalizeReport> {
    const report = readReport(await localize(repository, "--formula", formula, "--json", ...args));
    expect(report).toMatchObject({ formula, exitCode: 0 });
    expect(report.reason).toContain(formula);
    expect(report.statements[0]?.file).toBe("shelf.py");
    return report;
  }

  test("ranks by the formula that it is asked for, and a statement chooses among the failing tests", async () => {
    const repository = playground.copyRepository("two-faults-python");
    await rankBy("tarantula", repository);
    await rankBy("barinel", repository);
    const all = await rankBy("dstar", repository);
    expect(all.failingTests.length).toBeGreaterThan(1);
    const report = await rankBy("op2", repository, "`IndexError` for the last title");
    expect(report.failingTests.length).toBeLessThan(all.failingTests.length);
    expect(report.others.length).toBe(all.failingTests.length - report.failingTests.length);
  });

  test("names the tests that do not load", async () => {
    const repository = playground.copyRepository("two-faults-python");
    writeFileSync(join(repository, "test_beside.py"), "import nothing_of_that_name\n");
    const end = await localize(repository);
    expect(end.stdout).toContain("test_beside.py): No module named 'nothing_of_that_name'");
  });

  test("says that nothing fails, and ends with 11", async () => {
    const repository = playground.copyRepository("repair-python");
    replaceIn(repository, "ledger/account.py", "amount < available", "amount <= available");
    const end = await localize(repository, "--json");
    expect(end.exitCode).toBe(11);
    expect(readReport(end)).toMatchObject({ basis: "nothing", statements: [], functions: [] });
    expect(readReport(end).reason).toContain("No test fails");
  });

  test.each([
    [["--formula", "guess"], "guess"],
    [["--top", "none"], "--top"],
    [["--issue", "no-such-file.md"], "no-such-file.md"],
  ])("refuses %j", async (args, named) => {
    const end = await localize(playground.copyRepository("repair-python"), ...args);
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toContain(named);
  });

  test("an interrupt ends it with 130 and leaves nothing behind", async () => {
    const program = playground.start(["localize", "--repo", playground.copyRepository("repair-python")]);
    let over = false;
    void program.ended.then(() => (over = true));
    while (!over && !existsSync(playground.runs)) await new Promise((resolve) => setTimeout(resolve, 20));
    program.kill("SIGINT");
    expect(await program.ended).toMatchObject({ exitCode: 130 });
    expect(readdirSync(playground.runs)).toEqual([]);
  });
});
