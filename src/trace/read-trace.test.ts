import { describe, expect, test } from "vitest";
import { diffTraces } from "./diff-traces.ts";
import { makeProcessData } from "./trace-data.ts";
import { readTraceText, type Trace, writeTraceText } from "./trace-file.ts";
import type { TraceLine } from "./trace-lines.ts";

const processLine: TraceLine = {
  k: "process",
  v: 1,
  pid: 7,
  parent: 1,
  language: "rust",
  arguments: ["target/debug/deps/parser-0123456789abcdef", "zz"],
  epoch: 1_700_000_000_000,
};
const named = (id: number, name: string, line: number) =>
  ({ id, name, line, endLine: line + 2, path: "src/lib.rs", level: "values", group: "function" }) as const;

function readLines(...processes: readonly (readonly (TraceLine | string)[])[]): Trace {
  const texts = processes.map((lines) =>
    lines.map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`)).join(""),
  );
  const text = writeTraceText({
    head: {
      k: "trace",
      schema: "millwright.trace-file/1",
      target: "/t",
      command: ["cargo", "run"],
      startedAt: "2026-01-01T00:00:00.000Z",
      functions: [{ languages: ["rust"], functions: [named(1, "parse", 15), named(2, "leaf", 22)] }],
    },
    command: { k: "command", end: "exited", exitCode: 0, milliseconds: 12 },
    texts,
  });
  const trace = readTraceText(text);
  if (trace === undefined) throw new Error("it is not read as a trace");
  return trace;
}

describe("the lines of traced processes", () => {
  test("become calls with their functions, ends and times, and keep siblings apart after an error", () => {
    const [process] = readLines([
      processLine,
      { k: "in", c: 1, f: 1, th: 1, at: 10, args: [["text", { j: "zz" }]] },
      { k: "out", c: 1, at: 40, how: "error", value: { d: 'Err("no digit")' } },
      { k: "in", c: 2, f: 2, th: 1, at: 50 },
      { k: "out", c: 2, at: 60, how: "return" },
      { k: "end", at: 70 },
    ]).processes;
    expect(process).toMatchObject({ pid: 7, label: "parser", calls: 2, ended: true, unreadable: 0 });
    expect(process?.roots).toMatchObject([
      {
        handle: "1.1",
        function: { name: "parse", line: 15 },
        how: "error",
        start: 10,
        end: 40,
        hasArgs: true,
      },
      { handle: "1.2", function: { name: "leaf" }, how: "return", hasArgs: false },
    ]);
  });

  test("a torn last line is counted, and the calls in flight did not return", () => {
    const [process] = readLines([
      processLine,
      { k: "in", c: 1, f: 1, th: 1, at: 10 },
      { k: "in", c: 2, f: 2, p: 1, th: 1, at: 20 },
      '{"k":"out","c":2,"at":3',
    ]).processes;
    expect(process).toMatchObject({ ended: false, unreadable: 1, calls: 2 });
    expect(process?.roots).toMatchObject([{ how: "none", children: [{ how: "none", end: undefined }] }]);
  });

  test("a line that no runtime writes changes nothing", () => {
    const [process] = readLines([
      processLine,
      "not json\n",
      '{"k":"in","c":"x"}\n',
      '{"k":"out","c":99,"at":1,"how":"return"}\n',
      { k: "in", c: 1, f: 1, th: 1, at: 10 },
    ]).processes;
    expect(process).toMatchObject({ calls: 1, unreadable: 2 });
  });

  test("threads and tasks hang below what spawned them, and tests are handed down", () => {
    const [process] = readLines([
      processLine,
      { k: "in", c: 1, f: 1, th: 1, at: 1, test: "tests::two" },
      { k: "thread", n: 2, name: "worker", from: 1 },
      { k: "in", c: 2, f: 2, th: 2, at: 2 },
      { k: "in", c: 3, f: 2, p: 1, th: 1, at: 3, task: 5 },
      { k: "wait", c: 3, at: 10 },
      { k: "wake", c: 3, at: 25 },
      { k: "out", c: 3, at: 30, how: "return", value: { j: 1 } },
    ]).processes;
    expect(process?.roots).toHaveLength(1);
    expect(process?.roots[0]?.children).toMatchObject([
      { spawned: "thread", thread: 2, test: "tests::two" },
      { spawned: "task", waited: 15, end: 30 },
    ]);
  });

  test("a task that starts itself again and again does not nest without end", () => {
    const chain = Array.from({ length: 20_000 }, (_, at): TraceLine[] => [
      { k: "in", c: at + 1, f: 1, th: 1, task: at + 1, at, ...(at === 0 ? { test: "polls" } : { p: at }) },
      { k: "out", c: at + 1, at: at + 1, how: "return" },
    ]);
    const { processes } = readLines([processLine, ...chain.flat()]);
    const [process] = makeProcessData(processes);
    expect(process).toMatchObject({ calls: 20_000, hidden: 0 });
    expect(JSON.stringify(process)).toContain('"handle":"1.20000"');
    expect(diffTraces(processes, processes, 10)).toEqual([]);
    expect(processes[0]?.roots.map(({ test }) => test)).toEqual(Array.from({ length: 20 }, () => "polls"));
  });

  test.each([
    [["/usr/bin/python3.13", "-c", "\nimport a\nrun(1 / 2)"], "python3.13 -c"],
    [["node", "-e", "run()", "x"], "node -e"],
    [["python3", "-u", "tools/run.py", "-c", "quick"], "run.py"],
    [["python3", "-m", "pytest", "tests"], "pytest"],
    [["node"], "node"],
  ])("a process of %j is called %s", (words, label) => {
    const line = { ...processLine, language: "python", arguments: words };
    expect(readLines([line, { k: "in", c: 1, f: 1, th: 1, at: 1 }]).processes[0]?.label).toBe(label);
  });

  test("a thread of a Rust test binary is a test, and a thread that a call spawned is not", () => {
    const [process] = readLines([
      processLine,
      { k: "thread", n: 1, name: "tests::one" },
      { k: "in", c: 1, f: 1, th: 1, at: 1 },
      { k: "thread", n: 2, name: "worker", from: 99 },
      { k: "in", c: 2, f: 2, th: 2, at: 2 },
      { k: "thread", n: 3, name: "main" },
      { k: "in", c: 3, f: 2, th: 3, at: 3 },
    ]).processes;
    expect(process?.roots.map(({ test }) => test)).toEqual(["tests::one", undefined, undefined]);
  });

  test("each process has its own functions and calls, also where a value looks like a process's line", () => {
    const { processes, command } = readLines(
      [
        processLine,
        { k: "in", c: 1, f: 1, th: 1, at: 1, args: [["x", { j: '{"k":"process"}' }]] },
        { k: "in", c: 2, f: 1, p: 1, th: 1, at: 2, args: [["x", { j: { k: "process" } }]] },
        { k: "out", c: 2, at: 3, how: "return" },
      ],
      [
        { ...processLine, pid: 8, parent: 7, language: "python", arguments: ["python3", "-m", "tool.py"] },
        { k: "function", f: 1, name: "helper", path: "tool.py", line: 3 },
        { k: "in", c: 1, f: 1, th: 1, at: 1 },
        { k: "cut", f: 1, why: "records", count: 5 },
        { k: "cut", f: 1, why: "records", count: 9 },
      ],
    );
    expect(command).toMatchObject({ exitCode: 0 });
    expect(processes).toMatchObject([
      {
        number: 1,
        roots: [{ handle: "1.1", function: { name: "parse" }, children: [{ handle: "1.2", how: "return" }] }],
      },
      { number: 2, label: "tool.py", parentPid: 7, roots: [{ handle: "2.1", function: { name: "helper" } }] },
    ]);
    expect(processes[1]?.cuts).toEqual([
      { function: { name: "helper", path: "tool.py", line: 3 }, why: "records", count: 9 },
    ]);
  });

  test("a file that was cut off is read as far as it goes; another text is no trace", () => {
    const whole = readLines([processLine, { k: "in", c: 1, f: 1, th: 1, at: 1 }]);
    const text = writeTraceText({
      head: whole.head,
      command: { k: "command", end: "exited", exitCode: 0, milliseconds: 1 },
      texts: [`${JSON.stringify(processLine)}\n`],
    });
    const cut = readTraceText(text.slice(0, -20));
    expect(cut?.command).toBeUndefined();
    expect(cut?.processes).toHaveLength(1);
    expect(readTraceText("# notes\n")).toBeUndefined();
    expect(readTraceText("")).toBeUndefined();
  });
});
