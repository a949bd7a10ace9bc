/**
 * Judges by the logs of SWT-bench's own harness. A task has six logs: with the model's tests, with the row's tests, and
 * with neither, each without and with the fix.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { textOf } from "../../base/fields.ts";
import type { TestKey } from "../../domain/test-outcome.ts";
import type { GradedTask } from "../graded-task.ts";
import { type GradedRun, verdictWithoutRun } from "../graders/contract.ts";
import type { Judged } from "../protocols/contract.ts";
import { compareSides } from "../protocols/transitions.ts";
import { judgedAs } from "../protocols/without-runs.ts";
import { judgeCoverage, judgeTransitions, measuresOf } from "../protocols/written-tests.ts";
import { findLogs, type OfficialHarness } from "./harness.ts";
import { outcomesOf } from "./swe-bench.ts";
import { type SwtParser, scriptParser, swtParserOf } from "./swt-bench-parsers.ts";
import { type CountsOfRuns, measureFix, readCounts } from "./swt-coverage.ts";

const place = {
  name: "test_output.txt",
  idOf: (path: string) =>
    basename(dirname(dirname(path))).startsWith("pred_pre__") ? basename(dirname(path)) : undefined,
  folder: "run_instance_swt_logs/RUN, beside gold_pre, gold_post, base_pre and base_post",
};

/** Marks of the harness's own script that void a log. */
const voids = [
  ...[">>>>> Patch Apply Failed", ">>>>> Reset Failed", ">>>>> Tests Errored", ">>>>> Tests Timed Out"],
  "Failed to reset task environment",
];

export const swtBenchHarness: OfficialHarness = {
  open(directory) {
    const logs = findLogs(resolve(directory), place);
    return {
      judge(task) {
        const path = logs.get(task.task.id);
        const parse = swtParserOf(task.task.repository);
        if (path === undefined) return `no folder pred_pre__MODEL has a ${place.name} of this task`;
        const patch = readIfThere(join(dirname(path), "model_patch.diff"));
        if (patch === undefined) return `there is no model_patch.diff beside ${path}`;
        if (parse === undefined) return `no log parser of SWT-bench is known for ${task.task.repository}`;
        const isScript = modeOf(path) === "reproduction_script";
        return judgeLogs(task, findRuns(path, task, patch), isScript ? scriptParser : parse);
      },
    };
  },
};

/** Finds the paths of the six logs. All runs share the logs of the row's tests and of no tests. */
function findRuns(
  path: string,
  { task, hidden }: GradedTask,
  patch: string,
): Record<keyof CountsOfRuns, string> {
  const [model, run] = [dirname(dirname(path)), dirname(dirname(dirname(path)))];
  const shared = (name: string, tests: string): string => {
    const hash = createHash("sha256").update(directivesOf(tests, task.repository).join("__")).digest("hex");
    return join(dirname(run), name, task.id, hash, place.name);
  };
  const after = basename(model).replace("pred_pre__", "pred_post__");
  return {
    predBefore: path,
    predAfter: join(run, after, task.id, place.name),
    goldBefore: shared("gold_pre", hidden.testPatch),
    goldAfter: shared("gold_post", hidden.testPatch),
    baseBefore: shared("base_pre", patch),
    baseAfter: shared("base_post", patch),
  };
}

const otherFiles = [
  ...[".json", ".png", "csv", ".txt", ".md", ".jpg", ".jpeg", ".pkl", ".yml", ".yaml", ".toml"],
];

/** Returns a patch's test files as the harness names them; Django's are modules. */
function directivesOf(patch: string, repository: string): string[] {
  const files = [...patch.matchAll(/diff --git a\/[^\n]* b\/([^\n]*)/g)].map(([, file = ""]) => file);
  const tests = files.filter((file) => !otherFiles.some((ending) => file.endsWith(ending)));
  if (repository !== "django/django") return tests;
  return tests.map((file) =>
    file
      .replace(/\.py$/, "")
      .replace(/^tests\//, "")
      .replaceAll("/", "."),
  );
}

function modeOf(path: string): string | undefined {
  const text = readIfThere(join(dirname(path), "exec_spec.json"));
  const spec: unknown = text === undefined ? undefined : JSON.parse(text);
  return textOf(spec, "exec_mode");
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8").replaceAll(/\r\n?/g, "\n") : undefined;
}

function judgeLogs(
  { hidden }: GradedTask,
  paths: Readonly<Record<keyof CountsOfRuns, string>>,
  parse: SwtParser,
): Judged {
  const known = new Map<string, string>();
  const read = (name: keyof CountsOfRuns): string => {
    const log = known.get(name) ?? readIfThere(paths[name]) ?? "";
    known.set(name, log);
    return log;
  };
  const first = read("predBefore");
  if (!first.toLowerCase().includes("applied patch") || isVoid(first)) {
    return judgedAs(
      verdictWithoutRun(
        "unresolved",
        "according to the log, the patch did not apply or its tests did not run",
      ),
    );
  }
  const run = (name: keyof CountsOfRuns): GradedRun => {
    const log = read(name);
    const outcomes = isVoid(log) ? [] : outcomesOf(parse(testsOf(log)));
    return { framework: "swt-bench", outcomes, invalid: undefined, end: "exited" };
  };
  const after = run("predAfter");
  const bare = ({ name }: TestKey): string => name;
  const own = compareSides(run("predBefore"), after, bare);
  const base = compareSides(run("baseBefore"), run("baseAfter"), bare);
  const official = judgeTransitions(own, base, { after });
  const counts = (name: keyof CountsOfRuns) => readCounts(read(name));
  const coverage = measureFix(hidden.goldPatch, {
    ...{ predBefore: counts("predBefore"), predAfter: counts("predAfter") },
    ...{ goldBefore: counts("goldBefore"), goldAfter: counts("goldAfter") },
    ...{ baseBefore: counts("baseBefore"), baseAfter: counts("baseAfter") },
  });
  return {
    ...{ official, verdict: official },
    others: coverage.lines === 0 ? [] : [judgeCoverage({ ...coverage, left: [] })],
    measures: measuresOf({ ...coverage, left: [] }),
  };
}

const isVoid = (log: string): boolean => voids.some((mark) => log.includes(mark));

/** Returns the part between the traced command and the dump of its counts. */
function testsOf(log: string): string {
  const traced = "trace.py --count -C coverage.cover";
  const after = log.includes(traced)
    ? log.split(/\n\+ python3 [^\n]*trace.py --count -C coverage.cover [^\n]*\n/)[1]
    : log;
  return (after ?? "").split("\n+ cat coverage.cover")[0] ?? "";
}
