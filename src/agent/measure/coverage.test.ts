import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestFramework } from "../../languages/contract.ts";
import { testFrameworks } from "../../languages/index.generated.ts";
import { collectCoverage } from "./coverage.ts";

test("a framework that cannot trace is not run for it, and the ranking hears why", async () => {
  const [known] = testFrameworks as readonly TestFramework[];
  if (known === undefined) throw new Error("there is no framework");
  const framework: TestFramework = { ...known, name: "mute", coverage: "none" };
  const unused = (): never => {
    throw new Error("nothing is to be run");
  };
  const context = partOf<Parameters<typeof collectCoverage>[0]>({ recorder: { step: unused } });
  const executor = partOf<Parameters<typeof collectCoverage>[1]>({ run: unused });
  const baseline = partOf<Parameters<typeof collectCoverage>[2]>({ outcomes: [], targets: [] });
  const coverage = await collectCoverage(context, executor, baseline, framework);
  expect(coverage.tests.size).toBe(0);
  expect(coverage.remarks).toEqual([
    expect.stringContaining("mute does not report the lines that each test executes"),
  ]);
});

test("a file that does not build with counters is left as it is, and named", async () => {
  const sources: Readonly<Record<string, string>> = { "a.js": "f();\n", "b.js": "g();\n" };
  const written: string[][] = [];
  const trees = {
    list: async () => Object.keys(sources).map((path) => ({ path, mode: "100644" })),
    read: async (_: string, path: string) => Buffer.from(sources[path] ?? ""),
    write: async (_: string, files: readonly { path: string }[]) => {
      written.push(files.map(({ path }) => path));
      return `tree ${written.length}`;
    },
  };
  const key = { package: "", target: "t", name: "works" };
  const failure = { type: "CompileError", message: "a.js:1: unexpected word", frames: [], text: "" };
  const run = async ({ tree }: { readonly tree: string }) => ({
    report:
      tree === "tree 1"
        ? { outcomes: [{ key, status: "failed" as const, failure }], coverage: new Map(), invalid: undefined }
        : { outcomes: [], coverage: new Map([["t::works", { "b.js": [1] }]]), invalid: undefined },
  });
  const context = partOf<Parameters<typeof collectCoverage>[0]>({
    recorder: { step: (_, work) => work() },
    workspace: { base: "base", trees },
    limits: { remainingMs: () => 60_000 },
  });
  const executor = { run: (_: unknown, request: { tree: string }) => run(request), project: {} };
  const outcome = { key, status: "failed" as const, durationMs: 5, failure };
  const baseline = { outcomes: [outcome], targets: [outcome], durationMs: 5, command: {} };
  const coverage = await collectCoverage(
    context,
    partOf<Parameters<typeof collectCoverage>[1]>(executor),
    partOf<Parameters<typeof collectCoverage>[2]>(baseline),
    { name: "counting", coverage: "counters" } as TestFramework,
  );
  expect(written).toEqual([["a.js", "b.js"], ["b.js"]]);
  expect(coverage.tests.get("t::works")).toEqual({ "b.js": [1] });
  expect(coverage.remarks).toEqual([
    "The build fails with counters in a.js, so Millwright does not count lines there.",
  ]);
});

test.each([
  [100_000, "files"],
  [400_000, "all"],
])("with %i ms left, coverage of a suite of 20 s leaves time for candidates: %s", async (remaining, kind) => {
  const asked: { readonly selection: { readonly kind: string }; readonly timeoutMs: number }[] = [];
  const key = { package: "", target: "test_a.py", name: "works" };
  const outcome = { key, status: "failed" as const, durationMs: 5 };
  const context = partOf<Parameters<typeof collectCoverage>[0]>({
    recorder: { step: (_, work) => work() },
    workspace: { base: "base" },
    limits: { remainingMs: () => remaining },
  });
  const executor = {
    run: async (_: unknown, request: (typeof asked)[number]) => {
      asked.push(request);
      return { report: { outcomes: [], coverage: new Map([["test_a.py::works", { "a.py": [1] }]]) } };
    },
    project: { files: [] },
  };
  await collectCoverage(
    context,
    partOf<Parameters<typeof collectCoverage>[1]>(executor),
    partOf<Parameters<typeof collectCoverage>[2]>({
      outcomes: [outcome],
      targets: [outcome],
      durationMs: 20_000,
      command: {},
    }),
    { name: "tracing", coverage: "tracer" } as TestFramework,
  );
  expect(asked[0]?.selection.kind).toBe(kind);
  expect(asked[0]?.timeoutMs).toBe(0.4 * remaining);
});
