import { expect, test } from "vitest";
import type { ActionContext } from "../action.ts";
import { emptyState } from "../state/task-state.ts";
import { defaultSwitches } from "../switches.ts";
import { actionTools } from "./action-tools.ts";
import { beginWork } from "./perform-action.ts";

test("who asks is told the whole state, as it is then", async () => {
  const work = beginWork(emptyState);
  const context = { task: { kind: "repair" }, switches: defaultSwitches } as unknown as ActionContext;
  const [state] = actionTools([], context, work);
  expect((await state?.run({}))?.text).toBe("Tests that show the fault: none yet.\nCandidates: none yet.");
  const place = { file: "a.py", startLine: 1, endLine: 2, why: "it decides" };
  work.state = { ...emptyState, codePlaces: [place] };
  expect((await state?.run({}))?.text).toContain("Code locations:\n- a.py:1-2: it decides");
});
