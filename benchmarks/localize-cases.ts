/** Reads the faults that `benchmarks/localize.ts` ranks: from a file, or seeded into the project's own repositories. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";

const caseSchema = z.object({
  id: z.string(),
  /** The repository's folder, with the fault and a test that fails of it. */
  dir: z.string(),
  /** The unified diff that repairs it; changes of tests in it are passed over. */
  fix_diff: z.string(),
  test_command: z.string().optional(),
  language: z.string().optional(),
  /** Names of the tests that show this fault, where others fail too; parts of names do. */
  failing_tests: z.array(z.string()).optional(),
});

export interface FaultCase {
  readonly id: string;
  readonly folder: string;
  readonly fix: string;
  readonly testCommand: string | undefined;
  readonly language: string;
  /** Empty: all that fail. */
  readonly failingTests: readonly string[];
}

/** Reads a file of JSON lines. */
export function readCases(path: string): FaultCase[] {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const read = caseSchema.parse(JSON.parse(line));
    return {
      id: read.id,
      folder: resolve(read.dir),
      fix: read.fix_diff,
      testCommand: read.test_command,
      language: read.language ?? "unknown",
      failingTests: read.failing_tests ?? [],
    };
  });
}
