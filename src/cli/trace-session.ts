/** Traces a command over a private copy of the target: what the command `trace` does between its flags and its report. */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { MillwrightError } from "../base/errors.ts";
import { tracers } from "../instrument/tracers/index.generated.ts";
import { type RecordedTrace, recordTrace } from "../trace/record-trace.ts";
import { withKeptWorkspace } from "./kept-workspace.ts";
import { loadSettings } from "./settings.ts";
import type { TraceFlags, TraceRequest } from "./trace-request.ts";

/** Nested calls, and characters of a value, that are recorded. */
const recordedNesting = 256;
const recordedValue = 2000;
/** In the kept copy's folder: the trace that nobody gave a file. */
const lastTrace = "trace.jsonl";

export async function traceCommand(
  request: TraceRequest,
  flags: TraceFlags,
  settingFlags: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<RecordedTrace> {
  const { repository, directory, specs, command } = request;
  const { settings, warnings } = loadSettings({ repository, environment: process.env, flags: settingFlags });
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  return withKeptWorkspace(
    { repository, settings, signal },
    async ({ workspace, sandbox, directory: kept }) => {
      const output = flags.output ?? (kept === undefined ? undefined : join(kept, lastTrace));
      // An older trace must never be taken for this one, however this one ends.
      if (output !== undefined) rmSync(output, { force: true });
      const checkout = await workspace.openCheckout();
      const recorded = await recordTrace({
        tracers,
        checkout,
        trees: workspace.trees,
        tree: workspace.base,
        specs,
        depth: flags.depth,
        command,
        directory,
        timeoutMs: flags.timeout,
        limits: {
          records: flags.maxRecords,
          bytes: flags.maxBytes,
          value: recordedValue,
          nesting: recordedNesting,
        },
        signal,
        target: join(repository, directory),
        sandbox,
        remarks: workspace.notices(),
        onRound: (round, weak) =>
          process.stderr.write(`note: begun again (${round}): ${weak} functions are recorded with less\n`),
      });
      return keepTrace(recorded, output);
    },
  );
}

async function keepTrace(recorded: RecordedTrace, output: string | undefined): Promise<RecordedTrace> {
  if (output === undefined || recorded.text === undefined) return recorded;
  try {
    await writeFileAtomically(output, recorded.text);
  } catch (cause) {
    throw new MillwrightError("disk", `The trace cannot be written to ${output}`, { cause });
  }
  return { ...recorded, report: { ...recorded.report, file: resolve(output) } };
}
