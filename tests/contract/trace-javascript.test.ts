import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import javascript from "../../src/instrument/tracers/javascript.ts";
import { traceLineSchema } from "../../src/trace/trace-lines.ts";
import type { TraceCall } from "../../src/trace/trace-model.ts";
import { callText, runTraced, type TracedRun } from "./trace-run.ts";

let run: TracedRun;
const named = (name: string): TraceCall[] => run.calls.filter((call) => call.function.name === name);
const texts = (name: string): string[] => named(name).map(callText);
const childrenOf = (call: TraceCall | undefined): string[] => (call?.children ?? []).map(callText);

describe("a program", () => {
  beforeAll(async () => {
    run = await runTraced({
      tracer: javascript,
      fixture: "javascript",
      specs: ["program.js", "hot.js"].map((path) => ({ path, names: ["*"] })),
      command: ["node", "program.js"],
      limits: { VALUE: 300, DEPTH: 50 },
    });
  });

  test("tells arguments and results, of every kind of function, at the user's own lines", () => {
    expect(run.result.exitCode).toBe(3);
    const ann = "Greeter { shout: [Function: shout], name: 'Ann', rest: [] }";
    expect(texts("Greeter.make")).toEqual([`Greeter.make(name="Ann") -> ${ann}`]);
    expect(childrenOf(named("Greeter.make")[0])).toEqual([
      `Greeter.constructor(name="Ann", rest=[]) -> ${ann}`,
    ]);
    const [greeted] = named("Greeter.greet");
    expect(greeted?.args.slice(1).map(([name]) => name)).toEqual(["who", "hour", "word"]);
    expect(greeted && callText(greeted)).toMatch(
      /^Greeter\.greet\(this=Greeter .*"Bob", hour=7, word="hello"\) -> "hello Bob at 7 from Ann"$/,
    );
    expect(texts("Greeter.shout")).toEqual(['Greeter.shout(text="hey") -> "hey!"']);
    expect(named("Greeter.open").flatMap(childrenOf)).toHaveLength(1);
    expect(texts("Loud.constructor")[0]).toContain(
      "-> Loud { shout: [Function: shout], name: 'LOU', rest: [1, 2] }",
    );
    expect(texts("Old.tell")).toEqual([`Old.tell(this=Old { kind: 'old' }, arguments=[1,2]) -> "old2"`]);
    expect(childrenOf(named("outer")[0])).toEqual(['outer.api.nested.run() -> "number"']);
    expect([named("parse")[0]?.function.line, named("Greeter.greet")[0]?.function.line]).toEqual([50, 18]);
  });

  test("tells every way out: early, thrown, caught on the way, given up, and never", () => {
    expect(texts("early").at(-1)).toBe("early(n=10) -> 99");
    expect(named("Greeter.size")[1]).toMatchObject({
      how: "throw",
      message: "RangeError: no size 3",
      place: "program.js:25",
    });
    expect(named("parse")[0]).toMatchObject({
      how: "throw",
      message: "TypeError: bad zz",
      place: "program.js:51",
    });
    expect(childrenOf(named("cleans")[0])).toEqual([
      'parse(text="zz") ! TypeError: bad zz',
      "early(n=6) -> 99",
      "early(n=1) -> 1",
    ]);
    expect(texts("cleans")[0]).toBe('cleans(text="zz") -> 99');
    expect(named("numbers").map((call) => call.how)).toEqual(["return", "drop", "return"]);
    expect(named("fails")[0]?.message).toBe("Error: late 1");
    expect([named("ends")[0]?.how, named("main")[0]?.how, run.processes[0]?.ended]).toEqual([
      "none",
      "none",
      true,
    ]);
  });

  test("keeps recursion, generators, tasks and threads apart", () => {
    expect(named("fact").map((call) => call.children.length)).toEqual([1, 1, 1, 0]);
    const [both] = named("both");
    expect(childrenOf(both)).toEqual(["slow(n=1) -> 1", "slow(n=2) -> 2"]);
    expect(both?.children.flatMap(childrenOf)).toEqual(["leaf(n=1) -> 1", "leaf(n=2) -> 2"]);
    expect(both?.children.every(({ waited }) => waited > 0)).toBe(true);
    expect(childrenOf(named("fails")[0])).toEqual(['leaf(n="caught") -> "caught"']);
    expect(childrenOf(named("relay")[0])).toEqual(["numbers(most=2) -> undefined"]);
    expect(childrenOf(named("sums")[0])).toEqual([
      "stream() -> undefined",
      "leaf(n=1) -> 1",
      "leaf(n=2) -> 2",
      "leaf(n=3) -> 3",
    ]);
    expect(texts("first")).toEqual(["first(all=[1,2]) -> 2", "first(all=[]) -> undefined"]);
    expect(named("later")[0]?.children.map((call) => [callText(call), call.spawned])).toEqual([
      ['leaf(n="timer") -> "timer"', "task"],
    ]);
    expect(named("threads")[0]?.children.map((call) => [callText(call), call.spawned])).toEqual([
      ["hot(n=5) -> 5", "thread"],
    ]);
  });

  test("shows values without running the program's code, cut between characters", () => {
    expect(texts("looks")).toEqual(["looks() -> 0"]);
    const [simple, objects, odd, large] = texts("values");
    expect(simple).toContain("[undefined, null, NaN, -0, 10n, Symbol(s), 'éé");
    expect(objects).toContain(
      "Map(1) { 'k' => Set(1) { 1 } }, 1970-01-01T00:00:00.000Z, /x/g, [Error: e], Buffer(2) [104, 105], [class Foo]",
    );
    expect(odd).toContain(
      "{ touched: [Getter], plain: 1 }, Proxy {}, { own: 1, me: [Circular] }, { toJSON: [Function: trap]",
    );
    expect(odd).toContain("[Object: null prototype] {}, Greeter {");
    expect(large?.length).toBeLessThan(400);
    const lines = run.texts.flatMap((text) => text.trimEnd().split("\n"));
    expect(lines.filter((line) => !traceLineSchema.safeParse(JSON.parse(line)).success)).toEqual([]);
    expect(lines.join("")).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });

  test("counts what it does not record, and gives each process a file of its own", () => {
    const [first, child] = run.processes;
    const cuts = new Map(first?.cuts.map((cut) => [`${cut.function.name} ${cut.why}`, cut.count]));
    expect((cuts.get("hot sampled") ?? 0) + named("hot").length).toBe(3000 + 1 + 2);
    expect(cuts.get("endless depth")).toBeGreaterThan(100);
    expect(texts("deep")).toEqual(["deep() -> true"]);
    expect(named("endless")[0]?.message).toMatch(/^RangeError: Maximum call stack/);
    expect(new Set(named("endless").map((call) => call.children.length))).toEqual(new Set([1, 0]));
    expect(texts("rare")).toEqual(["rare(n=2999) -> 3000"]);
    expect(child?.ended).toBe(false);
    expect(child?.roots.map(callText)).toEqual(['hot(n="child") -> "child"', 'hot(n="killed") -> "killed"']);
  });

  test("an uncaught error of a module ends its call, its process, and nothing else", async () => {
    const specs = ["late.mjs", "math.js"].map((path) => ({ path, names: ["*"] }));
    const crashed = await runTraced({
      tracer: javascript,
      fixture: "javascript",
      specs,
      command: ["node", "crash.mjs"],
    });
    expect(crashed.result.exitCode).toBe(1);
    expect(crashed.result.stderr.head.toString()).toContain("SyntaxError: bad 3");
    expect(crashed.calls.map(callText)).toEqual([
      'default(text="bad ") ! SyntaxError: bad 3',
      "add(a=1, b=2) -> 3",
    ]);
    expect(crashed.calls[0]?.place).toBe("late.mjs:5");
    expect(crashed.processes[0]?.ended).toBe(true);
  });

  test("names what it leaves out", () => {
    const left = run.plan.functions.filter(({ level }) => level === "none");
    expect(left.map(({ name, line, group }) => [name, line, group])).toContainEqual([
      "slow.(anonymous)",
      83,
      "left-out",
    ]);
    expect(left.every(({ group, reason }) => group === "left-out" && reason?.includes("no name"))).toBe(true);
  });
});

