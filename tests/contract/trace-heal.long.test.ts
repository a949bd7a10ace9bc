/** Plans in several languages and rounds: what is asked for, what is healed, and when it is given up. */
import { describe, expect, test } from "vitest";
import {
  defineTracer,
  type TracedFunction,
  type TracePlan,
  type Tracer,
} from "../../src/instrument/tracer.ts";
import { type RecordedTrace, recordTrace } from "../../src/trace/record-trace.ts";
import { parseInstrument } from "../../src/trace/trace-spec.ts";
import { makeRepository, openTestWorkspace } from "./workspace-fixture.ts";

const levels = ["values", "return", "calls", "none"] as const;

/** Traces "functions" of shell scripts that are called `*.py`; what it writes runs only once it is as weak as `works`. */
function weakening(works: TracedFunction["level"], said: string): Tracer {
  const planAt = (path: string, level: TracedFunction["level"]): TracePlan => {
    const line = JSON.stringify({
      k: "process",
      v: 1,
      pid: 1,
      parent: 0,
      language: "python",
      arguments: ["a.py"],
      epoch: 1,
    });
    const call = JSON.stringify({ k: "in", c: 1, f: 1, th: 1, at: 1 });
    const good = `printf '%s\\n' '${line}' '${call}' > "$MILLWRIGHT_TRACE_DIR/1.jsonl"\n`;
    return {
      changes: [{ path, content: level === works ? good : `echo ${said} >&2; exit 1\n` }],
      scratchFiles: new Map([["plan.txt", level]]),
      env: { PLAN_LEVEL: level },
      functions: [
        {
          id: 1,
          path,
          line: 1,
          endLine: 1,
          name: "f",
          level,
          group: "function",
          ...(level === "values" ? {} : { reason: "it broke" }),
        },
      ],
      unknown: [],
      heal: async ({ stderr }) => {
        const next = levels[levels.indexOf(level) + 1];
        return stderr.includes("OURS") ? planAt(path, next ?? "none") : undefined;
      },
      buildErrors: ({ stderr }) => (stderr.includes("ERROR") ? [stderr.trim()] : []),
    };
  };
  return defineTracer({
    languages: ["python"],
    plan: async ({ specs }) => planAt(specs[0]?.path ?? "", "values"),
  });
}

async function run(tracer: Tracer, ...instrument: string[]): Promise<RecordedTrace> {
  const workspace = await openTestWorkspace(makeRepository({ "a.py": "echo mine\n", "b.lua": "-- b\n" }));
  return recordTrace({
    tracers: [tracer],
    checkout: await workspace.openCheckout(),
    trees: workspace.trees,
    tree: workspace.base,
    specs: instrument.map(parseInstrument),
    depth: 0,
    command: ["sh", "a.py"],
    directory: "",
    timeoutMs: 60_000,
    limits: { records: 10, bytes: 1000, value: 10, nesting: 10 },
    signal: new AbortController().signal,
    target: workspace.repository,
    sandbox: "local",
    remarks: [],
  });
}

describe("what of our text does not compile", () => {
  test("is taken back step by step, and the rest is recorded, with the reason", async () => {
    const { report, processes } = await run(weakening("calls", "OURS"), "a.py:f");
    expect(report).toMatchObject({
      outcome: "recorded",
      rounds: 3,
      weakened: [{ name: "f", level: "calls", reason: "it broke" }],
    });
    expect(processes[0]?.roots).toMatchObject([{ function: { name: "f", path: "a.py" }, how: "none" }]);
  });

  test("another fault is the program's own: it is not run again", async () => {
    const { report, text } = await run(weakening("none", "ERROR: yours"), "a.py:f");
    expect(report).toMatchObject({
      outcome: "build-failed",
      exitCode: 11,
      rounds: 1,
      buildErrors: ["ERROR: yours"],
    });
    expect(text).toBeUndefined();
  });

  test("is given up after some rounds, where less never helps", async () => {
    const { report } = await run(weakening("values", "x"), "a.py:f");
    expect(report.rounds).toBe(1);
    const stubborn = await run({ ...weakening("values", "OURS"), plan: endless }, "a.py:f");
    expect(stubborn.report.rounds).toBe(49);
    expect(stubborn.report.outcome).toBe("nothing-recorded");
  });
});

const endless = async (): Promise<TracePlan> => ({
  changes: [{ path: "a.py", content: "exit 1\n" }],
  scratchFiles: new Map(),
  env: {},
  functions: [],
  unknown: [],
  heal: endless,
});

test("files of languages that nothing traces are told, and refused where they are named", async () => {
  const { report } = await run(weakening("values", ""), "*.*:*");
  expect(report.remarks).toContain("files in lua are not traced");
  await expect(run(weakening("values", ""), "b.lua:*")).rejects.toThrow(/a language that cannot be traced/);
});
