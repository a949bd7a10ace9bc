import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import rust from "../../src/instrument/tracers/rust.ts";
import { traceLineSchema } from "../../src/trace/trace-lines.ts";
import type { TraceCall } from "../../src/trace/trace-model.ts";
import { callText, runTraced, type TracedRun } from "./trace-run.ts";

const hasCargo = spawnSync("cargo", ["--version"]).status === 0;

describe.skipIf(!hasCargo)("Rust", () => {
  let run: TracedRun;
  const named = (name: string): TraceCall[] => run.calls.filter((call) => call.function.name === name);
  const texts = (name: string): string[] => named(name).map(callText);
  const childrenOf = (call: TraceCall | undefined): string[] => (call?.children ?? []).map(callText);

  beforeAll(async () => {
    const programs = ["app/src/main.rs", "app/src/bin/other.rs", "app/examples/waiting.rs"];
    const paths = ["app/src/lib.rs", ...programs, "app/tests/calls.rs", "old/src/lib.rs"];
    run = await runTraced({
      tracer: rust,
      fixture: "rust",
      specs: paths.map((path) => ({ path, names: ["*"] })),
      command: ["cargo", "test", "--workspace", "--offline", "--locked"],
      limits: { VALUE: 400 },
    });
  }, 300_000);

  test("builds strict crates of every edition, and weakens only what the compiler refuses", () => {
    expect(run.result.exitCode, run.result.stderr.head.toString()).toBe(0);
    const weak = run.plan.functions.filter(({ group, level }) => group !== "left-out" && level !== "values");
    expect(weak.map(({ name, level }) => [name, level])).toEqual([["too_narrow", "calls"]]);
    expect(weak[0]?.reason).toMatch(/^error\[E0521\]: borrowed data escapes/);
    expect(texts("too_narrow")).toEqual(["too_narrow() -> return"]);
    expect(run.healed).toBeLessThan(4);
    for (const line of run.texts.join("\n").split("\n"))
      if (line !== "") expect(traceLineSchema.safeParse(JSON.parse(line)).error, line).toBeUndefined();
  });

  test("tells every way out of a call: a value, an early return, a failing ?, a panic", () => {
    const ways = named("ways_out")[0];
    expect(childrenOf(ways).slice(0, 3)).toEqual([
      'parse(text="zz") ! error',
      'parse(text="4") -> Ok(5)',
      'infer(text="x") ! error',
    ]);
    expect(named("parse")[0]?.value).toEqual({ d: 'Err("invalid digit found in string")' });
    expect(named("infer").map(({ how }) => how)).toEqual(["error", "error", "return"]);
    expect(texts("early")).toEqual(["early(n=10) -> 99", "early(n=1) -> 1"]);
    expect(childrenOf(named("early")[1])).toEqual(["leaf(n=1) -> 1"]);
    expect(named("boom")[0]).toMatchObject({
      how: "throw",
      message: "seven is 7",
      place: "app/src/lib.rs:33",
    });
    expect(texts("mid")).toEqual(["mid(n=7) ! seven is 7", "mid(n=1) -> 1"]);
    expect(texts("first")).toEqual(['first(of=b"") ! error']);
    expect(named("ways_out")[0]?.children.map((call) => call.function.name)).toContain("fact");
    expect(run.calls.filter(({ function: { name } }) => name === "fact").map(callText)).toEqual([
      "fact(n=4) -> 24",
      "fact(n=3) -> 6",
      "fact(n=2) -> 2",
      "fact(n=1) -> 1",
    ]);
  });

  test("shows values: serde's as data, else as Debug, of fields, or by type, and never traces or breaks what shows them", () => {
    expect(texts("values")).toEqual([
      'values(shown=Shown { name: "n" }, silent=Silent { inner: 2 }, data={"x":1,"list":[1,2,3]}, map={1: Some(\'é\')}) ! error',
    ]);
    expect(texts("generic")).toEqual([
      "generic(value=Silent { inner: 1 }) -> Silent { inner: 1 }",
      "generic(value=1) -> 1",
    ]);
    expect(texts("bounded")).toEqual(['bounded(value="text") -> 6']);
    expect(texts("hidden")).toEqual(["hidden(upto=3) -> <impl Iterator<Item = u32>>"]);
    expect(texts("pattern")).toEqual(['pattern(x=1, y=2, first=3, name="four") -> 10']);
    expect(texts("Loud::louder")).toEqual(["Loud::louder(self=Loud(1), by=2) -> Loud(3)"]);
    // Of the two that are dropped one panics when it is shown.
    expect(texts("<Loud as Drop>::drop").toSorted()).toEqual([
      "<Loud as Drop>::drop(self=<app::Loud>) -> return",
      "<Loud as Drop>::drop(self=Loud(3)) -> return",
    ]);
    expect(texts("shown")).toEqual(["shown(n=0) -> 0", "shown(n=0) -> 0"]);
    expect(texts("raw")[0]).toMatch(/^raw\(at=0x[0-9a-f]+\) -> 5$/);
    expect(texts("chosen")).toEqual(["chosen() -> 1"]);
    expect(texts("lines")).toEqual(["lines() -> (98, 98)"]);
    expect(texts("by_macro_out").slice(0, 2)).toEqual([
      "by_macro_out(n=3) -> Ok(3)",
      "by_macro_out(n=9) ! error",
    ]);
    expect(named("by_macro_out")[1]?.value).toEqual({ d: "Err(9)" });
    expect(texts("Stack::push")).toEqual([
      "Stack::push(self=Stack { items: [] }, n=4) -> 1; self=Stack { items: [4] }",
      "Stack::push(self=Stack { items: [4] }, n=5) -> 2; self=Stack { items: [4, 5] }",
    ]);
    expect(named("Stack::at").map(({ value }) => value)).toEqual([{ d: "Ok(4)" }, { d: "Err(9)" }]);
    expect(texts("Stack::size")).toEqual(["Stack::size(self=Stack { items: [4] }) -> 1"]);
    expect(texts("Stack::fill")[0]).toMatch(/-> return; self=Stack \{ items: \[4, 5\] \}$/);
    expect(texts("quiet")).toEqual(["quiet(of=Quiet { secret: 7 }) -> 7"]);
    expect(texts("listed")).toEqual(["listed(all=[Silent { inner: 3 }]) -> 1"]);
    const sevens = Array(32).fill(7).join(", ");
    expect(texts("numbers")).toEqual([
      `numbers(all=[${sevens}, … 8 more], bytes=b"${"a".repeat(64)}"… (70 bytes)) -> 110`,
    ]);
    const long = named("long")[0]?.args[0]?.[1];
    expect(long?.cut).toBe(903);
    expect(long !== undefined && "j" in long ? long.j : long).toMatch(/^aé{300,400}$/);
  });

  test("never takes a lock of the program, nor waits for one, to show a value", () => {
    const shown = (name: string): Set<string> =>
      new Set(texts(name).map((text) => text.replaceAll(/std::(?:\w+::)*Mutex/g, "Mutex")));
    expect(shown("looked_at")).toEqual(
      new Set(['looked_at(gate=Gate { free: Mutex<()>, name: "free" }) -> 4']),
    );
    const vault = "Vault { sum: Mutex<u32> }";
    expect(shown("Vault::told")).toEqual(new Set([`Vault::told(self=${vault}, sum=7) -> 7`]));
    expect(shown("Vault::told_as")).toEqual(
      new Set([`Vault::told_as(self=${vault}, _of=<dyn core::fmt::Debug>) -> ${vault}`]),
    );
    expect(shown("Vault::told_in")).toEqual(
      new Set([`Vault::told_in(self=${vault}, of=Some(${vault})) -> 0`]),
    );
    expect(shown("handed_on")).toEqual(new Set([`handed_on(value=${vault}) -> ${vault}`]));
    expect(shown("formatted")).toEqual(new Set(["formatted(_what=Mutex) -> return"]));
  });

  test("names methods, defaults, nested functions, and leaves out what cannot be recorded with a reason", () => {
    expect(named("Shape::twice").map((call) => [callText(call), call.on])).toEqual([
      ["Shape::twice(self=Square(3)) -> 18", "old::Square"],
    ]);
    expect(childrenOf(named("down")[0])).toEqual(["inner::deep(x=1) -> 2"]);
    expect(childrenOf(named("inner::deep")[0])).toEqual(["inner::deep::nested(y=1) -> 2"]);
    expect(named("inner::deep")[0]?.function.line).toBe(36);
    const left = run.plan.functions.filter(({ group }) => group === "left-out");
    const reasons = new Map(left.map(({ name, reason }) => [name, reason]));
    expect(reasons.get("fixed")).toMatch(/const fn/);
    expect(reasons.get("made_too")).toMatch(/macro/);
    expect(reasons.get("of_macro::{closure}")).toMatch(/closure/);
  });

  test("knows the test, thread, task and process of a call, and which did not end", () => {
    const tests = new Set(named("leaf").map((call) => call.test));
    expect([...tests].toSorted()).toEqual(["interleaves", "spawns", "ways_out", undefined]);
    expect(childrenOf(named("threads")[0])).toEqual(["leaf(n=10) -> 10"]);
    const hot = named("hot")[0];
    expect(hot?.children.length).toBeGreaterThan(256);
    expect(hot?.children.length).toBeLessThan(1500);
    const counts = run.processes.flatMap(({ cuts }) => cuts.filter((cut) => cut.function.name === "often"));
    expect(named("often").length + counts.reduce((sum, { count }) => sum + count, 0)).toBe(1_000_000);
    expect(named("often").length).toBeGreaterThan(256);
    expect(named("often").length).toBeLessThan(5000);
    const [one, two, three] = named("waits");
    expect([one, two, three].map((call) => call && callText(call))).toEqual([
      "waits(n=5) ! drop",
      "waits(n=1) -> Ok(1)",
      "waits(n=3) ! error",
    ]);
    expect(childrenOf(two)).toContain("inner_wait(n=1) -> Ok(1)");
    expect(childrenOf(three)).toContain("inner_wait(n=3) -> Ok(3)");
    expect(new Set([one, two, three].map((call) => call?.task)).size).toBe(3);
    expect(two?.waited).toBeGreaterThan(0);
    expect(texts("act")).toEqual(['act(word="abort") ! none', 'act(word="exit") ! none']);
    expect(childrenOf(named("act")[0])).toEqual(["leaf(n=1) -> 1", "leaf(n=2) -> 2"]);
    expect(childrenOf(named("act")[1])).toEqual(["diverge() ! none"]);
    // One line, an example that an attribute makes a program of, another program of the package: nothing is put before main.
    expect(texts("main")).toEqual(["main() ! none", "main() ! none", "main() -> return", "main() -> Ok(())"]);
    expect(named("main").map(({ hasArgs }) => hasArgs)).toEqual([true, true, true, true]);
    expect(named("too_narrow")[0]?.hasArgs).toBe(false);
    expect(childrenOf(named("main")[2])).toEqual(["waits(n=1) -> Ok(1)"]);
    expect(run.processes.map(({ ended }) => ended).filter((ended) => !ended)).toHaveLength(1);
  });
});

