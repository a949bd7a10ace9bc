/** Reads the outcome of an attempt's reproduction: whether it shows the fault, how often it ran, and why it failed. */
import { z } from "zod";
import type { RunEvent } from "../../domain/run-event.ts";
import { reproducing } from "./reproducing.ts";
import type { RunRecord } from "./run-record.ts";
import type { Said } from "./test-steps.ts";

export const failureCauses = ["dependency", "does not compile", "irrelevant", "never ran"] as const;

export const reproductionSchema = z.object({
  /**
   * True if a reproduction, or the attempt's tests by the gate, failed on the base for the stated reason. The run
   * computes this; nobody judged it by hand.
   */
  isShown: z.boolean(),
  /** Test runs since the first reproduction, and runs of its own program. */
  runs: z.int(),
  /** The cause of the failure in the reproduction's last run; absent if the reproduction shows the fault. */
  cause: z.enum(failureCauses).optional(),
});
export type Reproduction = z.infer<typeof reproductionSchema>;

/**
 * Reads the run's reproduction; undefined if the run wrote no reproduction. `said`: all output of tests and commands,
 * in order.
 */
export function reproductionOf(
  { events }: Pick<RunRecord, "events">,
  said: readonly Said[],
): Reproduction | undefined {
  const first = said.findIndex(({ isReproduction }) => isReproduction);
  if (first === -1 && !events.some(writesReproduction)) return undefined;
  const since = first === -1 ? [] : said.slice(first);
  const runs = since.filter(({ by, isReproduction }) => by === "tests" || isReproduction).length;
  const isShown = events.some(showsFault);
  const last = since.findLast(({ isReproduction }) => isReproduction);
  return { isShown, runs, ...(isShown ? {} : { cause: last === undefined ? "never ran" : causeOf(last) }) };
}

function writesReproduction(event: RunEvent): boolean {
  return event.event === "action-started" && reproducing.has(event.action);
}

/**
 * True if the event proves that a reproduction shows the fault. A run stores a reproduction only if it fails on the
 * base for the stated reason. Loops with a shell leave this check to the gate.
 */
function showsFault(event: RunEvent): boolean {
  if (event.event === "candidate-created") return event.candidate.kind === "reproduction";
  if (event.event !== "run-ended") return false;
  return event.report.gate.some(({ predicate, holds }) => predicate === "failure-is-the-stated-one" && holds);
}

/** Messages about a missing or wrong module, package or manifest. */
const dependencyForm = new RegExp(
  [
    "no matching package|failed to (?:load|parse|read|select)|current package believes|could not find `Cargo.toml`",
    "can't find crate|missing a crate named|unlinked crate|undeclared crate|no external crate",
    "ModuleNotFoundError|ImportError|No module named|Cannot find (?:module|package)|Could not resolve|ERR_MODULE_NOT_FOUND",
    "no required module provides|cannot find package|package \\S+ does not exist|Could not (?:find|resolve) dependencies",
    "cannot load such file|Class \\S+ not found|fatal error: \\S+: No such file",
  ].join("|"),
);
const compileForm =
  /\berror\[E\d{4}\]|could not compile|SyntaxError|COMPILATION ERROR|\[build failed\]|error TS\d+|\berror: expected/;

/** Returns the cause of a failed reproduction, by the texts of its failures. */
export function causeOf({
  outcomes,
  texts,
}: Pick<Said, "outcomes" | "texts">): Exclude<(typeof failureCauses)[number], "never ran"> {
  const text = texts.join("\n");
  if (dependencyForm.test(text)) return "dependency";
  const isUnbuilt = outcomes.some(({ failure }) => /^(?:Build|Compile)Error$/.test(failure?.type ?? ""));
  return isUnbuilt || compileForm.test(text) ? "does not compile" : "irrelevant";
}
