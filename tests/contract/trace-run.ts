/** A tracer at work without the command: its plan is laid over a copy of a fixture, the real program runs, its lines are read. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { type ProcessResult, runProcess } from "../../src/base/process.ts";
import type { TracePlan, Tracer, TraceSpec } from "../../src/instrument/tracer.ts";
import { collectLines } from "../../src/trace/collect-lines.ts";
import { readProcess } from "../../src/trace/read-process.ts";
import type { TraceCall, TraceProcess } from "../../src/trace/trace-model.ts";

export interface TracedProgram {
  readonly tracer: Tracer;
  /** A folder of `tests/fixtures/traced/`. */
  readonly fixture: string;
  readonly specs: readonly TraceSpec[];
  readonly depth?: number;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `MILLWRIGHT_TRACE_…` without its beginning. */
  readonly limits?: Readonly<Record<string, number>>;
  /** More files of the copy, written before it is planned. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface TracedRun {
  readonly plan: TracePlan;
  /** How many times the plan was healed. */
  readonly healed: number;
  readonly result: ProcessResult;
  readonly processes: readonly TraceProcess[];
  /** Of all processes, in the order in which they began. */
  readonly calls: readonly TraceCall[];
  readonly texts: readonly string[];
}

const fixtures = join(import.meta.dirname, "..", "fixtures", "traced");
const runtimeFolder = join(import.meta.dirname, "..", "..", "src", "languages", "runtime");

export async function runTraced(program: TracedProgram): Promise<TracedRun> {
  const folder = mkdtempSync(join(tmpdir(), "traced-"));
  try {
    const root = join(folder, "root");
    cpSync(join(fixtures, program.fixture), root, { recursive: true });
    layFiles(root, Object.entries(program.files ?? {}));
    const paths = { root, runtime: join(folder, "runtime"), scratch: join(folder, "scratch") };
    cpSync(runtimeFolder, paths.runtime, { recursive: true });
    const files = listFiles(root);
    const read = (path: string) => Promise.resolve(readFileSync(join(root, path), "utf8"));
    const { specs, depth = 0 } = program;
    let plan = await program.tracer.plan({ sources: { files, read }, specs, depth, paths });
    for (let healed = 0; ; healed += 1) {
      const ran = await runOnce(program, plan, folder);
      const less = ran.result.exitCode === 0 ? undefined : await plan.heal?.(outputOf(ran.result));
      if (less === undefined) return { plan, healed, ...ran };
      plan = less;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runOnce(program: TracedProgram, plan: TracePlan, folder: string) {
  const root = join(folder, "root");
  const lines = join(folder, "lines");
  rmSync(lines, { recursive: true, force: true });
  mkdirSync(lines);
  layFiles(
    root,
    plan.changes.map(({ path, content }) => [path, content] as const),
  );
  layFiles(join(folder, "scratch"), [...plan.scratchFiles]);
  const limits = Object.entries(program.limits ?? {}).map(([name, value]) => [
    `MILLWRIGHT_TRACE_${name}`,
    String(value),
  ]);
  const result = await runProcess([...(plan.starter ?? []), ...program.command], {
    cwd: root,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      ...plan.env,
      MILLWRIGHT_TRACE_DIR: lines,
      ...Object.fromEntries(limits),
      ...program.env,
    },
    timeoutMs: 180_000,
  });
  const { texts } = await collectLines(lines);
  const functionsOf = () => new Map(plan.functions.map((each) => [each.id, each]));
  const read = texts.map((text, index) => readProcess({ text, functionsOf, number: index + 1 }));
  const processes = read.filter((each) => each !== undefined);
  return { result, processes, calls: processes.flatMap(({ roots }) => withChildren(roots)), texts };
}

function layFiles(folder: string, files: readonly (readonly [string, string | Uint8Array])[]): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function outputOf({ stdout, stderr }: ProcessResult): { stdout: string; stderr: string } {
  return { stdout: stdout.head.toString(), stderr: stderr.head.toString() };
}

function withChildren(calls: readonly TraceCall[]): TraceCall[] {
  return calls.flatMap((call) => [call, ...withChildren(call.children)]);
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** `parse(text="zz") → -1`: a call as one short text, values as they are recorded; arguments that it changed behind it. */
export function callText(call: TraceCall): string {
  const args = call.args.map(([name, value]) => `${name}=${valueText(value)}`).join(", ");
  const how =
    call.how === "return" && call.value !== undefined ? valueText(call.value) : (call.message ?? call.how);
  const after = (call.after ?? []).map(([name, value]) => `; ${name}=${valueText(value)}`).join("");
  return `${call.function.name}(${args}) ${call.how === "return" ? "->" : "!"} ${how}${after}`;
}

function valueText(value: NonNullable<TraceCall["value"]>): string {
  return "j" in value ? JSON.stringify(value.j) : "d" in value ? value.d : `<${value.t}>`;
}
