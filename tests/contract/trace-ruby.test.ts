import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import ruby from "../../src/instrument/tracers/ruby.ts";
import { traceLineSchema } from "../../src/trace/trace-lines.ts";
import type { TraceCall } from "../../src/trace/trace-model.ts";
import { callText, runTraced, type TracedProgram, type TracedRun } from "./trace-run.ts";

const version = spawnSync("ruby", ["-e", "print RUBY_VERSION"]).stdout?.toString() ?? "";
const isTraceable = Number.parseFloat(version) >= 2.7;
const hasMinitest = spawnSync("ruby", ["-e", 'require "minitest"']).status === 0;

const traceRuby = (program: Omit<TracedProgram, "tracer" | "fixture">): Promise<TracedRun> =>
  runTraced({ tracer: ruby, fixture: "ruby", ...program });

describe.skipIf(!isTraceable)("Ruby's tracer (needs Ruby 2.7 or later)", () => {
  let run: TracedRun;
  const named = (name: string): TraceCall[] => run.calls.filter((call) => call.function.name === name);
  const texts = (name: string): string[] => named(name).map(callText);

  beforeAll(async () => {
    run = await traceRuby({
      specs: [{ path: "lib/shapes.rb", names: ["*"] }],
      command: ["ruby", "lib/shapes.rb"],
    });
  });

  test("records arguments and results of every kind of method", () => {
    expect(run.result.exitCode).toBe(3);
    expect(texts("Outer::Greeter.initialize")[0]).toBe(
      'Outer::Greeter.initialize(self=#<Outer::Greeter>, name="ann", rest=[1,2], loud=true, more={:key => "k"}) -> {:key => "k"}',
    );
    const ann = '#<Outer::Greeter @name="ann", @point=#<Point x=1, tags=["ann"]>, @more={:key => "k"}>';
    expect(texts("Outer::Greeter.make")).toEqual([
      `Outer::Greeter.make(self=Outer::Greeter, name="ann") -> ${ann}`,
    ]);
    expect(texts("Outer::Greeter.shout")).toEqual([`Outer::Greeter.shout(self=${ann}) -> "ANN"`]);
    expect(named("fact").map((call) => call.children.length)).toEqual([0, 1, 1, 1, 0, 0]);
    expect(named("parse")[0]?.function.line).toBe(42);
  });

  test("tells an exception that leaves a method from one that it catches", () => {
    expect(texts("parse")).toEqual(['parse(text="5") -> 5', 'parse(text="zz") -> -1']);
    expect(texts("gives_nothing")).toEqual(['gives_nothing(text="zz") -> null']);
    expect(texts("short_caught")).toEqual(['short_caught(text="x") -> null']);
    expect(texts("short")).toEqual(['short(text="x") ! ArgumentError: invalid value for Integer(): "x"']);
    expect(named("cleans_up")[0]).toMatchObject({ how: "throw", place: "lib/shapes.rb:49" });
    expect(named("inner")[1]).toMatchObject({ how: "throw", place: "lib/shapes.rb:49" });
    expect(texts("too_deep")).toEqual(['too_deep() -> "too deep"']);
    expect(named("endless")[0]?.message).toMatch(/^SystemStackError/);
  });

  test("shows values without running the program's code, within bounds", () => {
    const [nothing, plain, objects, long] = texts("values");
    expect(nothing).toBe("values(one=null, two={}) -> 2");
    expect(plain).toContain('one=[1,"a",{"key":[2.5]}], two={:width => :wide, 1 => 1180591620717411303424');
    expect(objects).toContain('one=#<Point x=1, tags=["a", "b"]>, two=#<Outer::Greeter @name="bob"');
    expect(long?.length).toBeLessThan(3000);
    expect(named("Outer.touched")).toEqual([]);
    const lines = run.texts.flatMap((text) => text.trimEnd().split("\n"));
    expect(lines.filter((line) => !traceLineSchema.safeParse(JSON.parse(line)).success)).toEqual([]);
  });

  test("counts what it does not record, but records failing calls", () => {
    const cuts = new Map(run.processes[0]?.cuts.map((cut) => [`${cut.function.name} ${cut.why}`, cut.count]));
    expect([...cuts.keys()].sort()).toEqual(["endless depth", "hot sampled", "often sampled"]);
    expect((cuts.get("hot sampled") ?? 0) + named("hot").length - 1).toBe(3000);
    expect(
      named("often")
        .filter(({ how }) => how === "throw")
        .map((call) => call.message),
    ).toEqual(["ArgumentError: bad 2500"]);
  });

  test("separates processes, threads and fibers", () => {
    const [first, child] = run.processes;
    expect([first?.ended, child?.ended]).toEqual([true, true]);
    expect(child?.roots.map(callText)).toEqual(['hot(number="child") -> "child"']);
    expect(named("in_thread")[0]?.thread).not.toEqual(named("program")[0]?.thread);
    expect(named("program")[0]?.children.at(-1)?.function.name).toBe("fact");
  });

  test("names the running test, and follows callees up to the depth", async ({ skip }) => {
    if (!hasMinitest) skip("minitest is not installed");
    const own = await traceRuby({
      specs: [{ path: "lib/shapes.rb", names: ["parse", "fact"] }],
      depth: 1,
      files: {
        "test/own_test.rb":
          'require "minitest/autorun"\nrequire_relative "../lib/shapes"\nclass Own < Minitest::Test\n  def test_own\n    parse("5")\n  end\nend\n',
      },
      command: [
        "ruby",
        "-e",
        'Dir["./test/*_test.rb"].sort.each { |file| require file }',
        "--",
        "--seed",
        "1",
      ],
    });
    expect(own.calls.map((call) => `${call.test} ${callText(call)}`).sort()).toEqual([
      'Own#test_own inner(text="5") -> 5',
      'Own#test_own parse(text="5") -> 5',
      "ShapesTest#test_fact fact(number=1) -> 1",
    ]);
  });

  test("keeps a program's own options for Ruby, and reports a Ruby that did not load the tracer", async () => {
    const off = await traceRuby({
      specs: [{ path: "lib/shapes.rb", names: ["fact"] }],
      command: ["ruby", "--disable=rubyopt", "-e", 'require "./lib/shapes"; fact(1)'],
    });
    expect(off.calls).toEqual([]);
    expect(off.plan.confirms?.ifMissing).toContain("RUBYOPT");
  });

  test("suggests the nearest names, and takes a method by `#` too", async () => {
    const own = await traceRuby({
      specs: [{ path: "lib/shapes.rb", names: ["Greeter#shout", "facts"] }],
      command: ["true"],
    });
    expect(own.plan.functions.map(({ name }) => name)).toEqual(["Outer::Greeter.shout"]);
    expect(own.plan.unknown[0]?.nearest[0]).toBe("fact");
  });
});
