/**
 * Measures the data from which a fault's ranking is computed: once, in a private copy. Stores the data outside the
 * repository.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { measureFault } from "../src/agent/measure/localize-fault.ts";
import { createLimits } from "../src/agent/record/limits.ts";
import { writeFileAtomically } from "../src/base/atomic-file.ts";
import { hashText } from "../src/base/hash.ts";
import { loadSettings } from "../src/cli/load-settings.ts";
import { testFrameworks } from "../src/languages/index.generated.ts";
import type { FaultSigns } from "../src/localize/fault-signs.ts";
import { withTemporaryWorkspace } from "../src/session/temporary-workspace.ts";
import type { FaultCase } from "./localize-cases.ts";

export interface MeasuredCase {
  readonly case: FaultCase;
  readonly signs: FaultSigns;
  readonly framework: string;
  /** Milliseconds of the measurement, and the most memory that this process held by then, in bytes. */
  readonly durationMs: number;
  readonly peakBytes: number;
}

/** Raised whenever a measurement of before cannot be used any more. */
const cacheVersion = 3;

/** The measurement of the cache, or a new one; a text where there is nothing to rank. Other errors are thrown. */
export async function measureCase(fault: FaultCase, cache: string): Promise<MeasuredCase | string> {
  mkdirSync(cache, { recursive: true });
  const key = hashText(`${cacheVersion}\n${fault.folder}\n${fault.fix}\n${fault.testCommand}`).slice(0, 12);
  const path = join(cache, `${fault.id.replaceAll(/[^\w.-]/g, "_")}-${key}.json.gz`);
  if (existsSync(path)) return { case: fault, ...thaw(gunzipSync(readFileSync(path)).toString("utf8")) };
  const measured = await measure(fault);
  if (typeof measured === "string") return measured;
  await writeFileAtomically(path, gzipSync(freeze(measured), { level: 4 }));
  return { case: fault, ...measured };
}

type Measured = Omit<MeasuredCase, "case">;

async function measure(fault: FaultCase): Promise<Measured | string> {
  const flags = fault.testCommand === undefined ? {} : { testCommand: fault.testCommand };
  const host = { environment: process.env, onNotice() {} };
  const { settings } = loadSettings({ repository: fault.folder, environment: process.env, flags });
  const { signal } = new AbortController();
  const started = performance.now();
  return withTemporaryWorkspace(
    { host, repository: fault.folder, settings, signal },
    async ({ workspace }) => {
      const context = {
        workspace,
        frameworks: testFrameworks,
        testCommand: settings.testCommand,
        signal,
        task: { statement: "" },
        recorder: { step: <T>(_: unknown, execute: () => Promise<T>) => execute() },
        limits: createLimits({ maxMs: settings.maxTime, maxSteps: undefined, usedMs: 0 }),
      };
      const measured = await measureFault(context, () => {});
      if (!measured.ok) return measured.message;
      const { signs, baseline } = measured.value;
      return {
        signs,
        framework: baseline.command.framework,
        durationMs: performance.now() - started,
        peakBytes: process.resourceUsage().maxRSS * 1024,
      };
    },
  );
}

/** Passing tests' outcomes and covered lines are many: maps become lists of pairs. */
function freeze({ signs, ...rest }: Measured): string {
  const maps = {
    coverage: [...signs.coverage],
    texts: [...signs.texts],
    testTexts: [...signs.testTexts],
    testLines: [...(signs.testLines ?? [])].map(([path, lines]) => [path, [...lines]]),
  };
  return JSON.stringify({ ...rest, signs: { ...signs, ...maps } });
}

function thaw(text: string): Measured {
  const { signs, ...rest } = JSON.parse(text);
  const maps = {
    coverage: new Map(signs.coverage),
    texts: new Map(signs.texts),
    testTexts: new Map(signs.testTexts),
    testLines: new Map(signs.testLines.map(([path, lines]: [string, number[]]) => [path, new Set(lines)])),
  };
  return { ...rest, signs: { ...signs, ...maps } };
}
