import { expect, test } from "vitest";
import type { RunEvent } from "../../domain/run-event.ts";
import { findParting } from "./part-runs.ts";

const action = (name: string, intent = ""): RunEvent => ({
  ...{ event: "action-started", at: 1, round: 1, action: name, intent },
});
const tool = (name: string, about: string, failed = false): RunEvent => ({
  ...{ event: "tool-ended", at: 1, order: 1, call: 1, id: "1", tool: name, about, failed },
  ...{ ms: 1, output: "o", characters: 1 },
});
const note: RunEvent = { event: "remark-made", at: 1, level: "note", text: "a" };

test("runs part at the first action or tool call that differs", () => {
  const common = [action("code-retrieval", "find it"), tool("view", "a.py")];
  const one = [...common, tool("edit", "a.py"), action("finish")];
  expect(findParting(one, [note, ...common, tool("edit", "b.py")])).toEqual({
    ...{ step: 3, first: "edit a.py", second: "edit b.py" },
  });
  expect(findParting(one, [...common, tool("edit", "a.py", true)])).toMatchObject({
    second: "edit a.py (refused)",
  });
  expect(findParting(one, common)).toEqual({ step: 3, first: "edit a.py", second: undefined });
  expect(findParting(one, [...one, note])).toBeUndefined();
});
