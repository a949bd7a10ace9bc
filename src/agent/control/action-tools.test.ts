import { expect, test } from "vitest";
import { z } from "zod";
import { partOf } from "../../../tests/part-of.ts";
import { type ActionContext, defineAction } from "../action.ts";
import { emptyState, hasPatch } from "../state/task-state.ts";
import { defaultSwitches } from "../switches.ts";
import { actionTools } from "./action-tools.ts";
import { beginWork } from "./perform-action.ts";

test("who asks is told the whole state, as it is then", async () => {
  const work = beginWork(emptyState);
  const context = partOf<ActionContext>({ task: { kind: "repair" }, switches: defaultSwitches });
  const [state] = actionTools([], context, work);
  expect((await state?.run({}))?.text).toBe("Tests that show the fault: none yet.");
  const place = { file: "a.py", startLine: 1, endLine: 2, why: "it decides" };
  work.state = { ...emptyState, codePlaces: [place] };
  expect((await state?.run({}))?.text).toContain("Code locations:\n- a.py:1-2: it decides");
});

test("what could do nothing yet is offered from the first candidate on, and where the work is stuck", () => {
  const action = defineAction({
    name: "look-back",
    description: "",
    input: z.object({}),
    kinds: ["repair"],
    effect: "decides",
    isUseful: hasPatch,
    reads: [],
    writes: [],
    run: async (_, state) => ({ state, text: "" }),
  });
  const work = beginWork(emptyState);
  const context = partOf<ActionContext>({ task: { kind: "repair" }, switches: defaultSwitches });
  const [tool] = actionTools([action], context, work);
  const made = (kind: "code" | "reproduction") => [{ id: "x1", tree: "t", kind, origin: "" }];
  expect(tool?.isOffered?.()).toBe(false);
  work.state = { ...emptyState, candidates: made("reproduction") };
  expect(tool?.isOffered?.()).toBe(false);
  work.hopeless = "none of the last answers made progress";
  expect(tool?.isOffered?.()).toBe(true);
  work.hopeless = undefined;
  work.state = { ...emptyState, candidates: made("code") };
  expect(tool?.isOffered?.()).toBe(true);
});
