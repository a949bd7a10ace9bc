/** What the whole runs without a model share: start `solve`, read its report, change a file of the fixture. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type SolveReport, solveReportSchema } from "../../src/domain/solve-report.ts";
import type { Playground, ProgramEnd } from "./millwright.ts";

export function solveIn(playground: Playground, repository: string, ...args: string[]): Promise<ProgramEnd> {
  return playground.start(["solve", "--repo", repository, "--output", "json", ...args]).ended;
}

export function readReport(end: ProgramEnd): SolveReport {
  return solveReportSchema.parse(JSON.parse(end.stdout));
}

export function replaceIn(repository: string, file: string, from: string, to: string): void {
  const path = join(repository, file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}
