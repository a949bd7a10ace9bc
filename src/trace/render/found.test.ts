import { expect, test } from "vitest";
import { madeCall, madeProcess } from "../../../tests/trace-calls.ts";
import type { Trace } from "../trace-file.ts";
import { renderFound } from "./found.ts";

test("of a function's calls that have no room those that failed come first", () => {
  const calls = Array.from({ length: 300 }, (_, at) =>
    madeCall("hot", at === 290 ? { how: "throw", message: "ValueError: bad" } : {}),
  );
  const head: Trace["head"] = {
    k: "trace",
    schema: "millwright.trace-file/1",
    target: "/t",
    root: "/t",
    command: ["run"],
    startedAt: "",
    functions: [],
  };
  const lines = renderFound({ head, command: undefined, processes: [madeProcess(calls)] }, "hot", 4000)
    .trimEnd()
    .split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "300 calls of hot; 1 failed",
    expect.stringContaining("hot() threw: ValueError: bad"),
    "The others",
  ]);
  expect(lines.at(-1)).toMatch(/… and \d+ more/);
});
