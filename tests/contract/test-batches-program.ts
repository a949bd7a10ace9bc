/** Candidates of one file in one program, as the search builds and runs it, for the contract of batches of compiled languages. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { TestKey } from "../../src/domain/test-outcome.ts";
import { composeSchema, type Variant } from "../../src/instrument/compose-schema.ts";
import type { BatchReport, Language } from "../../src/languages/contract.ts";
import type { OpenFixture } from "./test-frameworks-fixture.ts";

export interface Program {
  readonly path: string;
  readonly base: string;
  readonly language: Language;
  readonly tests: readonly TestKey[];
}

/** The variant of a program that writes `after` for the first `before`. */
export function makeVariant({ path, base }: Program, id: number, before: string, after: string): Variant {
  const start = base.indexOf(before);
  if (start === -1) throw new Error(`${before} is not in ${path}`);
  return { id, start, end: start + before.length, replacement: after };
}

/** As the search does it: who does not compile is taken out until the program does. */
export async function runAll(
  open: OpenFixture,
  { path, base, language, tests }: Program,
  all: readonly Variant[],
): Promise<{ report: BatchReport; refused: number[] }> {
  const refused = new Set<number>();
  for (;;) {
    const left = all.filter(({ id }) => !refused.has(id));
    const schema = await composeSchema({ path, text: base }, language, left);
    writeFileSync(join(open.root, path), schema.text);
    const candidates = [...schema.places.keys()];
    const report = await open.runBatch({ tests, candidates, testTimeoutMs: 2000, parallel: 2 });
    if (report.complaints.length === 0) return { report, refused: [...refused] };
    for (const complaint of report.complaints) {
      expect(complaint.file).toBe(path);
      const blamed = [...schema.places].filter(
        ([, place]) => place.startLine <= complaint.line && complaint.line <= place.endLine,
      );
      expect(blamed, `${complaint.line}: ${complaint.message}`).not.toEqual([]);
      for (const [id] of blamed) refused.add(id);
    }
  }
}
