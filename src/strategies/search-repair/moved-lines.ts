/** Maps measurements on a tree (coverage, baseline) to the tree with one more change. Pure. */
import type { Baseline } from "../../agent/measure/baseline.ts";
import type { Coverage } from "../../agent/measure/coverage.ts";
import { type CoveredLines, formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { PreparedProposal } from "./proposals.ts";

/**
 * Maps a line number of the file before the change to the line number after it. A line inside the change gets a line of
 * the replacement.
 */
export function lineAfter({ base, start, end, replacement }: PreparedProposal, line: number): number {
  const first = countLines(base.slice(0, start)) + 1;
  const before = countLines(base.slice(start, end));
  const after = countLines(replacement);
  if (line <= first) return line;
  return line > first + before ? line + after - before : Math.min(line, first + after);
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

export function moveCoverage(
  { tests, loaded, remarks }: Coverage,
  changes: readonly PreparedProposal[],
): Coverage {
  return {
    tests: new Map([...tests].map(([id, lines]) => [id, moveLines(lines, changes)])),
    loaded: moveLines(loaded, changes),
    remarks,
  };
}

function moveLines(covered: CoveredLines, changes: readonly PreparedProposal[]): CoveredLines {
  const moved = { ...covered };
  for (const change of fromTheEnd(changes)) {
    const lines = moved[change.file];
    if (lines !== undefined)
      moved[change.file] = [...new Set(lines.map((line) => lineAfter(change, line)))].sort((a, b) => a - b);
  }
  return moved;
}

/** Sorts changes of one tree, so that callers map later places in a file first. */
function fromTheEnd(changes: readonly PreparedProposal[]): PreparedProposal[] {
  return [...changes].sort((a, b) => b.start - a.start);
}

/**
 * Returns the baseline for the search after a partial repair. Counts the tests in `turned` as passing, and they must
 * still pass. The other targets still need a repair.
 */
export function baselineAfter(
  baseline: Baseline,
  turned: readonly string[],
  changes: readonly PreparedProposal[],
): Baseline {
  const passing = new Set(turned);
  const isPassing = ({ key }: TestOutcome): boolean => passing.has(formatTestKey(key));
  return {
    ...baseline,
    outcomes: baseline.outcomes.map((outcome) =>
      isPassing(outcome) ? { key: outcome.key, durationMs: outcome.durationMs, status: "passed" } : outcome,
    ),
    targets: baseline.targets
      .filter((outcome) => !isPassing(outcome))
      .map((outcome) => moveFrames(outcome, changes)),
  };
}

function moveFrames(outcome: TestOutcome, changes: readonly PreparedProposal[]): TestOutcome {
  const { failure } = outcome;
  if (failure === undefined) return outcome;
  const frames = failure.frames.map((frame) => {
    const own = fromTheEnd(changes).filter(({ file }) => file === frame.file);
    return { ...frame, line: own.reduce((line, change) => lineAfter(change, line), frame.line) };
  });
  return { ...outcome, failure: { ...failure, frames } };
}
