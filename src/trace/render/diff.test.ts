import { describe, expect, test } from "vitest";
import { madeCall, madeProcess } from "../../../tests/trace-calls.ts";
import { alignKeys } from "../align-keys.ts";
import { diffTraces } from "../diff-traces.ts";
import type { TraceCall } from "../trace-model.ts";
import { renderDivergences } from "./diff.ts";

const number = (name: string, n: number, result: number, children: readonly TraceCall[] = []): TraceCall =>
  madeCall(name, { args: [["n", { j: n }]], value: { j: result }, children });
const diff = (a: readonly TraceCall[], b: readonly TraceCall[]) =>
  diffTraces([madeProcess(a)], [madeProcess(b)], 10);

describe("where two traces part", () => {
  test("equal runs do not, whatever their addresses, lines and times", () => {
    const at = (address: string, line: number): TraceCall =>
      madeCall("f", {
        function: { name: "f", path: "a.rs", line },
        start: line,
        value: { d: `Ptr(${address})` },
      });
    expect(diff([at("0x7f001122", 3)], [at("0x7fffee00", 9)])).toEqual([]);
    expect(renderDivergences([])).toContain("same calls");
  });

  test("the innermost call whose result differs comes before its callers", () => {
    const [first, ...rest] = diff(
      [number("outer", 1, 4, [number("inner", 1, 2)])],
      [number("outer", 1, 5, [number("inner", 1, 3)])],
    );
    expect(first).toMatchObject({ kind: "result", path: ["outer"], first: { function: { name: "inner" } } });
    expect(rest).toMatchObject([{ kind: "result", path: [] }]);
    expect(renderDivergences(first === undefined ? [] : [first])).toContain("inner(n = 1) ends differently");
  });

  test("an argument that differs comes before what it leads to", () => {
    const found = diff([number("f", 1, 2)], [number("f", 7, 8)]);
    expect(found.map(({ kind }) => kind)).toEqual(["arguments", "result"]);
    expect(found[0]?.parameters).toEqual(["n"]);
    expect(renderDivergences(found)).toMatch(/first: {2}n = 1\n.*second: n = 7/);
  });

  test("calls that one run alone makes are named, and the rest stays paired", () => {
    const list = (...names: string[]): TraceCall[] => [
      madeCall("main", { children: names.map((name) => madeCall(name)) }),
    ];
    const found = diff(list("open", "check", "read", "close"), list("open", "read", "retry", "close"));
    expect(found).toMatchObject([
      { kind: "missing", first: { function: { name: "check" } } },
      { kind: "added", second: { function: { name: "retry" } } },
    ]);
    expect(renderDivergences(found)).toContain("only in the second: retry()");
  });

  test("tests are compared by name, wherever they ran", () => {
    const of = (test: string, n: number): TraceCall => ({ ...number("f", n, n), test });
    expect(diff([of("a", 1), of("b", 2)], [of("b", 2), of("a", 1)])).toEqual([]);
  });

  test("long lists are paired too", () => {
    const names = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n));
    const pairs = alignKeys(names(5000), names(5000).slice(1), (item) => item);
    expect(pairs.filter(([a, b]) => a === undefined || b === undefined)).toEqual([["0", undefined]]);
    const far = alignKeys(["x", ...names(3000), "y"], ["z", ...names(3000), "w"], (item) => item);
    expect(far.filter(([a, b]) => a !== undefined && a === b)).toHaveLength(3000);
  });
});
