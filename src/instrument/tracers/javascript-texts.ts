/** Makes a file's text with recording code, and reduces the recording where a compiler complains. */
import { hashText } from "../../base/hash.ts";
import { type Insertion, insertAll } from "../text-insertions.ts";
import { placeRecording } from "./javascript-bodies.ts";
import type { Complaint } from "./javascript-complaints.ts";
import type { PlannedFunction, ReadFile } from "./javascript-functions.ts";
import { placeHelper } from "./javascript-helper.ts";

/** Returns the file's text with recording code; undefined if no function is recorded. */
export function recordingText(file: ReadFile, functions: readonly PlannedFunction[]): string | undefined {
  const recorded = functions.filter(({ traced }) => traced.level !== "none");
  if (recorded.length === 0) return undefined;
  const helper = `mw_${hashText(file.path).slice(0, 8)}`;
  const { tree, typescript } = file;
  const insertions: Insertion[] = recorded.flatMap(({ found, traced }) =>
    placeRecording({ tree, found, id: traced.id, level: traced.level, helper, typescript }),
  );
  return insertAll(tree.text, [...insertions, placeHelper(tree.root, helper, typescript)]);
}

export function leaveOut({ found, traced }: PlannedFunction, reason: string): PlannedFunction {
  return { found, traced: { ...traced, level: "none", reason } };
}

/**
 * Reduces the recording of each function in which a compiler complains: first to calls without values, then to nothing.
 * Enclosing functions keep their recording.
 */
export function weaken(
  functions: readonly PlannedFunction[],
  complaints: readonly Complaint[],
): PlannedFunction[] {
  const places = complaints.flatMap((complaint) => {
    const around = functions.filter(({ traced }) => traced.level !== "none" && holds(traced, complaint));
    return around.sort((a, b) => lengthOf(a) - lengthOf(b)).slice(0, 1);
  });
  const meant = new Set(places);
  return functions.map((one) => {
    if (!meant.has(one)) return one;
    const reason = "it does not compile with the inserted text";
    if (one.traced.level !== "values") return leaveOut(one, reason);
    return { found: one.found, traced: { ...one.traced, level: "calls", reason } };
  });
}

function holds({ path, line, endLine }: PlannedFunction["traced"], complaint: Complaint): boolean {
  return path === complaint.path && line <= complaint.line && complaint.line <= endLine;
}

function lengthOf({ traced }: PlannedFunction): number {
  return traced.endLine - traced.line;
}
