/** Stores a test run's output as a log, and derives the run's results from the log again. */
import { z } from "zod";
import { formatTestKey, testKeySchema } from "../domain/test-outcome.ts";
import type { Selection, TestFramework } from "../languages/contract.ts";
import { findFramework } from "../languages/find-framework.ts";
import type { ReportedExecution } from "../workspace/report-folder.ts";
import { readExecution, type TestRun } from "../workspace/test-runner.ts";
import { askAgain } from "../workspace/time-outs.ts";
import type { GradedRun } from "./graders/contract.ts";

const bytes = z.base64();

const selectionSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("all") }),
  z.object({ kind: z.literal("files"), files: z.array(z.string()) }),
  z.object({ kind: z.literal("tests"), tests: z.array(testKeySchema) }),
]);

const executionLogSchema = z.object({
  selection: selectionSchema,
  testTimeoutMs: z.number(),
  /** The repository's root, as the log's texts name it. */
  root: z.string(),
  end: z.enum(["exited", "signalled", "out-of-memory", "timed-out", "aborted"]),
  exitCode: z.int().nullable(),
  durationMs: z.number(),
  stdout: z.string(),
  stderr: z.string(),
  received: z.object({
    problem: z.string().optional(),
    streams: z.array(z.object({ name: z.string(), origin: z.enum(["keyed", "open"]), lines: bytes })),
  }),
  files: z.record(z.string(), bytes),
});
export type ExecutionLog = z.infer<typeof executionLogSchema>;

export const runLogSchema = z.object({
  framework: z.string(),
  command: z.string(),
  /** The run itself, followed by the repetitions of single tests. */
  executions: z.array(executionLogSchema).min(1),
});
export type RunLog = z.infer<typeof runLogSchema>;

/** Returns the limit that ended a run, if any. */
export function limitOf(run: Pick<GradedRun, "end"> | undefined): "time" | "memory" | undefined {
  return run?.end === "timed-out" ? "time" : run?.end === "out-of-memory" ? "memory" : undefined;
}

export interface ExecutionPlace {
  readonly selection: Selection;
  readonly testTimeoutMs: number;
  readonly root: string;
}

export function logExecution(execution: ReportedExecution, place: ExecutionPlace): ExecutionLog {
  const { received, files, end, exitCode, durationMs, stdout, stderr } = execution;
  const { selection, testTimeoutMs, root } = place;
  return {
    selection: selectionSchema.parse(selection),
    ...{ testTimeoutMs, root, end, exitCode, durationMs, stdout, stderr },
    received: {
      ...(received.problem === undefined ? {} : { problem: received.problem }),
      streams: received.streams.map((stream) => ({ ...stream, lines: stream.lines.toString("base64") })),
    },
    files: Object.fromEntries([...files].map(([name, content]) => [name, content.toString("base64")])),
  };
}

/** Derives a run's results from its log. Throws MillwrightError for an unknown framework. */
export async function readRunLog(
  { framework: name, executions }: RunLog,
  frameworks: readonly TestFramework[],
): Promise<GradedRun> {
  const framework = findFramework(frameworks, { framework: name });
  const [first, ...again] = executions;
  if (first === undefined) throw new Error("the log has no execution");
  const { report, end } = readLog(first, framework);
  const outcomes = await askAgain(
    report.outcomes,
    () => end === "exited",
    async (test) => {
      const alone = again.find(({ selection }) => isAbout(selection, formatTestKey(test)));
      return alone && readLog(alone, framework);
    },
  );
  return { framework: name, outcomes, invalid: report.invalid, end, root: first.root };
}

function isAbout(selection: Selection, id: string): boolean {
  return selection.kind === "tests" && selection.tests.some((key) => formatTestKey(key) === id);
}

function readLog(log: ExecutionLog, framework: TestFramework): TestRun {
  const { selection, testTimeoutMs, root, received, files, ...rest } = log;
  const execution: ReportedExecution = {
    ...rest,
    received: {
      problem: received.problem,
      streams: received.streams.map((stream) => ({ ...stream, lines: Buffer.from(stream.lines, "base64") })),
    },
    files: new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text, "base64")])),
  };
  return readExecution(execution, { framework, selection, testTimeoutMs, root });
}
