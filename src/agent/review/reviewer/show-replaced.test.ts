import { expect, it } from "vitest";
import { partOf } from "../../../../tests/part-of.ts";
import type { ActionContext } from "../../action.ts";
import { emptyState } from "../../state/task-state.ts";
import { showReplaced } from "./show-replaced.ts";

it("shows who writes a test anew the one that it replaces, and how that fails", async () => {
  const key = { package: "", target: "test/page.js", name: "page > loads" };
  const read = async (tree: string, file: string) =>
    tree === "r" && file === key.target ? Buffer.from("it('loads', () => {});\n") : undefined;
  const context = partOf<Pick<ActionContext, "workspace">>({ workspace: { trees: { read } } });
  const failure = { type: "ReferenceError", message: "navigator is not defined", frames: [], text: "" };
  const outcome = { key, status: "failed" as const, durationMs: 1, failure };
  const row = {
    candidate: "c1",
    outcomes: [],
    targets: [outcome],
    broken: [],
    invalid: undefined,
    score: [],
  };
  const made = { id: "r1", tree: "r", kind: "reproduction" as const, origin: "" };
  const state = { ...emptyState, candidates: [made], rows: [row] };
  const [shown = ""] = await showReplaced(context, state, [key]);
  expect(shown).toContain("### test/page.js\nit('loads', () => {});");
  expect(shown).toContain("ReferenceError: navigator is not defined");
  expect(await showReplaced(context, state, [])).toEqual([]);
});
