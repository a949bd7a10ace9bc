/** Requests a batch of candidates in one start of a Java build, and reads the result files of our workers. */
import { z } from "zod";
import {
  formatTestKey,
  isFailing,
  type TestKey,
  type TestOutcome,
  testStatusSchema,
} from "../../domain/test-outcome.ts";
import type { BatchReport, BatchReportRequest, BatchRequest } from "../contract.ts";
import { readComplaints } from "./java-build-errors.ts";
import { openRun, outputOf, textOfFile } from "./java-run.ts";
import { readJavaStack } from "./java-stack.ts";

/** Maximum number of characters, because Linux limits one environment string to 128 KiB. */
const longestRequest = 120_000;

const lineSchema = z.object({
  candidate: z.int().nonnegative(),
  target: z.string(),
  name: z.string(),
  status: testStatusSchema,
  durationMs: z.number(),
  type: z.string().optional(),
  message: z.string().optional(),
  stack: z.string().optional(),
});
type Line = z.infer<typeof lineSchema>;

/** Encodes the input of `MillwrightBatch`; undefined if the input is too large for one start. */
export function encodeBatch(request: BatchRequest): string | undefined {
  const { paths, tests, candidates } = request;
  const folderOf = (key: TestKey): string =>
    key.package === "" ? paths.root : `${paths.root}/${key.package}`;
  const lines = [
    `timeout ${request.testTimeoutMs}`,
    `stop ${request.stopAtFirstFailure}`,
    `parallel ${Math.max(1, request.parallel)}`,
    ...candidates.map(({ id }) => `candidate ${id}`),
    ...tests.map((key) => `test ${folderOf(key)}\t${key.target}\t${key.name}`),
  ];
  const encoded = Buffer.from(lines.join("\n")).toString("base64");
  return encoded.length > longestRequest ? undefined : encoded;
}

/**
 * Selects one test of each module. A build tool that runs only this test still builds the module, and starts the
 * module's test JVM. Our agent observes this JVM.
 */
export function firstOfEach(tests: readonly TestKey[]): readonly TestKey[] {
  return [...new Map(tests.toReversed().map((key) => [key.package, key])).values()];
}

export function parseJavaBatch(request: BatchReportRequest): BatchReport {
  const run = openRun(request);
  const output = outputOf(request);
  const isBroken = /COMPILATION ERROR|Compilation failure|Compilation failed/.test(output);
  const complaints = isBroken ? readComplaints(output, request.root) : [];
  const byCandidate = new Map<number, Line[]>();
  for (const line of readLines(request)) {
    byCandidate.set(line.candidate, [...(byCandidate.get(line.candidate) ?? []), line]);
  }
  const outcomes = new Map<number, TestOutcome[]>();
  for (const { id } of request.candidates) {
    const lines = byCandidate.get(id);
    if (lines !== undefined)
      outcomes.set(
        id,
        request.tests.map((key) => toOutcome(key, lines, run.findSource)),
      );
  }
  if (complaints.length > 0) return { outcomes: new Map(), complaints, invalid: undefined };
  const failing = new Set(request.failing?.map(({ target, name }) => `${target}::${name}`));
  const base = (byCandidate.get(0) ?? []).find(
    ({ target, name, status }) => failing.has(`${target}::${name}`) && !isFailing(status),
  );
  if (base !== undefined) {
    const invalid = `${base.target}::${base.name} fails in the build, but not in a virtual machine without the build tool`;
    return { outcomes: new Map(), complaints: [], invalid };
  }
  const silent = outcomes.size === 0 ? explainSilence(request, output) : undefined;
  return { outcomes, complaints: [], invalid: silent };
}

function readLines(request: BatchReportRequest): Line[] {
  const names = [...request.files.keys()].filter((name) => /^candidates-\d+\.txt$/.test(name));
  return names.flatMap((name) =>
    textOfFile(request, name)
      .split("\n")
      .flatMap((line) => {
        try {
          return lineSchema.safeParse(JSON.parse(line)).data ?? [];
        } catch {
          return []; // cut off when its machine ended
        }
      }),
  );
}

function toOutcome(
  key: TestKey,
  lines: readonly Line[],
  findSource: Parameters<typeof readJavaStack>[1],
): TestOutcome {
  const own = lines.filter((line) => line.target === key.target && line.name === key.name);
  const line = own.find(({ status }) => isFailing(status)) ?? own[0];
  if (line === undefined) return { key, status: "not-run", durationMs: 0 };
  const { status, durationMs, type = "Error", message = "", stack = "" } = line;
  if (!isFailing(status)) return { key, status, durationMs };
  const failure = { type, message, frames: readJavaStack(stack, findSource), text: stack };
  return { key, status, durationMs, failure };
}

function explainSilence(request: BatchReportRequest, output: string): string {
  const said = (textOfFile(request, "workers.log") || output || request.stderr).trim().slice(-1000);
  const tests = request.tests.map(formatTestKey).slice(0, 2).join(", ");
  return `${tests} did not run in a separate virtual machine: ${said}`;
}
