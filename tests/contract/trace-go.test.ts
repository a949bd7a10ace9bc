import { beforeAll, describe, expect, test } from "vitest";
import { runProcess } from "../../src/base/process.ts";
import go from "../../src/instrument/tracers/go.ts";
import { traceLineSchema } from "../../src/trace/trace-lines.ts";
import type { TraceCall } from "../../src/trace/trace-model.ts";
import { callText, runTraced, type TracedRun } from "./trace-run.ts";

const { exitCode } = await runProcess(["go", "version"], { timeoutMs: 60_000 });

describe.skipIf(exitCode !== 0)("Go", () => {
  let run: TracedRun;
  const named = (name: string): TraceCall[] => run.calls.filter((call) => call.function.name === name);
  const texts = (name: string): string[] => named(name).map(callText);
  const childrenOf = (call: TraceCall | undefined): string[] => (call?.children ?? []).map(callText);

  beforeAll(async () => {
    const paths = ["main.go", "shapes/shapes.go", "shapes/shapes_test.go", "old/main.go"];
    run = await runTraced({
      tracer: go,
      fixture: "go",
      specs: paths.map((path) => ({ path, names: ["*"] })),
      // Tests, a module of an old language version beside it, and a program that ends itself within a call.
      command: [
        "sh",
        "-c",
        "go test ./... && (cd old && go run .) && { go run . 2>&1 | grep 'exit status 3'; }",
      ],
    });
  }, 180_000);

  test("tells arguments and results, of every kind of function", () => {
    expect(run.result.exitCode, run.result.stderr.head.toString()).toBe(0);
    expect(texts("Stack.Push")).toEqual(['Stack.Push(s=&shapes.Stack[string]{items:nil}, item="a") -> 1']);
    expect(texts("Greeter.Greet")[0]).toBe(
      'Greeter.Greet(g=&shapes.Greeter{name:"ann", mutex:sync.Mutex, greets:0}, other="bob") -> "ann greets bob"',
    );
    expect(texts("Greeter.Copy")[0]).toMatch(
      /^Greeter\.Copy\(g=shapes\.Greeter\{name:"ann".* -> &shapes\.Greeter\{/,
    );
    expect(texts("Greeter.Nameless")).toEqual(["Greeter.Nameless() -> [7,null]"]);
    expect(texts("Map")).toEqual(['Map(in={"a":1}, each=<func(int) int>) -> {"a":2}']);
    expect(texts("Early")).toEqual(["Early(n=10) -> 99"]);
    expect(texts("double")).toEqual(["double(n=2) -> 4"]);
    // Caller and called are where they were.
    expect(texts("Where")).toEqual(["Where() -> 28"]);
    expect(named("Mid")[0]?.function.line).toBe(75);
  });

  test("tells errors and panics from results, and where a panic began", () => {
    expect(texts("Parse")).toEqual([
      'Parse(text="12") -> [12,null]',
      'Parse(text="zz") ! expected integer',
      'Parse(text="") ! nothing to parse',
    ]);
    expect(named("Parse").map(({ how }) => how)).toEqual(["return", "error", "error"]);
    expect(named("boom")[0]).toMatchObject({ how: "throw", message: "boom 7", place: "shapes/shapes.go:70" });
    expect(childrenOf(named("Caught")[0])).toEqual(["Mid(n=7) ! boom 7"]);
    expect(texts("Caught")).toEqual(['Caught() -> "caught boom 7"']);
    expect(texts("Twice")).toEqual(['Twice() -> "another"']);
    expect(named("Nil")[0]).toMatchObject({ how: "throw", place: "shapes/shapes.go:90" });
    expect(named("Nil")[0]?.message).toMatch(/nil pointer dereference/);
    expect(texts("leaves")).toEqual(["leaves() ! runtime.Goexit"]);
    expect(named("Exit")[0]?.how).toBe("none");
  });

  test("links recursion, goroutines and tests", () => {
    expect(named("Fact").map((call) => call.children.length)).toEqual([1, 1, 1, 1, 0]);
    const [threads] = named("Threads");
    expect(childrenOf(threads).sort()).toEqual([
      "leaf(n=10) -> 10",
      "run(group=<*sync.WaitGroup>, n=11) -> return",
    ]);
    expect(threads?.children.every(({ spawned, test }) => spawned === "thread" && test === "TestAll")).toBe(
      true,
    );
    expect(named("leaf").find((call) => callText(call) === "leaf(n=1) -> 1")?.test).toBe("TestSub");
    expect(named("skips")[0]?.test).toBe("TestSub/skipped");
  });

  test("shows values within bounds, runs no code of theirs but an error's text, and reads nothing that others may write", () => {
    const [plain, objects, large, shared] = texts("Values");
    expect(plain).toContain(
      '{nil, true, 1152921504606846976, 1.5, "é\\xff", []byte("raw"), []int{1, 2}, map[string]int{"a":1}',
    );
    expect(plain).toContain('shapes.Point{X:1, Tags:[]string{"a"}}, &shapes.Point{X:2, Tags:nil}');
    expect(objects).toContain("*errors.errorString: e, 1s, chan int, func(string) string, &shapes.Greeter{");
    expect(large).toMatch(/é"….*… \d+ more/s);
    expect(large?.length).toBeLessThan(3000);
    expect(shared).toBe("Values(things=[]interface {} of 2) -> 2");
    expect(texts("Greeter.Greet")[1]).toBe(
      'Greeter.Greet(g=<*shapes.Greeter>, other="all") -> "ann greets all"',
    );
    const lines = run.texts.flatMap((text) => text.trimEnd().split("\n"));
    expect(lines.filter((line) => !traceLineSchema.safeParse(JSON.parse(line)).success)).toEqual([]);
  });

  test("leaves out what cannot be recorded, with the reason, and heals what does not compile", () => {
    const isClosure = ({ reason }: { reason?: string }): boolean => reason === "it is a closure";
    expect(run.plan.functions.filter(isClosure).every(({ group }) => group === "left-out")).toBe(true);
    expect(run.plan.functions.filter(isClosure).length).toBeGreaterThan(5);
    const weak = run.plan.functions.filter((each) => each.level !== "values" && !isClosure(each));
    expect(weak.map(({ name, level, group }) => `${name} ${level} ${group}`)).toEqual([
      "tight none left-out",
      "_ none left-out",
      "odd none function",
    ]);
    expect(weak.map(({ reason }) => reason)).toEqual([
      "it is compiled under //go:nosplit",
      "it is never called",
      expect.stringContaining("millwright.In undefined"),
    ]);
    expect(run.healed).toBe(1);
  });

  test("counts what it does not record, and gives each process a file of its own", () => {
    const [first] = run.processes;
    // Nothing tells the end of a process in Go: of 1998, what was told last.
    expect(first?.cuts.map(({ function: { name }, why }) => `${name} ${why}`)).toEqual(
      ["Hot", "Seldom", "Rarely", "breaks"].map((name) => `${name} sampled`),
    );
    expect((first?.cuts[0]?.count ?? 0) + named("Hot").length).toBe(2922);
    expect(
      named("Seldom")
        .filter(({ how }) => how === "error")
        .map(callText),
    ).toEqual(["Seldom() ! bad 2500"]);
    expect(
      named("breaks")
        .filter(({ how }) => how === "throw")
        .map(callText),
    ).toEqual(["breaks() ! bad 2501"]);
    expect(named("breaks").find(({ how }) => how === "throw")?.test).toBe("TestSeldom");
    expect(run.processes.map(({ label, ended }) => [label, ended])).toEqual([
      ["shapes.test", false],
      ["old", true],
      ["traced", false],
    ]);
  });
});
