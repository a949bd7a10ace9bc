import { describe, expect, test } from "vitest";
import { madeCall, madeProcess } from "../../../tests/trace-calls.ts";
import { findFailures } from "../failure-path.ts";
import type { TraceProcess } from "../trace-model.ts";
import { renderCall, renderValue } from "./call.ts";
import { renderFailures, renderProcess } from "./tree.ts";

const limits = { depth: 10, breadth: 20, value: 60 };

const failuresOf = (processes: readonly TraceProcess[], wide: typeof limits): string[] =>
  renderFailures(findFailures(processes), wide);

const inRust = { function: { name: "f", path: "src/lib.rs", line: 1 } };

describe("a value on one line", () => {
  test("is data, the language's own text, or a type's name", () => {
    expect(renderValue(inRust, { j: { a: [1, "x"] } })).toBe('{"a":[1,"x"]}');
    expect(renderValue(inRust, { d: "Point {\n  x: 1 }" })).toBe("Point { x: 1 }");
    expect(renderValue(inRust, { t: "Opaque<'_>" })).toBe("<Opaque<'_>>");
  });

  test("is cut between characters, and says how long it was", () => {
    const value = { j: `a${"é".repeat(300)}` };
    expect(renderValue(inRust, value, 5)).toBe('"aééé… (303 characters)');
    expect(renderValue(inRust, { d: "short", cut: 9000 })).toBe("short… (9000 characters)");
    expect(renderValue(inRust, { j: "😀😀😀😀" }, 3)).toBe('"😀😀… (6 characters)');
  });
});

test("the ways out of a call", () => {
  const args = [["n", { j: 1 }]] as const;
  expect(renderCall(madeCall("f", { args, value: { j: 2 } }))).toBe("f(n = 1) → 2");
  expect(renderCall(madeCall("f", { hasArgs: false }))).toBe("f(…)");
  expect(renderCall(madeCall("f", { how: "error", value: { d: "Err(1)" } }))).toBe("f() → error Err(1)");
  expect(renderCall(madeCall("f", { how: "throw", message: "boom", place: "a.rs:3" }))).toBe(
    "f() threw: boom at a.rs:3",
  );
  expect(renderCall(madeCall("f", { how: "none", end: undefined }))).toBe("f() did not return");
  expect(renderCall(madeCall("f", { how: "drop" }))).toContain("dropped");
});

describe("the tree", () => {
  test("tells repeated calls once with their count, pairs of calls too", () => {
    const many = Array.from({ length: 40 }, (_, n) => [
      madeCall("read", { args: [["n", { j: n }]] }),
      madeCall("check"),
    ]).flat();
    const lines = renderProcess(madeProcess([madeCall("main", { children: many })]), [], limits);
    expect(lines.join("\n")).toContain("the 2 calls above, 39 times more");
    expect(lines.length).toBeLessThan(8);
    expect(lines.join("\n")).toContain("n = 0");
  });

  test("a call that ends otherwise is not folded away", () => {
    const children = [
      madeCall("f"),
      madeCall("f"),
      madeCall("f", { how: "throw", message: "boom" }),
      madeCall("f"),
    ];
    const text = renderProcess(madeProcess([madeCall("main", { children })]), [], limits).join("\n");
    expect(text).toContain("threw: boom");
    expect(text.match(/f\(\)/g)).toHaveLength(4);
  });

  test("what is left out is counted, with the handle to ask for it", () => {
    const deep = madeCall("a", { children: [madeCall("b", { children: [madeCall("c")] })] });
    const narrow = renderProcess(madeProcess([deep]), [], { ...limits, depth: 1 });
    expect(narrow.at(-1)?.trim()).toBe(`… 2 calls below #${deep.handle}`);
    const cuts = [{ function: deep.function, why: "sampled", count: 12 }] as const;
    expect(renderProcess(madeProcess([], { cuts }), [], limits).join("\n")).toContain(
      "not recorded: 12 calls of a (called very often)",
    );
    expect(renderProcess(madeProcess([], { cuts, ended: false }), [], limits).join("\n")).toContain(
      "not recorded: at least 12 calls of a",
    );
  });

  test("tests and threads are named, and who started a process", () => {
    const spawned = madeCall("leaf", { thread: 2, spawned: "thread" });
    const root = madeCall("threads", { test: "tests::spawns", children: [spawned] });
    const threads = new Map([[2, "worker-1"]]);
    const child = madeProcess([root], { number: 2, parentPid: 100, threads });
    const text = renderProcess(child, [madeProcess([])], limits).join("\n");
    expect(text).toContain("started by process 1");
    expect(text).toContain("test tests::spawns");
    expect(text).toContain("⇢ thread worker-1: leaf()");
  });
});

describe("the path to a failure", () => {
  test("of a deep recursion the middle is counted", () => {
    let call = madeCall("deep0", { how: "throw", message: "too deep" });
    for (let n = 1; n < 100; n += 1) call = madeCall(`deep${n}`, { how: "throw", children: [call] });
    const lines = failuresOf([madeProcess([call])], limits);
    expect(lines).toHaveLength(1 + 10 + 1 + 14);
    expect(lines[11]?.trim()).toBe("… 76 calls between");
    expect(lines.at(-1)).toContain("deep0() threw: too deep");
  });

  test("goes from the entry to where it began, and comes before those that somebody handled", () => {
    const boom = (): ReturnType<typeof madeCall> => madeCall("inner", { how: "throw", message: "boom" });
    const handled = madeCall("try_it", { children: [boom()] });
    const lost = madeCall("run", {
      how: "throw",
      children: [madeCall("fine"), madeCall("parse", { how: "throw", children: [boom()] })],
    });
    const lines = failuresOf([madeProcess([lost, handled])], limits);
    expect(lines[0]).toBe("Path to the failure:");
    expect(lines.slice(1, 4).map((line) => line.trim().split("(")[0])).toEqual(["run", "parse", "inner"]);
    expect(failuresOf([madeProcess([handled])], limits)[0]).toContain("handled by a caller");
    const expected = renderFailures(findFailures([madeProcess([lost])]), limits, { succeeded: true });
    expect(expected[0]).toBe("Failed, but the command ended with exit code 0:");
    expect(failuresOf([madeProcess([madeCall("fine")])], limits)).toEqual([]);
  });

  test("begins with what a failed test called, and tells which that is", () => {
    const expected = madeCall("refuse", { how: "throw", test: "t::passes", end: 99 });
    const wrong = madeCall("parse", {
      test: "t::fails",
      children: [madeCall("inner", { how: "throw", test: "t::fails" })],
    });
    const failed = new Set(["t::fails"]);
    const processes = [madeProcess([expected, wrong])];
    const lines = renderFailures(findFailures(processes, failed), limits, { failedTests: true });
    expect(lines[0]).toBe("Path to the failure of test t::fails (handled by a caller):");
    expect(lines[3]).toBe("Also failed, but in no failing test:");
    const tree = renderProcess(processes[0] ?? madeProcess([]), processes, limits, failed);
    expect(tree[1]?.trim()).toBe("test t::fails (failed)");
  });

  test("a call that never returned is worse than one that threw", () => {
    const dead = madeCall("main", { how: "none", children: [madeCall("abort", { how: "none" })] });
    const lines = failuresOf([madeProcess([madeCall("f", { how: "throw" }), dead])], limits);
    expect(lines[2]).toContain("abort() did not return");
  });
});
