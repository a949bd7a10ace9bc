/** Puts several faults into one tree, and groups faults for tasks with several faults. */
import type { Mutant } from "../../agent/mutants/list-mutants.ts";
import type { FileChange } from "../../workspace/contract.ts";

type Fault = Pick<Mutant, "file" | "base" | "start" | "end" | "replacement">;

/** Returns the changes of files that insert all faults. No two faults may overlap. */
export function insertFaults(faults: readonly Fault[]): FileChange[] {
  return [...Map.groupBy(faults, ({ file }) => file)].map(([path, own]) => {
    // From the end of the file: earlier offsets stay valid.
    const content = own
      .toSorted((a, b) => b.start - a.start)
      .reduce(
        (text, { start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
        own[0]?.base ?? "",
      );
    return { path, content };
  });
}

/**
 * Returns groups of `size` faults. If possible, puts faults of the same file together. Never puts overlapping faults
 * together. Omits faults that are left over.
 */
export function groupFaults<T extends { readonly fault: Fault }>(made: readonly T[], size: number): T[][] {
  let left = [...Map.groupBy(made, ({ fault }) => fault.file).values()].flat();
  const groups: T[][] = [];
  while (left.length >= size) {
    const group: T[] = [];
    const rest: T[] = [];
    for (const each of left) {
      const fits = group.length < size && !group.some(({ fault }) => overlap(fault, each.fault));
      (fits ? group : rest).push(each);
    }
    if (group.length === size) groups.push(group);
    left = rest;
  }
  return groups;
}

function overlap(one: Fault, other: Fault): boolean {
  return one.file === other.file && one.start <= other.end && other.start <= one.end;
}
