/**
 * Traces for an agent: a command runs over a tree with chosen functions recorded, in a checkout of its own that keeps its builds from one
 * trace to the next. A trace is a recorded step, whole, so that a resumed run reads the same calls, and any of them can be asked for later.
 */

import { join } from "node:path";
import { z } from "zod";
import { MillwrightError } from "../../base/errors.ts";
import { hashText } from "../../base/hash.ts";
import type { TraceSources } from "../../instrument/tracer.ts";
import { tracers } from "../../instrument/tracers/index.generated.ts";
import { planTrace } from "../../trace/plan-trace.ts";
import { renderReport } from "../../trace/render-report.ts";
import { renderCallTree } from "../../trace/render-tree.ts";
import { type RanTrace, runTrace } from "../../trace/run-trace.ts";
import { readProcesses, readTraceText, type TraceHead, writeTraceText } from "../../trace/trace-file.ts";
import type { TraceCall, TraceProcess } from "../../trace/trace-model.ts";
import { makeTraceReport } from "../../trace/trace-report.ts";
import { parseInstrument } from "../../trace/trace-spec.ts";
import type { Checkout, TreeStore } from "../../workspace/contract.ts";
import { ownProgramsFirst } from "../../workspace/run-shell.ts";
import type { StrategyContext } from "../strategy.ts";

export interface TraceAsked {
  /** What the command runs over. */
  readonly tree: string;
  /** `PATH:NAME,NAME`, as the command `trace` takes them. */
  readonly instrument: readonly string[];
  /** Text for a shell in the repository's root. */
  readonly command: string;
  /** Calls away from what is named, of callees that are recorded too. */
  readonly depth: number;
  readonly seconds: number;
}

export interface TraceDesk {
  /** What was recorded, within about 3,000 tokens; calls are named by handles. The text says why where nothing was. */
  trace(asked: TraceAsked): Promise<{ readonly text: string; readonly isError: boolean }>;
  /** A call of the last trace with what is below it, its values as long as they were recorded; undefined where there is no such call. */
  show(handle: string): string | undefined;
  close(): Promise<void>;
}

const resultSchema = z.object({
  text: z.string(),
  isError: z.boolean(),
  /** The trace's file; "" where there is none. */
  file: z.string(),
});
type Result = z.infer<typeof resultSchema>;

/** Of each process. Values are cut, so that none fills the answer. */
const limits = { records: 20_000, bytes: 4 * 1024 * 1024, value: 2_000, nesting: 128 };
/** Characters of an answer. */
const mostText = 12_000;
const mostSaid = 1_500;
const leastMs = 1_000;

type DeskContext = Pick<StrategyContext, "workspace" | "recorder" | "limits" | "signal">;

export function openTraceDesk(context: DeskContext): TraceDesk {
  const { workspace, recorder } = context;
  let opened: Promise<Checkout> | undefined;
  let last: readonly TraceProcess[] = [];
  return {
    async trace(asked) {
      const key = `trace:${hashText(JSON.stringify(asked))}`;
      const title = `trace ${asked.instrument.join(" ")}`;
      const done = await recorder.step({ key, title, schema: resultSchema, large: true }, async () => {
        opened ??= workspace.openCheckout();
        return traceOnce(context, await opened, asked);
      });
      if (done.file !== "") last = readTraceText(done.file)?.processes ?? [];
      return { text: done.text, isError: done.isError };
    },
    show: (handle) => showCall(last, handle),
    async close() {
      await (await opened)?.close();
    },
  };
}

async function traceOnce(context: DeskContext, checkout: Checkout, asked: TraceAsked): Promise<Result> {
  try {
    return await record(context, checkout, asked);
  } catch (error) {
    // A name or a path that is not there: whoever asked can ask better.
    if (!(error instanceof MillwrightError) || error.code !== "usage") throw error;
    const hint = error.hint === undefined ? "" : ` ${error.hint}`;
    return { text: `${error.message}.${hint}`, isError: true, file: "" };
  }
}

