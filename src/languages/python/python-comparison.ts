/** Reads the behaviour of candidates on the same inputs, from the files of `runtime/python/millwright_compare.py`. */
import type { BatchReportRequest, Comparison } from "../contract.ts";
import { readBatch } from "../forked-batch.ts";

const origins: ReadonlySet<string> = new Set<Comparison["origins"][number]>([
  "passing",
  "failing",
  "derived",
]);

export function parsePythonComparison(request: BatchReportRequest): Comparison {
  const { lines, invalid } = readBatch(request);
  const ended = new Set(lines.flatMap((line) => ("exitCode" in line ? line.candidate : [])));
  const read = (name: string): string[] =>
    (request.files.get(name)?.toString("latin1") ?? "").split("\n").filter((line) => line !== "");
  const found = read("inputs.txt").filter((line): line is Comparison["origins"][number] => origins.has(line));
  // The process ended on the first input that has no line.
  const behaviour = (name: string): string[] => {
    const lines = read(name);
    return found.map((_, at) => lines[at] ?? "crash");
  };
  const base = behaviour("v0.txt");
  const again = behaviour("again.txt");
  const steady = found.flatMap((_, at) => (base[at] === again[at] ? at : []));
  const behaviours = new Map<number, readonly string[]>();
  for (const id of [0, ...request.candidates.map((candidate) => candidate.id)]) {
    // One that was killed with the whole run is not known to its end.
    if (!ended.has(id)) continue;
    const all = behaviour(`v${id}.txt`);
    behaviours.set(
      id,
      steady.map((at) => all[at] ?? "crash"),
    );
  }
  return {
    origins: steady.flatMap((at) => found[at] ?? []),
    behaviours,
    invalid:
      invalid ??
      (found.length === 0
        ? "no test calls the changed functions with arguments that Millwright can copy"
        : undefined),
  };
}
