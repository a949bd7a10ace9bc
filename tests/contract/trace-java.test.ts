import { beforeAll, describe, expect, test } from "vitest";
import { runProcess } from "../../src/base/process.ts";
import java from "../../src/instrument/tracers/java.ts";
import { traceLineSchema } from "../../src/trace/trace-lines.ts";
import type { TraceCall } from "../../src/trace/trace-model.ts";
import { callText, runTraced, type TracedRun } from "./trace-run.ts";

const compiler = "javac -J-XX:TieredStopAtLevel=1 -encoding UTF-8";

const { exitCode } = await runProcess(["javac", "-version"], { timeoutMs: 60_000 });

describe.skipIf(exitCode !== 0)("Java", () => {
  let run: TracedRun;
  const named = (name: string): TraceCall[] => run.calls.filter((call) => call.function.name === name);
  const texts = (name: string): string[] => named(name).map(callText);
  const childrenOf = (call: TraceCall | undefined): string[] => (call?.children ?? []).map(callText);

  beforeAll(async () => {
    const types = ["Main", "shapes/Nasty", "shapes/Point", "shapes/Values", "old/Old", "module/inner/Closed"];
    run = await runTraced({
      tracer: java,
      fixture: "java",
      specs: types.map((type) => ({ path: `${type}.java`, names: ["*"] })),
      // Warnings are errors; a program that ends itself within a call; the oldest version of the language; a module without exports.
      command: [
        "sh",
        "-c",
        `${compiler} -Xlint:all -Werror -d out Main.java shapes/*.java && { java -cp out Main; [ $? = 3 ]; } &&
        ${compiler} -nowarn --release 8 -d old/out old/Old.java && java -cp old/out Old a &&
        ${compiler} -d m module/module-info.java module/inner/*.java && java -p m -m traced.inner/inner.Closed`,
      ],
      env: { LC_ALL: "C" },
    });
  }, 180_000);

  test("tells arguments and results, of every kind of function", () => {
    expect(run.result.exitCode, run.result.stderr.head.toString()).toBe(0);
    const ann = 'Point{x=1, name="ééé", next=null, touched=0}';
    const moved = 'Point{x=4, name="none", next=<the same Point>, touched=0}';
    expect(texts("Point.new(int,String)")[0]).toBe(`Point.new(int,String)(x=1, name="ééé") -> ${ann}`);
    expect(texts("Point.move")).toEqual([`Point.move(this=${ann}, dx=2, more=[3]) -> ${moved}`]);
    expect(texts("Point.<static>")).toEqual(["Point.<static>() -> return"]);
    expect(texts("Nasty.Range.new(int,int)")).toEqual([
      "Nasty.Range.new(int,int)(low=0, high=4) -> return",
      "Nasty.Range.new(int,int)(low=2, high=1) ! IllegalArgumentException: empty",
    ]);
    expect(texts("Nasty.Range.new(int)")).toEqual([
      "Nasty.Range.new(int)(high=4) -> Nasty.Range{low=0, high=4}",
    ]);
    expect(texts("Nasty.Shape.help")[0]).toBe('Nasty.Shape.help(this=<lambda>) -> "of 1.0"');
    expect(texts("Nasty.call.Callable{}.call")).toEqual(["Nasty.call.Callable{}.call(this=Nasty$1{}) -> 7"]);
    expect(texts("Nasty.Op.MINUS.applyAsInt")).toEqual([
      "Nasty.Op.MINUS.applyAsInt(this=Nasty.Op.MINUS, l=3, r=1) -> 2",
    ]);
    expect(
      ["narrow", "letter", "boxed", "old", "assigned"].flatMap((name) => texts(`Nasty.${name}`)),
    ).toEqual([
      "Nasty.narrow() -> 1",
      'Nasty.letter(yes=false) -> "b"',
      "Nasty.boxed(yes=false) -> null",
      'Nasty.old(n=0) -> "zero"',
      'Nasty.old(n=1) -> "one"',
      'Nasty.old(n=2) -> "many"',
      "Nasty.assigned(n=1) -> true",
    ]);
    expect(named("Nasty.forever").map(({ after }) => after)).toEqual([[["left", { j: [-1] }]]]);
    // Lines and callers are what they were.
    expect(texts("Main.where")).toEqual([`Main.where() -> ${named("Main.where")[0]?.function.line}`]);
    expect(texts("Main.caller")).toEqual(['Main.caller() -> "main"']);
  });

  test("tells every way out: early, thrown, caught on the way, overruled, and never", () => {
    expect(texts("Main.parse")).toEqual([
      'Main.parse(text="2") -> 2',
      'Main.parse(text="10") -> 99',
      'Main.parse(text="zz") ! ParseException: no number: zz',
      'Main.parse(text="2") -> 2',
      'Main.parse(text="zz") ! ParseException: no number: zz',
    ]);
    expect(named("Main.parse")[2]).toMatchObject({ how: "throw", place: "Main.java:21" });
    expect(texts("Main.cleans")).toEqual(['Main.cleans(text="2") -> 22', 'Main.cleans(text="zz") -> -1']);
    expect(childrenOf(named("Main.cleans")[0])).toEqual(['Main.parse(text="2") -> 2', "Main.leaf(n=2) -> 2"]);
    expect(texts("Nasty.sneaky")).toEqual(['Nasty.sneaky(e=IOException{"sneaked"}) ! IOException: sneaked']);
    expect([...named("Main.leave"), ...named("Main.main")].map(({ how }) => how)).toEqual(["none", "none"]);
    expect(run.processes.map(({ label, ended }) => [label, ended])).toEqual([
      ["Main", true],
      ["Old", false],
      ["inner.Closed", true],
    ]);
  });

  test("links recursion and threads; what a pool does later is no one's child", () => {
    expect(named("Main.fact").map((call) => call.children.length)).toEqual([1, 1, 1, 0]);
    expect(named("Main.threads")[0]?.children.map((call) => [callText(call), call.spawned])).toEqual([
      ["Main.leaf(n=10) -> 10", "thread"],
      ["Main.first(pool=<ThreadPoolExecutor>) -> return", undefined],
      ["Main.second(pool=<ThreadPoolExecutor>) -> return", undefined],
    ]);
    expect(childrenOf(named("Main.first")[0])).toEqual(["Main.leaf(n=11) -> 11"]);
    expect(run.processes[0]?.roots.map(callText)).toContain("Main.leaf(n=12) -> 12");
    expect([...(run.processes[0]?.threads.values() ?? [])]).toEqual([
      "main",
      "w1",
      "pool-1-thread-1",
      "pool-1-thread-1",
    ]);
  });

  test("shows values without running the program's code, cut between characters", () => {
    expect(texts("Values.numbers")).toEqual([
      'Values.numbers(yes=true, b=1, c="c", s=2, big=9223372036854775807, f=1.5, nan=NaN) -> 1',
    ]);
    const point = 'Point{x=1, name="ééé", next=null, touched=0}';
    expect(texts("Values.objects")).toEqual([
      `Values.objects(all=[null, "t\\"", Values.Color.RED, Values.Pair{left=1, right=Values.Color.GREEN}, ${point}], ` +
        `map={"a"=[1, 2], "p"=${point}}, set=Set["one"], function=<lambda>) -> 5`,
    ]);
    const shown = named("Values.show").map((call) => callText(call).replace(/^.* -> /, ""));
    expect(shown.slice(0, 12)).toEqual([
      "1.50",
      "/tmp",
      "PT1M30S",
      `Optional(${point})`,
      '["top"]',
      "[5]",
      '["in"]',
      'StringBuilder("sb")',
      "String.class",
      'Values.Failure{"it failed", code=7}',
      "Values.Lazy{asked=0}",
      "[[1],[2,3]]",
    ]);
    expect(shown.slice(13)).toEqual([
      "HashSet['q']",
      "{}",
      "[<Object>, <Thread>]",
      "{Values.Color.GREEN=1}",
      '"\ufffd alone"',
      "<Object>",
    ]);
    expect(named("Values.show")[12]?.value).toMatchObject({ j: "x".repeat(1000), cut: 5001 });
    expect(texts("Closed.same")).toEqual([
      'Closed.same(this=Closed{hidden="seen", count=4}) -> Closed{hidden="seen", count=4}',
    ]);
    const lines = run.texts.flatMap((text) => text.trimEnd().split("\n"));
    expect(lines.filter((line) => !traceLineSchema.safeParse(JSON.parse(line)).success)).toEqual([]);
  });

  test("leaves out what cannot be recorded, with the reason, and heals what does not compile", () => {
    const weak = run.plan.functions.filter(({ level }) => level !== "values");
    const reasons = weak.map(({ name, level, reason }) => `${name} ${level}: ${reason}`);
    expect(reasons).toContain("Nasty.pick none: it has no body");
    expect(reasons).toContain("Nasty.outside none: it is native");
    expect(reasons).toContain("Main.threads.(lambda) none: a lambda");
    expect(weak.filter(({ group }) => group !== "left-out").map(({ name, level }) => [name, level])).toEqual([
      ["Nasty.shadows", "calls"],
    ]);
    expect(reasons.join("\n")).toMatch(/Nasty\.shadows calls: incompatible types/);
    expect([run.healed, texts("Nasty.shadows")[0]]).toEqual([1, "Nasty.shadows() -> return"]);
  });

  test("counts what it does not record, and records what fails even then", () => {
    const cuts = new Map(run.processes[0]?.cuts.map((cut) => [`${cut.function.name} ${cut.why}`, cut.count]));
    const late = "Main.hot() ! IllegalStateException: hot 2950";
    expect(texts("Main.hot").at(-1)).toBe("Main.hot(n=2999) -> 2999");
    expect(texts("Main.hot")).toContain(late);
    expect((cuts.get("Main.hot sampled") ?? 0) + named("Main.hot").length).toBe(3000);
    expect(cuts.get("Main.endless depth") ?? cuts.get("Main.endless sampled")).toBeGreaterThan(100);
    expect(named("Main.endless")[0]?.message).toBe("StackOverflowError");
  });
});