async function record(context: DeskContext, checkout: Checkout, asked: TraceAsked): Promise<Result> {
  const { workspace, signal } = context;
  const scratch = {
    inside: `${checkout.scratch.inside}/trace`,
    host: join(checkout.scratch.host, "trace"),
  };
  const planned = await planTrace({
    tracers,
    sources: await sourcesOf(workspace.trees, asked.tree),
    specs: asked.instrument.map(parseInstrument),
    depth: asked.depth,
    root: checkout.root,
    runtime: checkout.runtime,
    scratch,
  });
  const timeoutMs = Math.max(leastMs, Math.min(asked.seconds * 1000, context.limits.remainingMs()));
  const ran = await runTrace({
    checkout,
    trees: workspace.trees,
    base: asked.tree,
    planned,
    scratch,
    command: ["sh", "-c", `${ownProgramsFirst}\n${asked.command}`],
    directory: "",
    timeoutMs,
    limits,
    signal,
    onRound() {},
  });
  signal.throwIfAborted();
  const untraced = planned.untraced.map((language) => `files in ${language} are not traced`);
  return describe({ ran, asked, target: workspace.repository, timeoutMs, untraced });
}

async function sourcesOf(trees: TreeStore, tree: string): Promise<TraceSources> {
  const entries = await trees.list(tree);
  return {
    files: entries.filter(({ mode }) => mode !== "120000").map(({ path }) => path),
    read: async (path) => (await trees.read(tree, path))?.toString("utf8"),
  };
}

interface Recorded {
  readonly ran: RanTrace;
  readonly asked: TraceAsked;
  readonly target: string;
  readonly timeoutMs: number;
  readonly untraced: readonly string[];
}

function describe({ ran, asked, target, timeoutMs, untraced }: Recorded): Result {
  const { end, exitCode, milliseconds, texts, plans } = ran;
  const head: TraceHead = {
    k: "trace",
    schema: "millwright.trace-file/1",
    target,
    command: [asked.command],
    startedAt: new Date().toISOString(),
    functions: plans.map(({ languages, plan }) => ({
      languages: [...languages],
      functions: [...plan.functions],
    })),
  };
  const processes = readProcesses(head, texts);
  const variables = plans.flatMap(({ plan }) => Object.keys(plan.env));
  const remarks = [...untraced, ...findOverwritten(asked.command, variables)];
  const command = [asked.command];
  const report = makeTraceReport({
    ran,
    processes,
    command,
    target,
    sandbox: "",
    file: undefined,
    timeoutMs,
    remarks,
  });
  // Of a command that failed the report has it.
  const said = exitCode === 0 ? report.command.stdout.trim().slice(-mostSaid) : "";
  const shown = renderReport(report, processes, mostText);
  return {
    text: said === "" ? shown : `${shown}\nthe end of what it printed:\n${said}`,
    isError: report.outcome !== "recorded",
    file: writeTraceText({ head, texts, command: { k: "command", end, exitCode, milliseconds } }),
  };
}

/** A command that sets one of the variables by which a runtime is loaded, without what stands in it, traces nothing. */
function findOverwritten(command: string, variables: readonly string[]): string[] {
  return variables
    .filter((name) => new RegExp(`(?:^|[\\s;&|(])${name}=(?!\\S*\\$\\{?${name})`).test(command))
    .map(
      (name) =>
        `the command sets ${name}, by which calls are recorded: keep what stands in it, with $${name}`,
    );
}

/** Wide enough for all that one look can take. */
const shownBelow = { depth: 6, breadth: 40, value: 2_000 };

function showCall(processes: readonly TraceProcess[], handle: string): string | undefined {
  for (const process of processes) {
    const waiting: TraceCall[] = [...process.roots];
    for (let call = waiting.pop(); call !== undefined; call = waiting.pop()) {
      if (call.handle === handle.replace(/^#/, ""))
        return renderCallTree(call, process, shownBelow).join("\n");
      waiting.push(...call.children);
    }
  }
  return undefined;
}
