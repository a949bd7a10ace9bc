import { expect, test } from "vitest";
import { fieldOf, isRecord, textOf } from "./fields.ts";

test("fields are read of whatever came from outside", () => {
  const error = Object.assign(new Error("said"), { code: "ENOENT", errno: 2 });
  expect([fieldOf(error, "errno"), textOf(error, "code"), textOf(error, "errno")]).toEqual([
    2,
    "ENOENT",
    undefined,
  ]);
  for (const nothing of [null, undefined, "text", 7])
    expect([fieldOf(nothing, "length"), isRecord(nothing)]).toEqual([undefined, false]);
  expect([isRecord({}), isRecord([])]).toEqual([true, false]);
});
