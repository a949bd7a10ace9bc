import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import python from "../../src/instrument/tracers/python.ts";
import { traceLineSchema } from "../../src/trace/trace-lines.ts";
import type { TraceCall } from "../../src/trace/trace-model.ts";
import { callText, runTraced, type TracedRun } from "./trace-run.ts";

/** By minor version: those of the PATH and of pyenv. */
function findInterpreters(): Map<number, string> {
  const pyenv = join(process.env["PYENV_ROOT"] ?? join(homedir(), ".pyenv"), "versions");
  const folders = existsSync(pyenv) ? readdirSync(pyenv).map((name) => join(pyenv, name, "bin")) : [];
  const found = new Map<number, string>();
  for (const folder of [...folders, ...(process.env["PATH"] ?? "").split(":")]) {
    for (let minor = 7; minor <= 14; minor += 1) {
      const program = join(folder, `python3.${minor}`);
      if (!found.has(minor) && existsSync(program)) found.set(minor, program);
    }
  }
  return found;
}

const interpreters = [...findInterpreters()].sort(([a], [b]) => a - b);
// One for each way of noticing calls: the oldest, the last one before sys.monitoring, and the newest.
const chosen = new Map([
  ...interpreters.slice(0, 1),
  ...interpreters.filter(([minor]) => minor < 12).slice(-1),
  ...interpreters.slice(-1),
]);

const ownTest = `import sys, unittest
from lib.shapes import parse

class Own(unittest.TestCase):
    def test_own(self):
        self.assertEqual((sys.own, parse("5")), ("kept", 5))
`;

const firstTogether = `import sys, threading
from lib.shapes import *
sys.setswitchinterval(1e-6)
gate = threading.Barrier(16)
threads = [threading.Thread(target=lambda: (gate.wait(), hot("first"))) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
`;
const beyondLimits = `values("x" * 100); fact(4); [hot(n) for n in range(9)]; os._exit(0)
`;

const seldomFailing = `def often(n):
    if n == 2500: raise ValueError("bad %d" % n)
    try: int("x")
    except ValueError: return n

def rounds(n):
    yield n
    if n == 2501: raise OSError("late %d" % n)

for n in range(3000):
    try: often(n)
    except ValueError: pass
    one = rounds(n)
    try:
        next(one)
        if n % 2: next(one, None)
    except OSError: pass
    one.close()
`;

