/** Judges by the logs of SWE-bench's own harness, with its parsers and its rule. */
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { verdictWithoutRun } from "../graders/contract.ts";
import { judgedAs } from "../protocols/without-runs.ts";
import { officialStatuses, type StatusMap } from "./contract.ts";
import { findLogs, type OfficialHarness } from "./harness.ts";
import { logParserOf } from "./log-parsers.ts";
import { readOfficialLog } from "./read-official-log.ts";

/** The file that the harness writes below `logs/run_evaluation/RUN/MODEL/INSTANCE_ID`. */
const place = {
  name: "test_output.txt",
  idOf: (path: string) => basename(dirname(path)),
  folder: "logs/run_evaluation/RUN/MODEL",
};

export const sweBenchHarness: OfficialHarness = {
  open(directory) {
    const logs = findLogs(directory, place);
    return {
      judge({ task: { id, repository, version }, grader, hidden }) {
        const path = logs.get(id);
        const parser = hidden.logParser ?? logParserOf(repository);
        if (path === undefined) return `the folder has no ${place.name} of this task`;
        if (parser === undefined)
          return `no log parser is known for ${repository}: the task's row needs the field log_parser`;
        if (grader.asks !== "hidden-tests" || hidden.lists === undefined)
          return "official logs decide only tasks with lists of tests";
        const read = readOfficialLog(readFileSync(path, "utf8"), parser, { id, version });
        if (read.kind === "void") return judgedAs(verdictWithoutRun("unresolved", read.reason));
        const run = {
          ...{ framework: parser, outcomes: outcomesOf(read.statuses), end: "exited" as const },
          ...{ invalid: undefined, ran: true },
        };
        return judgedAs(grader.judge(run, hidden.lists, hidden));
      },
    };
  },
};

/**
 * Converts official statuses to outcomes. A status other than SWE-bench's five (`officialStatuses`) counts as an error.
 */
export function outcomesOf(found: StatusMap): TestOutcome[] {
  return [...found].map(([name, status]) => ({
    key: { package: "", target: "", name },
    status: officialStatuses[status] ?? "errored",
    durationMs: 0,
  }));
}
