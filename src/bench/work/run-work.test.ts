import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashText } from "../../base/hash.ts";
import { openRunRecord } from "./run-record.ts";
import { type RunWork, workOf } from "./run-work.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "work-"));
  for (const name of ["outputs", "artifacts"]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Line = Readonly<Record<string, unknown>>;

/** Lines of `events.jsonl`, a second apart. */
async function read(
  lines: readonly Line[],
  more: { gold?: string; base?: string; patch?: string } = {},
): Promise<RunWork> {
  const timed = lines.map((line, at) => JSON.stringify({ at: 1_000 * (at + 1), ...line }));
  writeFileSync(join(folder, "events.jsonl"), `${timed.join("\n")}\n`);
  const record = await openRunRecord(folder);
  if (record === undefined) throw new Error("no record");
  return workOf(record, {
    goldPatch: more.gold ?? "",
    readBase: async () => more.base,
    patch: more.patch ?? "",
  });
}

let order = 0;
function call(usd: number, tokens: number, scope: Line = {}): Line {
  order += 1;
  const usage = { calls: 1, inputTokens: tokens - 10, cachedTokens: 0, outputTokens: 10, usd, unpriced: 0 };
  const said = { role: "editing", model: "m", handle: "h", recorded: false, ms: 500, tools: [], usage };
  return { event: "call-ended", order, ...said, ...scope };
}
const start = (round: number, action: string): Line => ({
  event: "action-started",
  round,
  action,
  intent: "",
});
const end = (round: number, action: string, failed = false): Line => ({
  event: "action-ended",
  round,
  action,
  failed,
});

interface Failure {
  readonly type: string;
  readonly text: string;
}

/** A run of two tests; both fail in the same way, or both pass. */
function tests(step: string, failure?: Failure): Line {
  const outcomes = ["one", "two"].map((test) => ({
    key: { package: "", target: "t", name: test },
    status: failure === undefined ? "passed" : "failed",
    durationMs: 1,
    ...(failure === undefined ? {} : { failure: { ...failure, message: "", frames: [] } }),
  }));
  const text = JSON.stringify({ outcomes });
  const artifact = hashText(text);
  writeFileSync(join(folder, "artifacts", `${artifact}.json`), text);
  return { event: "step-finished", step: `tests:${step}`, result: { artifact } };
}

function command(tool: string, about: string, output: string, scope: Line = {}): Line {
  order += 1;
  writeFileSync(join(folder, "outputs", `o${order}.txt`), output);
  const named = { tool, about, output: `o${order}`, characters: output.length };
  return { event: "tool-ended", order, call: 1, id: "1", failed: false, ms: 2_000, ...named, ...scope };
}

test("actions have their uses, tokens, cost and time, and calls between them are a row of their own", async () => {
  const within = { round: 1, action: "edit-code" };
  const work = await read([
    call(0.1, 100),
    start(1, "edit-code"), // second 2
    call(0.2, 200, within),
    end(1, "edit-code", true), // second 4
    start(2, "reproduction"),
    end(2, "reproduction"),
    start(3, "edit-code"), // second 7
    call(0.4, 400, { round: 3, action: "edit-code" }),
    end(3, "edit-code"), // second 9
  ]);
  expect(work.parts).toEqual([
    { name: "edit-code", uses: 2, failed: 1, tokens: 600, usd: expect.closeTo(0.6), seconds: 4 },
    { name: "reproduction", uses: 1, failed: 0, tokens: 0, usd: 0, seconds: 1 },
    { name: "between actions", uses: 0, failed: 0, tokens: 100, usd: 0.1, seconds: 0.5 },
  ]);
  expect(work.sequences).toEqual([["edit-code", "reproduction", "edit-code"]]);
});

test("a run without actions has its tools, which share their answers", async () => {
  const asked = call(0.3, 300, { order: 900, tools: [{ id: "1", tool: "bash" }] });
  const { parts, sequences } = await read([asked, command("bash", "ls", "", { call: 900 })]);
  expect(parts).toEqual([{ name: "bash", uses: 1, failed: 0, tokens: 300, usd: 0.3, seconds: 2 }]);
  expect(sequences).toEqual([]);
});

const unbuilt = (text: string): Failure => ({ type: "CompileError", text });
const failed = (text: string): Failure => ({ type: "AssertionError", text });

test.each([
  ["dependency", unbuilt("error[E0432]: unresolved import\n = help: you might be missing a crate named `b`")],
  ["dependency", failed("ModuleNotFoundError: No module named 'ledger'")],
  ["does not compile", unbuilt("error[E0599]: no method named `a`")],
  ["irrelevant", failed("assertion failed: 1 is not 2")],
  ["irrelevant", undefined],
])("a reproduction that shows nothing failed by its last run: %s", async (cause, failure) => {
  const lines = [start(1, "reproduction"), tests("a"), tests("b", failure), end(1, "reproduction", true)];
  expect((await read(lines)).reproduction).toEqual({ isShown: false, runs: 2, cause });
});

test("a shown reproduction runs with each later candidate, and an unwritten one never ran", async () => {
  const candidate = { id: "r1", tree: "t", kind: "reproduction", origin: "" };
  const shown = await read([
    tests("base", failed("before")),
    start(1, "reproduction"),
    tests("a", failed("as stated")),
    { event: "candidate-created", candidate },
    end(1, "reproduction"),
    tests("b"),
    tests("c"),
  ]);
  expect(shown.reproduction).toEqual({ isShown: true, runs: 3 });
  const unwritten = await read([start(1, "reproduction"), end(1, "reproduction", true)]);
  expect(unwritten.reproduction).toEqual({ isShown: false, runs: 0, cause: "never ran" });
  expect(await read([start(1, "edit-code"), tests("a"), end(1, "edit-code")])).not.toHaveProperty(
    "reproduction",
  );
});

test("compile errors count once for a build, and not where a tool only shows text", async () => {
  const text =
    "error[E0599]: no method\n --> a.rs:1\nerror[E0308]: mismatched types\nerror: could not compile";
  const { compileErrors, reproduction } = await read([
    tests("a", unbuilt(text)),
    command("bash", "cargo test", text),
    command("bash", "sh .millwright/reproduction/run", "error[E0433]: failed to resolve"),
    command("view", "tests/ui/a.stderr", text),
  ]);
  expect(compileErrors).toEqual({ reproduction: { E0433: 1 }, other: { E0599: 2, E0308: 2 } });
  expect(reproduction).toMatchObject({ runs: 1, cause: "does not compile" });
});

test("an agent with only a shell reproduces where it runs a file that it wrote", async () => {
  mkdirSync(join(folder, "calls"));
  const lines = (name: string, input: object, output: string): Line[] => {
    order += 1;
    const asked = order;
    const handle = `h${asked}`;
    const part = { type: "call", id: "1", name, inputText: JSON.stringify(input) };
    writeFileSync(
      join(folder, "calls", `${handle}.answer.json`),
      JSON.stringify({ result: { value: { parts: [part] } } }),
    );
    return [call(0, 100, { order: asked, handle }), command(name, "", output, { call: asked })];
  };
  const { compileErrors, reproduction } = await read([
    ...lines("create", { path: "examples/show.rs", text: "fn main() {}" }, ""),
    ...lines("bash", { command: "cargo build" }, "error[E0308]: mismatched types"),
    ...lines("bash", { command: "cargo run --example show" }, "error[E0433]: failed to resolve"),
    ...lines("bash", { command: "cat > b.rs <<'E'\nfn\nE\nrustc b.rs" }, "error[E0425]: cannot find"),
  ]);
  expect(compileErrors).toEqual({ reproduction: { E0433: 1, E0425: 1 }, other: { E0308: 1 } });
  // Nothing measured whether it shows the fault.
  expect(reproduction).toBeUndefined();
});

const base = ["def one():", "    a = 1", "    return a", "", "", "def two():", "    return 2", ""].join("\n");
const gold = `diff --git a/lib.py b/lib.py
--- a/lib.py
+++ b/lib.py
@@ -1,4 +1,4 @@
 def one():
     a = 1
-    return a
+    return a + 1
 
diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+b = 1
`;
const located = (round: number, ...places: readonly (readonly [string, number, number])[]): Line => ({
  ...{ event: "places-located", round, action: "code-retrieval" },
  places: places.map(([file, startLine, endLine]) => ({ file, startLine, endLine })),
});

test("the newest places hit the fix by file, by function, or by its lines", async () => {
  const places = async (...lines: readonly Line[]) => (await read(lines, { gold, base })).located;
  expect(await places(located(1, ["lib.py", 3, 3], ["lib.py", 1, 3], ["other.py", 1, 10]))).toEqual({
    ...{ from: "event", files: 2, lines: 13, file: true, function: true, snippet: true },
  });
  expect(await places(located(1, ["lib.py", 1, 1]))).toMatchObject({ function: true, snippet: false });
  expect(await places(located(1, ["lib.py", 3, 3]), located(2, ["lib.py", 6, 7]))).toEqual({
    ...{ from: "event", files: 1, lines: 2, file: true, function: false, snippet: false },
  });
  // A file that the fix creates cannot be located.
  expect(await places(located(1, ["new.py", 1, 1]))).toMatchObject({ file: false });
  const nothing = { from: "none", files: 0, lines: 0, file: false, function: false, snippet: false };
  expect(await places(start(1, "edit-code"))).toEqual(nothing);
  expect((await read([located(1, ["lib.py", 1, 1])], { gold })).located).not.toHaveProperty("function");
});

const viewed = (file: string): Line => ({
  ...{ event: "tool-ended", order: 9, call: 1, id: "a", tool: "view", about: file, failed: false },
  ...{ ms: 1, output: "o", characters: 1 },
});

test("a run without the event located what its patch edits, or else what it read last", async () => {
  const change = (file: string, line: number): string =>
    `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -${line} +${line} @@\n-a\n+b\n`;
  const fix = `${change("lib.py", 3)}${change("CHANGES.md", 1)}`;
  const places = async (patch: string, ...lines: readonly Line[]) =>
    (await read(lines, { gold: fix, patch })).located;
  const reads = [viewed("lib.py, 1, 9"), viewed("other.py, 2, 4")];
  expect(await places(change("lib.py", 3), ...reads)).toEqual({
    ...{ from: "edits", files: 1, lines: 1, file: true, snippet: true },
  });
  // A changelog is no located code, neither of the fix nor of the patch.
  expect(await places(change("CHANGES.md", 1), ...reads)).toEqual({
    ...{ from: "reads", files: 1, lines: 3, file: false, snippet: false },
  });
  expect(await places("", start(1, "finish"))).toMatchObject({ from: "none", file: false, snippet: false });
  expect(await places(change("other.py", 3), located(1, ["CHANGES.md", 1, 1]))).toMatchObject({
    ...{ from: "event", file: false },
  });
});
