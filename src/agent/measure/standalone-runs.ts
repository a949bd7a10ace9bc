/** Runs standalone programs next to the tests of a framework, and merges their results into one report. */
import type { TestKey } from "../../domain/test-outcome.ts";
import { standaloneCommand, standaloneFramework } from "../../languages/shell/standalone.ts";
import { isProgram, isProgramFile } from "../../languages/standalone-program.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import type { TestRun, TestRunRequest } from "../../workspace/test-runner.ts";
import type { BenchRun } from "../suite.ts";

/** Removes all programs from a tree, so that no framework collects or reads them. */
export async function withoutPrograms(trees: TreeStore, tree: string): Promise<string> {
  const programs = (await trees.list(tree)).filter(({ path }) => isProgramFile(path));
  const changes = programs.map(({ path }): FileChange => ({ path, content: null }));
  return changes.length === 0 ? tree : trees.write(tree, changes);
}

/** Minimum time limit of a program in milliseconds, which includes a build. */
const shortestMs = 120_000;

type Own = Omit<TestRunRequest, "checkout" | "project" | "signal">;

/** Returns the run of one program. Its own time limit ends it if the program hangs. */
export function programRequest(request: BenchRun, { target, name }: TestKey): Own {
  const timeoutMs = Math.min(request.timeoutMs, Math.max(shortestMs, request.testTimeoutMs));
  return {
    framework: standaloneFramework(target),
    command: standaloneCommand(name),
    selection: { kind: "all" },
    coverage: false,
    testTimeoutMs: request.testTimeoutMs,
    timeoutMs,
    stallMs: timeoutMs,
    surroundings: request.surroundings,
    cut: request.cut,
  };
}

/** Merges the runs: the framework's run, if any, and then one run for each program. */
export function mergeRuns(runs: readonly TestRun[], programs: readonly TestKey[]): TestRun {
  const [first, ...more] = runs;
  if (first === undefined) throw new Error("a selection has at least one run");
  const before = runs.length - programs.length;
  const outcomes = runs.flatMap(({ report, durationMs }, at) => {
    const key = programs[at - before];
    return key === undefined
      ? report.outcomes
      : report.outcomes.map((each) => ({ ...each, key, durationMs }));
  });
  const invalid = runs.find(({ report }) => report.invalid !== undefined)?.report.invalid;
  return {
    ...first,
    report: { ...first.report, outcomes, invalid },
    // A program that hangs failed. It does not cut the framework's run.
    end: before === 0 ? "exited" : first.end,
    durationMs: runs.reduce((sum, run) => sum + run.durationMs, 0),
    output: [first, ...more].map(({ output }) => output).join("\n"),
  };
}

/** The programs among tests, which a run of all tests omits. */
export function programsOf(tests: readonly TestKey[]): TestKey[] {
  return tests.filter(isProgram);
}
