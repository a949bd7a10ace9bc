/** Judges a test command by a run of all tests on the base. */
import { countOf } from "../base/count.ts";
import { isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import type { TestCommand } from "../languages/contract.ts";
import { crashType } from "../languages/report-lines.ts";
import { plainCommand } from "../languages/shell/plain-command.ts";
import type { TestRun } from "./test-runner.ts";

export interface Trial {
  readonly command: TestCommand;
  readonly run: TestRun;
  /**
   * "good": the report can be trusted and most targets loaded. "doubtful": most targets did not load. "too-slow": tests
   * ran, and the time limit ended them. "unusable": no report, or none that can be trusted.
   */
  readonly verdict: "good" | "doubtful" | "too-slow" | "unusable";
  /** Number of tests that ran, excluding tests of targets that did not load. */
  readonly ran: number;
  /** The problem for people; "" if there is none. */
  readonly problem: string;
}

/**
 * Minimum milliseconds of a slow run. A run that times out sooner made no progress: its last test, or something that
 * the tests left open, hangs.
 */
const slowMs = 10 * 60_000;

/**
 * Judges the trial of a test command. `isCut`: true if a time limit ended the run, but its results until then count.
 */
export function judgeTrial(command: TestCommand, run: TestRun, isCut = false): Trial {
  const { outcomes } = run.report;
  const ran = outcomes.filter((outcome) => didRun(outcome) && outcome.key.name !== "");
  const broken = outcomes.filter((outcome) => isFailing(outcome.status) && outcome.key.name === "");
  const ended = ran.filter(({ status }) => status !== "timed-out");
  // A plain command that the limit stopped says nothing about the code.
  const isStopped =
    command.framework === plainCommand && ended.every(({ failure }) => failure?.type === crashType);
  if (isCut && isStopped) return { command, run, ran: 0, verdict: "unusable", problem: whyNot(run) };
  if (isCut && ended.length > 0) return { command, run, ran: ended.length, verdict: "good", problem: "" };
  if (!isUsable(run)) {
    const isSlow = run.end === "timed-out" && ran.length > 0 && run.durationMs >= slowMs;
    const problem = isSlow
      ? `the tests were still running after ${Math.round(run.durationMs / 60_000)} minutes`
      : whyNot(run);
    return { command, run, ran: ran.length, verdict: isSlow ? "too-slow" : "unusable", problem };
  }
  const loaded = new Set(ran.map(({ key }) => `${key.package}\n${key.target}`));
  const isGood = ran.length > 0 && broken.length <= loaded.size;
  return {
    command,
    run,
    ran: ran.length,
    verdict: isGood ? "good" : "doubtful",
    problem: describeBroken(broken, loaded.size),
  };
}

/**
 * True if the report is usable. A report is also usable if the run ended in the middle of a test and the report says
 * so: this test is broken. A failure outside all test files (the runner's environment does not start) says nothing
 * about any test.
 */
function isUsable({ report }: TestRun): boolean {
  const crashed = report.outcomes.some(({ failure }) =>
    [crashType, "TimeoutError"].includes(failure?.type ?? ""),
  );
  return (
    (report.invalid === undefined || crashed) && report.outcomes.some((one) => didRun(one) && isOfFile(one))
  );
}

function isOfFile({ key }: TestOutcome): boolean {
  return key.target !== "" || key.package !== "";
}

function didRun(outcome: TestOutcome): boolean {
  return outcome.status === "passed" || outcome.status === "expected-failure" || isFailing(outcome.status);
}

function describeBroken(broken: readonly TestOutcome[], loaded: number): string {
  const [first] = broken;
  if (first === undefined) return "";
  const names = broken
    .slice(0, 3)
    .map(({ key }) => (key.package === "" ? key.target : `${key.package}/${key.target}`));
  const more = broken.length > names.length ? " …" : "";
  const message = first.failure?.message.split("\n")[0]?.slice(0, 200) ?? "";
  return `${broken.length} of ${countOf(broken.length + loaded, "target")} did not load (${names.join(", ")}${more}): ${message}`;
}

function whyNot(run: TestRun): string {
  const said = run.report.outcomes.find(({ failure }) => failure !== undefined)?.failure?.message;
  const reason = run.report.invalid ?? said ?? "no test ran";
  const lastLines = run.output.trim().split("\n").slice(-3);
  const isTold = reason.includes(`exit code ${run.exitCode}`);
  const more = [
    ...(isTold ? [] : [run.end, `exit code ${run.exitCode ?? "none"}`]),
    // Omitted if the report already quotes the output.
    ...(lastLines.some((line) => reason.includes(line)) ? [] : [lastLines.join(" ").slice(-300)]),
  ];
  return more.length === 0 ? reason : `${reason} (${more.join(", ")})`;
}
