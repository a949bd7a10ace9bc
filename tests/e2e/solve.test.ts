import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readEvents } from "../../src/agent/record/recorder.ts";
import { replaceIn } from "./bench-fixture.ts";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";
import { readReport } from "./scripted-solve.ts";
import { checkRecord } from "./whole-record.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const solve = (repository: string, ...args: string[]) =>
  playground.start(["solve", "--repo", repository, "--output", "json", ...args]).ended;

const repaired = "-    return amount < available\n+    return amount <= available\n";

/** A repository with one fault that no small change mends. */
function copyIrreparable(): string {
  const repository = playground.copyRepository("two-faults-python");
  replaceIn(repository, "shelf.py", "titles[len(titles)]", "titles[-1]");
  return repository;
}

describe("solve without a model", () => {
  test("repairs, with the evidence, and leaves the repository alone", async () => {
    playground.remove();
    playground = createPlayground({ sandbox: "auto" });
    const repository = playground.copyRepository("repair-python");
    const before = fingerprint(repository);
    const end = await solve(repository);
    const report = readReport(end);
    expect(report).toMatchObject({
      outcome: "verified",
      exitCode: 0,
      model: null,
      strategy: "search-repair",
    });
    expect(end.exitCode).toBe(0);
    expect(report.files.map((each) => each.path)).toEqual(["ledger/account.py"]);
    expect(report.patch).toContain(repaired);
    expect(report.gate.map((each) => each.holds)).toEqual(report.gate.map(() => true));
    expect(fingerprint(repository)).toBe(before);

    expect(readFileSync(join(report.runDirectory, "patch.diff"), "utf8")).toBe(report.patch);
    expect(JSON.parse(readFileSync(join(report.runDirectory, "report.json"), "utf8"))).toEqual(report);
    checkRecord(report.runDirectory);
    expect(readFileSync(join(report.runDirectory, "report.md"), "utf8")).toContain("# Verified patch");
    expect(existsSync(join(report.runDirectory, "workspace"))).toBe(false);
    execFileSync("git", ["apply", "--check", join(report.runDirectory, "patch.diff")], { cwd: repository });
  });

  test("stream-json prints an event a line and the document last, and --apply lays the verified patch on the folder, which is no git repository", async () => {
    const repository = playground.copyRepository("repair-python", { git: false });
    const end = await solve(repository, "--output", "stream-json", "--apply");
    expect(end.exitCode).toBe(0);
    const lines = end.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ schema: "millwright.solve/1", outcome: "verified" });
    const runs = readdirSync(playground.runs);
    const events = await readEvents(join(playground.runs, runs[0] ?? "", "events.jsonl"));
    expect(lines.slice(0, -1)).toEqual(JSON.parse(JSON.stringify(events)));
    expect(readFileSync(join(repository, "ledger/account.py"), "utf8")).toContain("amount <= available");
    const patch = join(playground.runs, runs[0] ?? "", "patch.diff");
    execFileSync("git", ["apply", "--check", "--reverse", patch], { cwd: repository });
  });

  test("130: Ctrl-C leaves a run that `resume` finishes with the patch of a whole one", async () => {
    const repository = playground.copyRepository("repair-python");
    const program = playground.start(["solve", "--repo", repository, "--output", "stream-json"]);
    const run = await waitForStep(playground.runs, "judge:");
    const asked = Date.now();
    program.kill("SIGINT");
    const end = await program.ended;
    expect(end.exitCode).toBe(130);
    expect(Date.now() - asked).toBeLessThan(10_000);
    const resumed = await playground.start(["resume", run, "--output", "json"]).ended;
    expect(resumed.exitCode).toBe(0);
    expect(readReport(resumed).patch).toContain(repaired);
  });
});

describe("each exit code is what the contract says", () => {
  test("10: the tests are repaired, but nothing ties them to the statement", async () => {
    const repository = playground.copyRepository("repair-python");
    const report = readReport(await solve(repository, "The colours of the login page are ugly."));
    expect(report).toMatchObject({ outcome: "unverified", exitCode: 10 });
    expect(report.patch).not.toBe("");
    expect(report.gate.filter((each) => !each.holds).map((each) => each.predicate)).toEqual([
      "failure-is-the-stated-one",
    ]);
  });

  test("11: no test fails, so nothing shows a fault", async () => {
    const repository = playground.copyRepository("repair-python");
    replaceIn(repository, "ledger/account.py", "amount < available", "amount <= available");
    const end = await solve(repository);
    expect(end.exitCode).toBe(11);
    expect(readReport(end)).toMatchObject({ outcome: "none", patch: "", candidates: 0 });
  });

  test("11: no candidate passes, and the report says what was tried", async () => {
    const repository = copyIrreparable();
    const end = await solve(repository);
    expect(end.exitCode).toBe(11);
    const report = readReport(end);
    expect(report.candidates).toBeGreaterThan(0);
    expect(readFileSync(join(report.runDirectory, "report.md"), "utf8")).toContain(
      "failing tests still fail",
    );
  });

  test("11: there are no tests at all", async () => {
    const repository = playground.copyRepository("repair-python");
    execFileSync("rm", ["-r", join(repository, "tests")]);
    const end = await solve(repository);
    expect(end.exitCode).toBe(11);
    expect(readReport(end).reason).toContain("--test-command");
  });

  test("11: the command that was given cannot be started", async () => {
    const end = await solve(playground.copyRepository("repair-python"), "--test-command", "nosuch");
    expect(end.exitCode).toBe(11);
    expect(readReport(end).reason).toContain("the program nosuch is not on the PATH");
  });

  test("12: a limit came first", async () => {
    const repository = copyIrreparable();
    const end = await solve(repository, "--max-steps", "1");
    expect(end.exitCode).toBe(12);
    expect(readReport(end).reason).toContain("limit of 1 step");
  });

  test.each([
    [["solve", "--repo", "/nonexistent"], "is not a folder"],
    [["solve", "--strategy", "wishful"], "no strategy wishful"],
    [["solve", "--max-time", "soon"], "max"],
    [["solve", "--model", "nobody/some"], "no model provider"],
    [["solve", "examples"], "is a folder"],
    [["solve", "--max-time", "0s"], "not a duration"],
    [["solve", "--repo", "tests/fixtures/repos/repair-python", "--test-command", " "], "no framework"],
    [["frobnicate"], "unknown command"],
    [["resume", "nothing"], "no run nothing"],
  ])("2: wrong usage: %j", async (args, message) => {
    const end = await playground.start(args).ended;
    expect(end.stderr).toContain(message);
    expect(end.exitCode).toBe(2);
  });

  test("3: the sandbox that was asked for does not work here", async () => {
    const repository = playground.copyRepository("repair-python");
    const env = { DOCKER_HOST: `unix://${playground.folder}/none.sock` };
    const end = await playground.start(["solve", "--repo", repository, "--sandbox", "docker"], { env }).ended;
    expect(end.exitCode).toBe(3);
    expect(end.stderr).toContain("docker");
  });
});

/** The id of the run, once it has begun a step whose key starts so. */
async function waitForStep(runs: string, step: string): Promise<string> {
  for (;;) {
    const [run] = existsSync(runs) ? readdirSync(runs) : [];
    const path = join(runs, run ?? "", "events.jsonl");
    const events = run !== undefined && existsSync(path) ? await readEvents(path) : [];
    if (
      run !== undefined &&
      events.some((event) => event.event === "step-started" && event.step.startsWith(step))
    )
      return run;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
