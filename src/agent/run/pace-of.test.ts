import { expect, test } from "vitest";
import { hashData } from "../../base/hash.ts";
import type { Task } from "../../domain/task.ts";
import { paceOf } from "./pace-of.ts";

const task: Task = { id: "t", kind: "repair", statement: "it is wrong", repository: "/a" };
const keyOf = (changed: Partial<Task>, base = "tree"): string =>
  hashData(paceOf({ task: { ...task, ...changed }, strategy: "unified" }, base));

test("runs that decide differently have different paces, and a replay elsewhere has the same", () => {
  const others = [keyOf({ kind: "regression-test" }), keyOf({ partialPatch: "diff" }), keyOf({}, "other")];
  expect(new Set([keyOf({}), ...others]).size).toBe(4);
  expect(keyOf({ repository: "/b", id: "u" })).toBe(keyOf({}));
});
