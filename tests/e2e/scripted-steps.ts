/** What a planner, and an editor under it, say in a scripted run; and what is read of its end. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SolveReport } from "../../src/domain/solve-report.ts";
import type { ScriptedAnswer } from "./scripted-solve.ts";

export const act = (name: string, input: object): ScriptedAnswer => ({
  role: "planning",
  calls: [{ name, input }],
});
export const edit = (...edits: readonly string[]): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name: "edit", input: { edits: edits.join("\n") } }],
});
export const done = (summary: string, more: object = {}): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name: "done", input: { summary, ...more } }],
});

/** A predicate of the gate, by its name. */
export const predicate = ({ gate }: SolveReport, name: string) =>
  gate.find((each) => each.predicate === name);

/** The report that people read. */
export function readMarkdown({ runDirectory }: SolveReport): string {
  return readFileSync(join(runDirectory, "report.md"), "utf8");
}
