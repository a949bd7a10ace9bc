/** Grades predictions from the logs of SWE-bench's own harness: by its parsers and its rule, without running anything. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { MillwrightError } from "../../base/errors.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { type Candidate, type GradeResult, judgeUnrun, makeResult, ungradable } from "../grade-task.ts";
import type { GradedTask } from "../graded-task.ts";
import { verdictWithoutRun } from "../graders/contract.ts";
import { judgedAs } from "../protocols/without-runs.ts";
import { officialStatuses, type StatusMap } from "./contract.ts";
import { logParserOf } from "./log-parsers.ts";
import { readOfficialLog } from "./read-official-log.ts";

/** The file that the harness writes below `logs/run_evaluation/RUN/MODEL/INSTANCE_ID`. */
const logName = "test_output.txt";

/** The path of each task's log, by id. Throws MillwrightError("usage") if there is none, or two for one task. */
export function findOfficialLogs(directory: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of globSync(`**/${logName}`, { cwd: directory }).map((each) => join(directory, each))) {
    const id = basename(dirname(path));
    const other = found.get(id);
    if (other !== undefined) {
      throw new MillwrightError("usage", `Task ${id} has two logs: ${other} and ${path}`, {
        hint: "Give the folder of one run and one model: logs/run_evaluation/RUN/MODEL.",
      });
    }
    found.set(id, path);
  }
  if (found.size > 0) return found;
  throw new MillwrightError("usage", `There is no ${logName} below ${directory}.`, {
    hint: "Give the folder in which SWE-bench's harness wrote its logs: logs/run_evaluation/RUN/MODEL.",
  });
}

/** Throws MillwrightError("usage") for a parser that has no reader. */
export function gradeOfficialLog(
  task: GradedTask,
  candidate: Candidate,
  logs: ReadonlyMap<string, string>,
  patchLimit: number,
): GradeResult {
  const { id, repository, version } = task.task;
  const { grader, hidden } = task;
  const known = judgeUnrun(task, candidate, patchLimit);
  if (known !== undefined) return makeResult(id, judgedAs(known));
  const path = logs.get(id);
  const parser = hidden.logParser ?? logParserOf(repository);
  if (path === undefined) return ungradable(id, `there is no ${logName} of it`);
  if (parser === undefined) {
    return ungradable(id, `no log parser is known for ${repository}: its row needs the field log_parser`);
  }
  if (grader.asks !== "hidden-tests" || hidden.lists === undefined) {
    return ungradable(id, "official logs only decide tasks with lists of tests");
  }
  const read = readOfficialLog(readFileSync(path, "utf8"), parser, { id, version });
  if (read.kind === "void") return makeResult(id, judgedAs(verdictWithoutRun("unresolved", read.reason)));
  const run = {
    ...{ framework: parser, outcomes: outcomesOf(read.statuses), end: "exited" as const },
    ...{ invalid: undefined, ran: true },
  };
  return makeResult(id, judgedAs(grader.judge(run, hidden.lists, hidden)));
}

/** A status outside of SWE-bench's five counts as an error. */
function outcomesOf(found: StatusMap): TestOutcome[] {
  return [...found].map(([name, status]) => ({
    key: { package: "", target: "", name },
    status: officialStatuses[status] ?? "errored",
    durationMs: 0,
  }));
}