describe("test runners", () => {
  const bin = (name: string): string => join(import.meta.dirname, "..", "..", "node_modules", ".bin", name);
  const trace = async (command: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const specs = ["math.js", "half.mjs", "typed.ts"].map((path) => ({ path, names: ["*"] }));
    run = await runTraced({ tracer: javascript, fixture: "javascript", specs, command, env });
    expect(run.result.exitCode, run.result.stderr.head.toString()).toBe(0);
    return run.calls.map((call) => `${call.test ?? "-"} | ${callText(call)}`);
  };

  test.each(["forks", "vmThreads"])("vitest with %s, TypeScript", async (pool) => {
    const calls = await trace([bin("vitest"), "run", "--globals", `--pool=${pool}`, "typed.test.ts"]);
    expect(calls).toContain(
      'shapes > parses a circle | parseShape(text="c2") -> {"kind":"circle","radius":2}',
    );
    expect(calls).toContain(
      'shapes > refuses what has no size | parseShape(text="cx") ! SyntaxError: no size in cx',
    );
    expect(named("parseShape")[1]?.place).toBe("typed.ts:6");
    expect(texts("walk")).toEqual(['walk(most=2) -> "done"']);
    expect(named("Pet.constructor")[0]?.args.map(([name]) => name)).toEqual(["name", "kind", "more"]);
    expect(childrenOf(named("load")[0])).toContain(
      "Pet.tell(this=Pet { name: 'Rex1', kind: [Object], made: [Map] }) -> \"Rex1 wuff\"",
    );
  });

  test("jest, whose realms are their own", async () => {
    const calls = await trace([bin("jest"), `--config={"testMatch":["**/math.test.js"]}`]);
    expect(calls).toEqual([
      "math adds | add(a=1, b=2) -> 3",
      "math adds later | addLater(a=3, b=4) -> 7",
      "math adds later | add(a=3, b=4) -> 7",
    ]);
  });

  test("jest with modules, where the project's own NODE_OPTIONS take the place of ours", async () => {
    const config = { testMatch: ["**/math.jest.mjs"], moduleFileExtensions: ["mjs", "js"] };
    const calls = await trace([bin("jest"), `--config=${JSON.stringify(config)}`], {
      NODE_OPTIONS: "--experimental-vm-modules",
    });
    expect(calls).toEqual(["a module adds | add(a=9, b=9) -> 18", "a module adds | half(n=18) -> 9"]);
  });

  test("mocha", async () => {
    const calls = await trace([bin("mocha"), "math.test.js"]);
    expect(calls[0]).toBe("math adds | add(a=1, b=2) -> 3");
    expect(calls[1]).toMatch(/^math adds later \| addLater\(.*\) -> 7$/);
  });

  test("node:test", async () => {
    const calls = await trace(["node", "--test", "math.node.test.mjs"]);
    expect(calls.map((call) => call.split(" | ")[0])).toEqual([
      "outer",
      "outer > inner",
      "outer > inner",
      "group > adds",
    ]);
    expect(run.result.stdout.head.toString()).toMatch(/tests 3/);
  });
});

test("a type checker sees the same types, and where it does not, one function records less", async () => {
  const tsc = join(import.meta.dirname, "..", "..", "node_modules", "typescript", "bin", "tsc");
  const strict = [
    "--strict",
    "--noUncheckedIndexedAccess",
    "--noImplicitReturns",
    "--allowUnreachableCode",
    "false",
  ];
  run = await runTraced({
    tracer: javascript,
    fixture: "javascript",
    specs: ["typed.ts", "crush.ts"].map((path) => ({ path, names: ["*"] })),
    command: [
      "node",
      tsc,
      ...strict,
      "--skipLibCheck",
      "--lib",
      "es2022",
      "--target",
      "es2022",
      "--noEmit",
      "typed.ts",
      "crush.ts",
    ],
  });
  expect(run.result.exitCode, run.result.stdout.head.toString()).toBe(0);
  expect(run.healed).toBe(1);
  const weak = run.plan.functions.filter(({ level, group }) => level !== "values" && group === "function");
  expect(weak.map(({ name, level }) => [name, level])).toEqual([["crush.reducer", "calls"]]);
});
