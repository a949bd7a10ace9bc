import { expect, test } from "vitest";
import type { TracePlan, TraceSpec } from "../tracer.ts";
import python from "./python.ts";

const texts: Record<string, string> = {
  "lib/a.py": `class Outer:
    @property
    @other
    def shown(self):
        def inner(): return lambda: 1
        return inner

    class Nested:
        async def run(self, each=lambda: 2): ...

def shown(): ...
`,
  "test_b.py": "def test_b(): ...\n\ndef helper(): ...\n",
};

function plan(specs: readonly TraceSpec[], depth = 0): Promise<TracePlan> {
  const sources = { files: Object.keys(texts), read: (path: string) => Promise.resolve(texts[path]) };
  return python.plan({
    sources,
    specs,
    depth,
    paths: { root: "/project", runtime: "/runtime", scratch: "/scratch" },
  });
}

const names = ({ functions }: TracePlan) => functions.map(({ name }) => name);

test("functions are named and placed as the interpreter names and places them", async () => {
  const planned = await plan([
    { path: "lib/a.py", names: ["*"] },
    { path: "test_b.py", names: ["*"] },
  ]);
  expect(planned.functions.map(({ name, line, group }) => `${name} ${line} ${group}`)).toEqual([
    "Outer.shown 4 function",
    "Outer.shown.<locals>.inner 5 function",
    "Outer.shown.<locals>.inner.<locals>.<lambda> 5 function",
    "Outer.Nested.run 9 function",
    "Outer.Nested.<lambda> 9 function",
    "shown 11 function",
    "test_b 1 test",
    "helper 3 function",
  ]);
  expect(planned.changes).toEqual([]);
  // A code object begins at its first decorator.
  expect(planned.scratchFiles.get("python-plan.txt")).toMatch(
    /^\/project\n0\n\nlib\/a\.py\n1 2 1 shown\n2 5 1 inner\n/,
  );
  expect(planned.env).toMatchObject({
    PYTHONPATH: "/runtime/python-trace",
    MILLWRIGHT_TRACE_PYTHON: "/scratch/python-plan.txt",
  });
});

test("names are found by their ends, types by what stands in them; others get the nearest", async () => {
  const asked = async (...asked: string[]) => names(await plan([{ path: "lib/a.py", names: asked }]));
  expect(await asked("shown")).toEqual(["Outer.shown", "shown"]);
  expect(await asked("Outer::shown")).toEqual(["Outer.shown"]);
  expect(await asked("shown.inner")).toEqual(["Outer.shown.<locals>.inner"]);
  expect(await asked("Nested.*")).toEqual(["Outer.Nested.run", "Outer.Nested.<lambda>"]);
  expect(await asked("Nested")).toEqual(["Outer.Nested.run", "Outer.Nested.<lambda>"]);
  const planned = await plan([{ path: "lib/a.py", names: ["shwon", "éé"] }]);
  expect(planned.unknown).toEqual([
    { path: "lib/a.py", name: "shwon", nearest: ["shown", "Outer.shown"], functions: 6 },
    { path: "lib/a.py", name: "éé", nearest: [], functions: 6 },
  ]);
});

test("with a depth every function of the repository is watched, and only the named ones are asked for", async () => {
  const planned = await plan([{ path: "test_b.py", names: ["test_b"] }], 2);
  expect(names(planned)).toHaveLength(8);
  expect(planned.scratchFiles.get("python-plan.txt")).toMatch(
    /^\/project\n2\n\ntest_b\.py\n1 1 1 test_b\n2 3 0 helper\n/,
  );
});

test("what is no Python is told as a program that is not built, and what a program raised is not", async () => {
  const { buildErrors } = await plan([{ path: "lib/a.py", names: ["*"] }]);
  const stderr = `Traceback (most recent call last):
  File "main.py", line 1, in <module>
    import lib.a
  File "/project/lib/a.py", line 3
    def broken(:
               ^
SyntaxError: invalid syntax
`;
  const stdout = `E     File "/project/test_b.py", line 7\nE       x = 1\nE   IndentationError: unexpected indent\n`;
  expect(buildErrors?.({ stdout, stderr })).toEqual([
    "test_b.py:7: IndentationError: unexpected indent",
    "lib/a.py:3: SyntaxError: invalid syntax",
  ]);
  const raised = `  File "main.py", line 1, in <module>\n    int("x")\nValueError: SyntaxError: no\n`;
  expect(buildErrors?.({ stdout: "SyntaxError: of nobody\n", stderr: raised })).toEqual([]);
});
