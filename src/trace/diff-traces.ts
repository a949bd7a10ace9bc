/** Compares two traces: finds the calls that only one trace has, and calls with different arguments or results. */
import { alignKeys } from "./align-keys.ts";
import type { TracedValue } from "./trace-lines.ts";
import type { TraceCall, TraceProcess } from "./trace-model.ts";

export interface Divergence {
  /** "missing": only the first trace has the call; "added": only the second. */
  readonly kind: "arguments" | "result" | "missing" | "added";
  /** The names of the calling functions, the entry first. */
  readonly path: readonly string[];
  readonly first?: TraceCall;
  readonly second?: TraceCall;
  /** Parameters that differ. */
  readonly parameters?: readonly string[];
}

/**
 * Lists the differences, test by test (outside of tests, thread by thread), in the order of the calls. Stops after
 * `most` differences.
 */
export function diffTraces(
  first: readonly TraceProcess[],
  second: readonly TraceProcess[],
  most: number,
): Divergence[] {
  const found: Divergence[] = [];
  const others = groupRoots(second);
  for (const [key, roots] of groupRoots(first)) {
    compareLists(roots, others.get(key) ?? [], [], { found, most });
    others.delete(key);
  }
  for (const roots of others.values()) compareLists([], roots, [], { found, most });
  return found;
}

interface Search {
  readonly found: Divergence[];
  readonly most: number;
}

/** Groups root calls by program and test, or by thread. The comparison pairs these groups of the two runs. */
function groupRoots(processes: readonly TraceProcess[]): Map<string, TraceCall[]> {
  const groups = new Map<string, TraceCall[]>();
  for (const process of processes) {
    for (const root of process.roots) {
      const unit = root.test ?? process.threads.get(root.thread) ?? "";
      const key = `${process.language} ${process.label} ${unit}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [root]);
      else group.push(root);
    }
  }
  return groups;
}

function compareLists(
  first: readonly TraceCall[],
  second: readonly TraceCall[],
  path: readonly string[],
  search: Search,
): void {
  for (const [a, b] of alignKeys(first, second, keyOf)) {
    if (search.found.length >= search.most) return;
    if (a !== undefined && b !== undefined) compareCalls(a, b, path, search);
    else if (a !== undefined) search.found.push({ kind: "missing", path, first: a });
    else if (b !== undefined) search.found.push({ kind: "added", path, second: b });
  }
}

/** A call's key. It omits the line, which shifts with the code above. */
function keyOf({ function: { path, name }, on, spawned }: TraceCall): string {
  return `${path} ${name} ${on ?? ""} ${spawned ?? ""}`;
}

function compareCalls(a: TraceCall, b: TraceCall, path: readonly string[], search: Search): void {
  const parameters = differingParameters(a, b);
  if (parameters.length > 0) search.found.push({ kind: "arguments", path, first: a, second: b, parameters });
  compareLists(a.children, b.children, [...path, a.function.name], search);
  if (search.found.length >= search.most || sameResult(a, b)) return;
  search.found.push({ kind: "result", path, first: a, second: b });
}

function differingParameters(a: TraceCall, b: TraceCall): string[] {
  const [first, second] = [a.args, b.args].map(
    (args) => new Map(args.map(([name, value]) => [name, comparable(value)])),
  );
  const names = new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])]);
  return [...names].filter((name) => first?.get(name) !== second?.get(name));
}

function sameResult(a: TraceCall, b: TraceCall): boolean {
  const textOf = ({ how, value, message }: TraceCall): string =>
    `${how} ${value === undefined ? "" : comparable(value)} ${withoutAddresses(message ?? "")}`;
  return textOf(a) === textOf(b);
}

function comparable(value: TracedValue): string {
  return withoutAddresses(JSON.stringify(value));
}

/** Removes addresses, which differ in each run. */
function withoutAddresses(text: string): string {
  return text.replaceAll(/0x[0-9a-fA-F]{6,16}\b/g, "0x…");
}
