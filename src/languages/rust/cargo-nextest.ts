/**
 * Runs tests with cargo nextest if the user's command starts it. Reads its output in the documented format
 * ("libtest-json-plus", which is experimental). Nobody has run this code with the real program.
 */

import { z } from "zod";
import type { TestFailure, TestKey, TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import {
  defineTestFramework,
  type Invocation,
  type InvocationRequest,
  type ReportRequest,
  type TestReport,
} from "../contract.ts";
import { cargoCollects } from "./cargo-collection.ts";
import { formatCargoCommand, readCargoCommand } from "./cargo-command.ts";
import { recogniseCargo } from "./cargo-detect.ts";
import { explainFailure } from "./cargo-panic.ts";
import { rustJudging } from "./rust-judging.ts";
import { findRustTestFiles } from "./rust-test-files.ts";

const eventSchema = z.object({
  type: z.enum(["test", "suite"]),
  event: z.enum(["started", "ok", "failed", "ignored"]),
  /** `PACKAGE::BINARY$TEST`; a repeated test has `#2` after it. */
  name: z.string().default(""),
  /** Duration in seconds. */
  exec_time: z.number().optional(),
  stdout: z.string().optional(),
  reason: z.string().optional(),
});

function invoke(request: InvocationRequest): Invocation {
  const call = readCargoCommand(request.command.command);
  const program = call?.program ?? ["cargo"];
  const given = call?.args ?? [];
  const end = given.indexOf("--");
  const [options, rest] = end === -1 ? [given, []] : [given.slice(0, end), given.slice(end)];
  const words = [
    ...program,
    "nextest",
    "run",
    ...options,
    ...["--message-format", "libtest-json-plus", "--color", "never"],
    ...(request.stopAtFirstFailure ? ["--fail-fast"] : ["--no-fail-fast"]),
    ...selectionWords(request),
    ...rest,
  ];
  return { run: words, env: { ...call?.env, NEXTEST_EXPERIMENTAL_LIBTEST_JSON: "1", NEXTEST_RETRIES: "0" } };
}

/** A filter expression; selects all tests if it would exceed the length limit of an argument. */
function selectionWords({ selection }: InvocationRequest): string[] {
  if (selection.kind !== "tests") return [];
  const filters = selection.tests.map(({ target, name }) => `(binary_id(=${target}) & test(=${name}))`);
  const filter = filters.join(" | ");
  return filters.length === 0 || filter.length > 100_000 ? [] : ["-E", filter];
}

const statuses: Readonly<Record<string, TestStatus>> = { ok: "passed", failed: "failed", ignored: "skipped" };

function parse(request: ReportRequest): TestReport {
  const outcomes = new Map<string, TestOutcome>();
  const running = new Map<string, TestKey>();
  for (const line of request.stdout.split("\n")) {
    const event = readEvent(line);
    if (event?.type !== "test") continue;
    const name = event.name.replace(/#\d+$/, "");
    const key = keyOf(name);
    running.set(name, key);
    const status = statuses[event.event];
    if (status === undefined) continue;
    running.delete(name);
    const failure =
      status === "failed" ? failureOf(event.stdout ?? event.reason ?? "", request.root) : undefined;
    const durationMs = Math.round((event.exec_time ?? 0) * 1000);
    outcomes.set(name, { key, status, durationMs, ...(failure && { failure }) });
  }
  for (const [name, key] of running) outcomes.set(name, { key, status: "not-run", durationMs: 0 });
  const all = [...outcomes.values()];
  return { outcomes: all, coverage: new Map(), invalid: findInvalidity(request, all) };
}

function readEvent(line: string): z.infer<typeof eventSchema> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return eventSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/**
 * The key of a test. The target is the binary's name in nextest's filters: `PACKAGE`, `PACKAGE::TEST` or
 * `PACKAGE::bin/PROGRAM`.
 */
function keyOf(name: string): TestKey {
  const at = name.indexOf("$");
  const [holder, test] = at === -1 ? ["", name] : [name.slice(0, at), name.slice(at + 1)];
  const [owner = "", binary] = holder.split("::");
  // The library's binary has its package's name, with `_` for `-`.
  const isLibrary = binary === owner.replaceAll("-", "_");
  return { package: "", target: isLibrary ? owner : holder, name: test };
}

function failureOf(text: string, root: string): TestFailure {
  const empty = { type: "", message: "", frames: [], text };
  return explainFailure(empty, { workspace: "", package: "" }, root);
}

function findInvalidity(
  { exitCode, stderr }: ReportRequest,
  outcomes: readonly TestOutcome[],
): string | undefined {
  const said = exitCode === null ? "killed" : `exit code ${exitCode}`;
  const failed = outcomes.some(({ status }) => status === "failed");
  if (!outcomes.some(({ status }) => status !== "not-run")) {
    return `no test ran (${said}): ${stderr.trim().slice(-1500)}`;
  }
  if (exitCode === null) return "the run was killed";
  if (failed && exitCode === 0) return "a test failed, but the run ended with exit code 0";
  if (!failed && exitCode !== 0) return `no test failed, but the run ended with ${said}`;
  return undefined;
}

export default defineTestFramework({
  name: "cargo-nextest",
  language: "rust",
  description:
    "cargo nextest, if the user's command starts it; checked only against the documented format, never run",
  coverage: "none",
  judging: rustJudging,
  withoutCanary: "cargo nextest was not available for tests",
  collects: cargoCollects,
  testFiles: findRustTestFiles,
  builds: true,
  isolates: true,
  detect: () => [],
  recognise(command, project) {
    const found = recogniseCargo(command, project, "nextest");
    if (found === undefined) return undefined;
    const { call, directory } = found;
    return {
      framework: "cargo-nextest",
      directory,
      command: formatCargoCommand(call),
      foundBy: "--test-command",
      likelihood: 1,
    };
  },
  invoke,
  parse,
});