describe.each([...chosen])("python3.%i", (_minor, program) => {
  let run: TracedRun;
  const named = (name: string): TraceCall[] => run.calls.filter((call) => call.function.name === name);
  const texts = (name: string): string[] => named(name).map(callText);
  const childrenOf = (call: TraceCall | undefined): string[] => (call?.children ?? []).map(callText);

  beforeAll(async () => {
    run = await runTraced({
      tracer: python,
      fixture: "python",
      specs: [{ path: "lib/shapes.py", names: ["*"] }],
      command: [program, "-m", "lib.shapes"],
    });
  });

  test("tells arguments and results, of every kind of function", () => {
    expect(run.result.exitCode).toBe(3);
    expect(texts("Greeter.__init__")[0]).toBe(
      'Greeter.__init__(self=Greeter(), name="ann", rest=[1,2], loud=true, more={"key":"k"}) -> null',
    );
    const ann = "Greeter(name='ann', point=Point(x=1, tags=['ann']))";
    expect(texts("Greeter.shout")).toEqual([`Greeter.shout(self=${ann}) -> "ANN"`]);
    expect(texts("Greeter.make")[0]).toMatch(
      /^Greeter\.make\(cls=<class .*Greeter>, name="bob"\) -> Greeter\(/,
    );
    expect(texts("Greeter.double")).toEqual(["Greeter.double(number=4) -> 8"]);
    expect(texts("program.<locals>.<lambda>")).toHaveLength(1);
    expect(named("program")[0]?.function.line).toBe(179);
    expect(named("Greeter.shout")[0]?.function.line).toBe(31);
  });

  test("tells which exception left a call, and from where, and that a caught one did not", () => {
    const [, zz] = named("parse");
    expect(zz && callText(zz)).toBe('parse(text="zz") -> -1');
    expect(named("inner")[1]).toMatchObject({ how: "throw", place: "lib/shapes.py:58" });
    expect(named("inner")[1]?.message).toMatch(/^ValueError: invalid literal/);
    expect(childrenOf(named("cleans_up")[0])[1]).toBe('touched(thing="q") -> "q"');
    expect(named("cleans_up")[0]?.how).toBe("throw");
    expect(named("leaves")[0]).toMatchObject({ how: "throw", message: "SystemExit: 3" });
    expect(named("too_deep").map(callText)).toEqual(['too_deep() -> "too deep"']);
    expect(named("endless")[0]?.message).toMatch(/^RecursionError/);
  });

  test("keeps recursion, generators, tasks and threads apart", () => {
    expect(named("fact").map((call) => call.children.length)).toEqual([1, 1, 1, 1, 0]);
    expect(texts("numbers")[0]).toBe("numbers(most=3) -> null");
    expect(named("stubborn")[0]?.how).toBe("drop");
    expect(named("numbers")[1]?.how).toBe("drop");
    const [both] = named("both");
    expect(childrenOf(both)).toEqual(["slow(number=1) -> 1", "slow(number=2) -> 2"]);
    expect(new Set(both?.children.map(({ task }) => task)).size).toBe(2);
    expect(both?.children.flatMap(childrenOf)).toEqual(["leaf(number=1) -> 1", "leaf(number=2) -> 2"]);
    expect(both?.children.every(({ waited, spawned }) => waited > 0 && spawned === "task")).toBe(true);
    expect(named("slow")[2]?.message).toMatch(/CancelledError/);
    expect(named("spawn")[0]?.children.map((call) => [callText(call), call.spawned])).toEqual([
      ['in_thread() -> "worker"', "thread"],
    ]);
  });

  test("shows values without running the program's code, within bounds, as JSON that parses", () => {
    const [plain, objects, large] = texts("values");
    expect(plain).toContain(
      "(None, True, 7, 1180591620717411303424, nan, 1.5, 'é\\ud800', b'raw', [1, (2, 'a')]",
    );
    expect(objects).toContain("Point(x=1, tags=['a']), Greeter(name='ann', point=Point(");
    expect(objects).toContain("Colour.RED, <class ");
    expect(objects).toContain("[1, list(…)], <object>, range(0, 3), ValueError('v')");
    expect(large?.length).toBeLessThan(3000);
    expect(large).toContain("éé'…");
    expect(named("touched").some((call) => JSON.stringify(call.args).includes("Greeter"))).toBe(false);
    const lines = run.texts.flatMap((text) => text.trimEnd().split("\n"));
    expect(lines.filter((line) => !traceLineSchema.safeParse(JSON.parse(line)).success)).toEqual([]);
  });

  test("of calls that are only counted those that fail are recorded, and a generator's rounds are one call", async () => {
    const files = { "seldom.py": seldomFailing };
    const specs = [{ path: "seldom.py", names: ["*"] }];
    const own = await runTraced({
      tracer: python,
      fixture: "python",
      specs,
      files,
      command: [program, "seldom.py"],
    });
    for (const [name, failure] of [
      ["often", "often() ! ValueError: bad 2500"],
      ["rounds", "rounds() ! OSError: late 2501"],
    ] as const) {
      const calls = own.calls.filter((call) => call.function.name === name);
      expect(calls.filter(({ how }) => how === "throw").map(callText)).toEqual([failure]);
      const cut = own.processes[0]?.cuts.find((one) => one.function.name === name)?.count;
      expect(calls.length + (cut ?? 0)).toBe(3000);
    }
  });

  test("counts what it does not record, and gives each process a file of its own", () => {
    const [first, forked, child] = run.processes;
    const cuts = new Map(first?.cuts.map((cut) => [`${cut.function.name} ${cut.why}`, cut.count]));
    expect([...cuts.keys()].sort()).toEqual(["endless depth", "hot sampled"]);
    expect((cuts.get("hot sampled") ?? 0) + named("hot").length - 2).toBe(3000);
    expect([first?.ended, forked?.ended, child?.ended]).toEqual([true, false, true]);
    expect(forked?.roots.map(callText)).toEqual(['hot(number="child") -> "child"']);
    expect(child?.roots.map(callText).at(-1)).toBe('hot(number="grandchild") -> "grandchild"');
  });
});

describe("the newest Python's", () => {
  const [, program = "python3"] = interpreters.at(-1) ?? [];

  test("tests are named, callees are followed so far and no farther, and a folder's own start is kept", async () => {
    const run = await runTraced({
      tracer: python,
      fixture: "python",
      specs: [{ path: "lib/shapes.py", names: ["parse", "fact"] }],
      depth: 1,
      files: { "own/sitecustomize.py": "import sys\nsys.own = 'kept'\n", "test_own.py": ownTest },
      command: ["sh", "-c", `PYTHONPATH="$PYTHONPATH:own" ${program} -m unittest`],
    });
    expect(run.result.stderr.head.toString()).toContain("Ran 3 tests");
    expect(run.calls.map((call) => `${call.test} ${callText(call)}`)).toEqual([
      'test_own.Own.test_own parse(text="5") -> 5',
      'test_own.Own.test_own decorated.<locals>.wrapper(args=["5"]) -> 5',
      "test_shapes.Shapes.test_fact fact(number=1) -> 1",
      "test_shapes.Shapes.test_fact fact(number=0) -> 1",
    ]);
  });

  test("a file that is run by the name of a link is known", async () => {
    const run = await runTraced({
      tracer: python,
      fixture: "python",
      specs: [{ path: "lib/shapes.py", names: ["fact"] }],
      command: ["sh", "-c", `ln -s lib linked && ${program} -c "from linked.shapes import fact; fact(0)"`],
    });
    expect(run.calls.map(callText)).toEqual(["fact(number=0) -> 1"]);
    expect(run.calls[0]?.function.path).toBe("lib/shapes.py");
  });

  test("limits are kept, what they cut is counted, and threads that are first together share one file", async () => {
    const run = await runTraced({
      tracer: python,
      fixture: "python",
      specs: [{ path: "lib/shapes.py", names: ["hot", "fact", "values"] }],
      limits: { RECORDS: 5 + 16, DEPTH: 2, VALUE: 20 },
      files: { "begin.py": `${firstTogether}${beyondLimits}` },
      command: [program, "begin.py"],
    });
    expect(run.processes).toHaveLength(1);
    const first = run.calls.slice(0, 16).map(callText);
    expect(first).toEqual(new Array(16).fill('hot(number="first") -> "first"'));
    expect(run.calls.slice(16).map(callText)).toEqual([
      `values(things=('${"x".repeat(13)}'…,)) -> 1`,
      "fact(number=4) -> 24",
      "fact(number=3) -> 6",
      "hot(number=0) -> 0",
      "hot(number=1) -> 1",
    ]);
    // Killed or not, what was told last is nearly all.
    expect(run.processes[0]?.cuts.map((cut) => [cut.function.name, cut.why, cut.count])).toEqual([
      ["fact", "depth", 2],
      ["hot", "records", 4],
    ]);
  });
});