const hasClippy = spawnSync("clippy-driver", ["--version"]).status === 0;

test.skipIf(!hasClippy)("the runtime asks for nothing that came after Rust 1.56", () => {
  const runtime = join(import.meta.dirname, "../../src/languages/runtime/rust-trace");
  const folder = mkdtempSync(join(tmpdir(), "rust-runtime-"));
  try {
    writeFileSync(join(folder, "clippy.toml"), 'msrv = "1.56.0"\n');
    const judge = (name: string, ...words: string[]): string => {
      const flags = ["--edition", "2018", "--crate-type", "rlib", "--emit", "metadata", "--out-dir", folder];
      const lints = ["-A", "clippy::all", "-D", "clippy::incompatible_msrv"];
      const env = { ...process.env, CLIPPY_CONF_DIR: folder };
      const ran = spawnSync("clippy-driver", ["--crate-name", name, ...flags, ...lints, ...words], { env });
      return `${ran.status}${ran.stderr.toString()}`;
    };
    expect(judge("millwright_trace_rt", join(runtime, "lib.rs"))).toBe("0");
    const library = `millwright_trace_rt=${join(folder, "libmillwright_trace_rt.rmeta")}`;
    expect(judge("millwright_trace", "--extern", library, join(runtime, "front/front.rs"))).toBe("0");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
