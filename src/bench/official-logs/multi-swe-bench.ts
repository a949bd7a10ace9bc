/**
 * Judges by the logs of Multi-SWE-bench's own harness. A log has the results with the fix; the row has the results of
 * the earlier stages for comparison.
 */
import { readFileSync } from "node:fs";
import type { TestStatus } from "../../domain/test-outcome.ts";
import { verdictWithoutRun } from "../graders/contract.ts";
import { judgedAs } from "../protocols/without-runs.ts";
import { findLogs, type OfficialHarness } from "./harness.ts";
import { setParserOf } from "./multi-swe-bench-parsers.ts";
import type { TestSets } from "./test-sets.ts";

const place = {
  name: "fix-patch-run.log",
  /** Returns the task's id: `ORG/REPO/evals/pr-NUMBER` is the task `ORG__REPO-NUMBER`. */
  idOf(path: string): string | undefined {
    const [, org, repo, number] = /([^/]+)\/([^/]+)\/evals\/pr-(\d+)\/[^/]+$/.exec(path) ?? [];
    return number === undefined ? undefined : `${org}__${repo}-${Number(number)}`;
  },
  folder: "the harness's workdir, which has ORG/REPO/evals/pr-NUMBER",
};

export const multiSweBenchHarness: OfficialHarness = {
  open(directory) {
    const logs = findLogs(directory, place);
    return {
      judge({ task: { id, repository }, grader, hidden }) {
        const path = logs.get(id);
        const parse = setParserOf(repository);
        if (path === undefined) return `the folder has no ${place.name} of this task`;
        if (parse === undefined) return `no log parser of Multi-SWE-bench is known for ${repository}`;
        if (grader.asks !== "hidden-tests" || hidden.lists === undefined)
          return "official logs decide only tasks with lists of tests";
        const log = readFileSync(path, "utf8").replaceAll(/\r\n?/g, "\n");
        const sets = parse(log, Number(/\d+$/.exec(id)?.[0]));
        const statuses = sets === undefined ? undefined : statusesOf(sets);
        if (statuses === undefined) {
          const reason =
            "the official report lists an error for this log: a test has two results, or a part cannot be read";
          return judgedAs(verdictWithoutRun("unresolved", reason));
        }
        const outcomes = [...statuses].map(([name, status]) => ({
          ...{ key: { package: "", target: "", name }, status, durationMs: 0 },
        }));
        const run = { framework: "multi-swe-bench", outcomes, end: "exited" as const, invalid: undefined };
        return judgedAs(grader.judge(run, hidden.lists, hidden));
      },
    };
  },
};

/** Returns each test's status. Undefined if a test has two results. */
function statusesOf({ passed, failed, skipped }: TestSets): ReadonlyMap<string, TestStatus> | undefined {
  const statuses = new Map<string, TestStatus>([
    ...[...passed].map((name) => [name, "passed"] as const),
    ...[...failed].map((name) => [name, "failed"] as const),
    ...[...skipped].map((name) => [name, "skipped"] as const),
  ]);
  return statuses.size === passed.size + failed.size + skipped.size ? statuses : undefined;
}
