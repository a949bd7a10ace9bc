/** Reads the results of a batch of Go tests, as the driver writes them (`runtime/go/batch.go`). */
import { z } from "zod";
import { formatTestKey, type TestOutcome, testOutcomeSchema } from "../../domain/test-outcome.ts";
import type { BatchReport, BatchReportRequest, BuildComplaint } from "../contract.ts";

const lineSchema = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("candidate"),
    candidate: z.int(),
    test: testOutcomeSchema.shape.key,
    status: testOutcomeSchema.shape.status,
    durationMs: testOutcomeSchema.shape.durationMs,
    failure: testOutcomeSchema.shape.failure,
  }),
  z.object({ event: z.literal("complaint"), file: z.string(), line: z.int(), message: z.string() }),
]);
type Line = z.infer<typeof lineSchema>;

export function parseGoBatch(request: BatchReportRequest): BatchReport {
  const lines = [...request.files]
    .filter(([name]) => /^go-(?:candidates|complaints)-.*\.jsonl$/.test(name))
    .flatMap(([, content]) => readLines(content.toString("utf8")));
  const complaints = lines.filter((line) => line.event === "complaint").map(toComplaint);
  const outcomes = new Map<number, TestOutcome[]>();
  for (const line of lines) {
    if (line.event !== "candidate") continue;
    const { test: key, status, durationMs, failure } = line;
    const known = outcomes.get(line.candidate) ?? [];
    outcomes.set(line.candidate, [...known, { key, status, durationMs, ...(failure && { failure }) }]);
  }
  for (const [id, known] of outcomes) outcomes.set(id, [...known, ...notReached(request, known)]);
  const isSilent = outcomes.size === 0 && complaints.length === 0;
  return { outcomes, complaints, invalid: isSilent ? explainSilence(request) : undefined };
}

function toComplaint({ file, line, message }: Extract<Line, { event: "complaint" }>): BuildComplaint {
  return { file, line, message };
}

function readLines(text: string): Line[] {
  return text.split("\n").flatMap((line) => {
    try {
      return lineSchema.safeParse(JSON.parse(line)).data ?? [];
    } catch {
      return []; // cut off when the process was killed
    }
  });
}

function notReached({ tests }: BatchReportRequest, known: readonly TestOutcome[]): TestOutcome[] {
  const seen = new Set(known.map((outcome) => formatTestKey(outcome.key)));
  return tests
    .filter((key) => !seen.has(formatTestKey(key)))
    .map((key) => ({ key, status: "not-run", durationMs: 0 }));
}

function explainSilence({ exitCode, stderr, stdout }: BatchReportRequest): string {
  const said = (stderr.trim() || stdout.trim()).slice(-1500);
  const end = exitCode === null ? "killed" : `exit code ${exitCode}`;
  return `the tests did not run (${end})${said === "" ? "" : `: ${said}`}`;
}
