/**
 * Records traces for an agent: runs a command over a tree, and records the calls of chosen functions. Uses a separate
 * checkout that keeps its builds between traces. Each trace is a recorded step and is stored whole. A resumed run
 * therefore reads the same calls, and can look at any of them later.
 */

import { z } from "zod";
import { MillwrightError } from "../../base/errors.ts";
import { hashText } from "../../base/hash.ts";
import { tracers } from "../../instrument/tracers/index.generated.ts";
import { findFailures } from "../../trace/failure-path.ts";
import { recordTrace } from "../../trace/record-trace.ts";
import { renderCall } from "../../trace/render/call.ts";
import { renderFound } from "../../trace/render/found.ts";
import { renderReport } from "../../trace/render/report.ts";
import { readTraceText, type Trace } from "../../trace/trace-file.ts";
import { parseInstrument } from "../../trace/trace-spec.ts";
import type { Checkout } from "../../workspace/contract.ts";
import { ownProgramsFirst } from "../../workspace/run-shell.ts";
import { cutSchema, type LimitedResult, limitedStep, type Reached } from "../record/limited-step.ts";
import type { StrategyContext } from "../strategy.ts";
import type { TraceAsked, TraceDesk } from "../views.ts";

const resultSchema = z.object({
  text: z.string(),
  isError: z.boolean(),
  /** The trace's file; "" if there is none. */
  file: z.string(),
  ...cutSchema,
});
type Result = z.infer<typeof resultSchema>;

/** Limits of each process. Long values are cut, so that no value fills the answer. */
const limits = { records: 20_000, bytes: 4 * 1024 * 1024, value: 2_000, nesting: 128 };
/** Maximum length of an answer, in characters. */
const mostText = 12_000;
const mostSaid = 1_500;
/** Number of calls on the path to the failure in a short report. */
const shownSteps = 4;

type DeskContext = Pick<StrategyContext, "workspace" | "recorder" | "limits" | "signal">;

export function openTraceDesk(context: DeskContext): TraceDesk {
  const { workspace } = context;
  let opened: Promise<Checkout> | undefined;
  let last: Trace | undefined;
  return {
    async trace(asked) {
      const key = `trace:${hashText(JSON.stringify(asked))}`;
      const title = `trace ${asked.instrument.join(" ")}`;
      const options = {
        ...{ key, title, schema: resultSchema, large: true, usualMs: asked.seconds * 1000, reached },
        decides: ({ isError }: Result) => isError,
      };
      const done = await limitedStep<Result>(context, options, async (timeMs) => {
        opened ??= workspace.openCheckout();
        const checkout = await opened;
        let isCut = false;
        const result = await orUsage(async () => {
          const recorded = await record(context, checkout, asked, timeMs);
          ({ isCut } = recorded);
          return recorded.result;
        });
        return { result, isCut };
      });
      const { text, isError, file } = done;
      if (file === "") return { text, isError };
      const trace = readTraceText(file);
      last = trace;
      const failurePath = trace && failurePathOf(trace);
      return { text, isError, ...(failurePath !== undefined && { failurePath }) };
    },
    show: (wanted) =>
      orUsage(async () =>
        last === undefined
          ? nothing
          : { ...nothing, text: renderFound(last, wanted, mostText), isError: false },
      ),
    async close() {
      await (await opened)?.close();
    },
  };
}

const shownSchema = resultSchema.pick({ text: true, isError: true });
/** A replay shows the recorded text if the trace ends in the same way. */
const reached: Reached<Result> = {
  of: ({ text, isError }) => ({ text, isError }),
  only(result, recorded) {
    const known = shownSchema.safeParse(recorded).data;
    return known?.isError === result.isError ? { ...result, text: known.text } : result;
  },
};

function failurePathOf({ command, processes }: Trace): string[] | undefined {
  if (command?.exitCode === 0) return undefined;
  const [failure] = findFailures(processes, new Set(command?.failedTests));
  return failure?.calls.slice(0, shownSteps).map((call) => renderCall(call));
}

const nothing: Result = { text: "Nothing is traced yet.", isError: true, file: "" };

/** Turns an unknown name or path into a usage error, which the caller can correct. */
async function orUsage(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MillwrightError) || error.code !== "usage") throw error;
    const hint = error.hint === undefined ? "" : ` ${error.hint}`;
    return { text: `${error.message}.${hint}`, isError: true, file: "" };
  }
}

async function record(
  context: DeskContext,
  checkout: Checkout,
  asked: TraceAsked,
  timeoutMs: number,
): Promise<LimitedResult<Result>> {
  const { workspace, signal } = context;
  const recorded = await recordTrace({
    tracers,
    checkout,
    trees: workspace.trees,
    tree: asked.tree,
    specs: asked.instrument.map(parseInstrument),
    depth: asked.depth,
    command: ["sh", "-c", `${ownProgramsFirst}\n${checkout.names.meant(asked.command)}`],
    directory: "",
    timeoutMs,
    limits,
    signal,
    target: workspace.shownRoot,
    sandbox: "",
    remarks: [],
  });
  signal.throwIfAborted();
  const { outcome, remarks, command } = recorded.report;
  const found = outcome === "nothing-recorded" ? findOverwritten(asked.command) : [];
  const told = { ...command, run: [asked.command] };
  const report = { ...recorded.report, command: told, remarks: [...remarks, ...found] };
  // If the command failed, the report already contains its output.
  const said = command.exitCode === 0 ? command.stdout.trim().slice(-mostSaid) : "";
  const shown = renderReport(report, recorded.processes, mostText);
  const { names } = checkout;
  const result = {
    text: names.show(said === "" ? shown : `${shown}\nthe end of the command's output:\n${said}`),
    isError: outcome !== "recorded",
    file: names.show(recorded.text ?? ""),
  };
  return { result, isCut: command.end === "timed-out" };
}

/** Variables that load runtimes: a command that overrides one of them records nothing. */
const loading = ["PYTHONPATH", "NODE_OPTIONS", "RUBYOPT", "GOFLAGS", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS"];

function findOverwritten(command: string): string[] {
  return loading
    .filter((name) => new RegExp(`(?:^|[\\s;&|(])${name}=(?!\\S*\\$\\{?${name})`).test(command))
    .map(
      (name) =>
        `the command overrides ${name}, through which Millwright records the calls: add $${name} to the new value`,
    );
}
