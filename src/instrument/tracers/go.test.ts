import { expect, test } from "vitest";
import type { TracePlan, TraceSpec } from "../tracer.ts";
import go from "./go.ts";

const texts: Record<string, string> = {
  "go.mod": "module example.org/a\n",
  "a.go":
    'package a // import "x"\n\nfunc One(a, _ int, b ...string) (int, error) {\n\treturn a, nil\n}\n\nfunc two() int { return 2 }\n',
  "sub/go.mod": 'module "example.org/sub"\n',
  "sub/b.go": "package b\n\ntype T[P any] struct{}\n\nfunc (t *T[P]) Do(_ P) (_ int, err error) { return }\n",
  "c.go": 'package a\n\nimport "C"\n\nfunc three() {}\n',
};

function plan(specs: readonly TraceSpec[], depth = 0): Promise<TracePlan> {
  const sources = { files: Object.keys(texts), read: (path: string) => Promise.resolve(texts[path]) };
  return go.plan({
    sources,
    specs,
    depth,
    paths: { root: "/project", runtime: "/runtime", scratch: "/scratch" },
  });
}

function named(planned: TracePlan): string[] {
  return planned.functions.map(({ name, level, reason }) => `${name} ${level}${reason ? `: ${reason}` : ""}`);
}

test("text is put on the lines where the functions are, and the tree's own files stay as they are", async () => {
  const { scratchFiles, changes, env } = await plan([
    { path: "a.go", names: ["*"] },
    { path: "sub/b.go", names: ["T.Do"] },
  ]);
  expect(scratchFiles.get("go/a.go")).toBe(
    'package a; import millwright "example.org/a/_millwright" // import "x"\n\n' +
      'func One(a, _ int, b ...string) (millwright0 int, millwright1 error) { millwrightCall := millwright.In(1, "a,b", a, b);' +
      " defer func() { millwright.OutError(millwrightCall, millwright0, millwright1) }();\n\treturn a, nil\n}\n\n" +
      'func two() (millwright0 int) { millwrightCall := millwright.In(2, ""); defer func()' +
      " { millwright.Out(millwrightCall, millwright0) }(); return 2 }\n",
  );
  expect(scratchFiles.get("go/sub/b.go")).toContain(
    '(_millwright0 int, err error) { millwrightCall := millwright.In(3, "t", t); defer',
  );
  expect(changes.map(({ path }) => path)).toEqual(["_millwright/.keep", "sub/_millwright/.keep"]);
  const { Replace } = JSON.parse(String(scratchFiles.get("go-overlay.json")));
  expect(Replace).toMatchObject({
    "/project/a.go": "/scratch/go/a.go",
    "/project/_millwright/calls.go": "/runtime/go-trace/calls.go",
    "/project/sub/_millwright/record_amd64.s": "/runtime/go-trace/record_amd64.s",
  });
  expect(env["GOFLAGS"]).toBe("-overlay=/scratch/go-overlay.json");
});

test("names that are not there get the nearest, and what is left out its reason", async () => {
  const planned = await plan([
    { path: "a.go", names: ["onee", "One"] },
    { path: "c.go", names: ["*"] },
  ]);
  expect(planned.unknown).toEqual([{ path: "a.go", name: "onee", nearest: ["One"], functions: 2 }]);
  expect(named(planned)).toEqual(["One values", "three none: its file is compiled by cgo"]);
  expect(named(await plan([{ path: "a.go", names: ["One"] }], 1))).toEqual([
    "One values",
    "two values",
    "T.Do values",
  ]);
});

test("closures are named as left out, as Go names them, with the function that they stand in", async () => {
  const text =
    "package a\n\nvar each = func() {}\n\nfunc One() {\n\tdefer func() { go func() {}() }()\n}\n\nfunc two() { func() {}() }\n";
  const sources = { files: ["a.go"], read: () => Promise.resolve(text) };
  const paths = { root: "/project", runtime: "/runtime", scratch: "/scratch" };
  const planOf = (...names: string[]) =>
    go.plan({ sources, specs: [{ path: "a.go", names }], depth: 0, paths });
  const closures = ({ functions }: TracePlan) =>
    functions.filter(({ reason }) => reason === "it is a closure").map(({ name, line }) => `${name} ${line}`);
  expect(closures(await planOf("*"))).toEqual(["glob..func1 3", "One.func1 6", "One.func2 6", "two.func1 9"]);
  expect(closures(await planOf("One"))).toEqual(["One.func1 6", "One.func2 6"]);
});

test("a function that does not compile is recorded less, step by step; the program's own fault is seen to be that", async () => {
  const first = await plan([{ path: "a.go", names: ["*"] }]);
  const stderr =
    "# example.org/a\n./a.go:7:30: cannot use millwright0 (variable of type T) as interface{} value\n";
  const steps: string[] = [];
  for (
    let planned = await first.heal?.({ stdout: "", stderr });
    planned;
    planned = await planned.heal?.({ stdout: "", stderr })
  ) {
    steps.push(planned.functions[1]?.level ?? "");
  }
  expect(steps).toEqual(["return", "calls", "none"]);
  const shadowed = stderr.replace("cannot use millwright0", "millwright.In undefined");
  const none = await first.heal?.({ stdout: "", stderr: shadowed });
  expect(none?.functions[1]?.level).toBe("none");
  const own = { stdout: "# example.org/a [example.org/a.test]\na.go:4:9: undefined: b\nFAIL\n", stderr: "" };
  const second = await first.heal?.(own);
  expect(second && named(second)).toEqual(["One none: undefined: b", "two values"]);
  expect(await second?.heal?.(own)).toBeUndefined();
  expect(second?.buildErrors?.(own)).toEqual(["a.go:4: undefined: b"]);
  expect(
    await first.heal?.({ stdout: "--- FAIL: TestA\n    a.go:4: no\na.go:4:9: printed\n", stderr: "" }),
  ).toBeUndefined();
});
