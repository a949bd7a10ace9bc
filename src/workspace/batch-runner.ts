/**
 * Tests many candidates in one start of a framework's test program. Candidates that get no result must run separately.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestKey } from "../domain/test-outcome.ts";
import type { Batch, BatchReport, ProjectView } from "../languages/contract.ts";
import type { Checkout } from "./contract.ts";
import { executeWithReport, type ReportedCommand, type ReportFolder } from "./report-folder.ts";

export interface FileContent {
  /** Path relative to the repository. */
  readonly path: string;
  readonly content: string;
}

export interface RunnableCandidate {
  readonly id: number;
  /** The whole changed files of the candidate. Only a batch of the kind "swap" uses them. */
  readonly files: readonly FileContent[];
}

export interface BatchRunRequest<Report = BatchReport> extends ReportedCommand {
  readonly batch: Batch<Report>;
  readonly project: ProjectView;
  readonly tests: readonly TestKey[];
  readonly failing?: readonly TestKey[];
  readonly candidates: readonly RunnableCandidate[];
  readonly testTimeoutMs: number;
  readonly stopAtFirstFailure: boolean;
  readonly parallel: number;
}

/**
 * Runs the tests with all candidates, in one start. The checkout contains the base ("swap"), or a program with all
 * candidates ("schema"). Throws only the sandbox's errors, and AbortError if the run is interrupted.
 */
export async function runBatch<Report>(request: BatchRunRequest<Report>): Promise<Report> {
  const { batch, checkout, command, project, tests, candidates } = request;
  let described: { id: number; folder?: string }[] = candidates.map(({ id }) => ({ id }));
  const execution = await executeWithReport(request, (report) => {
    if (batch.kind === "swap") described = candidates.map((each) => writeCandidate(checkout, report, each));
    return batch.invoke({
      command,
      project,
      tests,
      ...(request.failing && { failing: request.failing }),
      candidates: described,
      testTimeoutMs: request.testTimeoutMs,
      stopAtFirstFailure: request.stopAtFirstFailure,
      parallel: request.parallel,
      paths: {
        root: checkout.root,
        runtime: checkout.runtime,
        report: report.inside,
        channel: report.channel,
      },
    });
  });
  const shown = described.map((each) =>
    each.folder === undefined ? each : { ...each, folder: checkout.names.show(each.folder) },
  );
  const asked = { candidates: shown, tests, ...(request.failing && { failing: request.failing }) };
  return batch.parse({ ...execution, root: checkout.names.root, ...asked });
}

function writeCandidate(
  { names }: Checkout,
  report: ReportFolder,
  { id, files }: RunnableCandidate,
): { id: number; folder: string } {
  for (const { path, content } of files) {
    const target = join(report.host, "candidates", String(id), path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, names.meantBytes(Buffer.from(content)));
  }
  return { id, folder: `${report.inside}/candidates/${id}` };
}
