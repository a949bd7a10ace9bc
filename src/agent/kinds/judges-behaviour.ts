/**
 * Checks, in fresh checkouts, that new tests judge behaviour:
 * - They must fail with a small fault that they noticed before. A test that compares with its own earlier record still
 *   passes, which is wrong.
 * - They must pass when Millwright adds only comments. A test of the code's text, size or hash fails, which is wrong.
 */
import { z } from "zod";
import { hashData } from "../../base/hash.ts";
import type { Predicate } from "../../domain/gate.ts";
import {
  isFailing,
  isUnbuilt,
  statusFinder,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import type { RunContext } from "../action.ts";
import type { ExecutedCode } from "../measure/executable-lines.ts";
import { testTimeoutOf } from "../measure/measure-suite.ts";
import { openTestExecutor } from "../measure/test-executor.ts";
import { type Mutant, mutatedText, runningKey } from "../mutants/list-mutants.ts";
import { placeMutants } from "../mutants/place-mutant.ts";
import type { MutantVerdicts, MutationExecutor } from "../mutants/run-mutants.ts";
import { cutSchema, limitedStep } from "../record/limited-step.ts";

const found = z.enum(["behaviour", "records", "reads", "uncommented", "unknown"]);
export type Judged = z.infer<typeof found>;

export interface JudgedBehaviour {
  /** A tree on which the tests pass. */
  readonly tree: string;
  readonly code: readonly ExecutedCode[];
  readonly tests: readonly TestKey[];
  /** Faults that the tests noticed. Empty if no fault could be inserted. */
  readonly noticed: readonly Mutant[];
}

const predicate = "new-tests-judge-behaviour";
/** Milliseconds for all runs. Each run builds from scratch. */
const usualMs = 300_000;
/**
 * Number of faults to try before concluding that the tests compare with their own records. A test may notice a single
 * fault by chance.
 */
const mostFaults = 2;
/** Maximum number of tried faults, including faults that build only in a batch. */
const mostTries = 5;
const comments = "comments";
const says: Readonly<Record<Judged, string>> = {
  behaviour:
    "in a fresh checkout, the new tests fail with an inserted fault, if one could be tried, and pass with added comments",
  records:
    "in a fresh checkout, the new tests pass with an inserted fault that they detected in earlier runs: they compare with their own earlier records",
  reads: "the new tests fail when Millwright adds only comments to the code: they read its text",
  uncommented:
    "Millwright could not run the new tests with added comments in the code, so it does not know whether they read the code's text",
  unknown: "the time did not suffice to run the new tests in a fresh checkout",
};

const unfaulted =
  "no fault could be inserted into the code; in a fresh checkout, the new tests pass with added comments";
/** The evidence for a patch that changes only other files, such as templates. */
const uncoded = "no executable line of code changes, so Millwright can add neither faults nor comments";

export async function judgesBehaviour(context: RunContext, asked: JudgedBehaviour): Promise<Predicate> {
  if (asked.code.length === 0) return { predicate, holds: true, evidence: uncoded };
  const { workspace, frameworks, signal, suite } = context;
  const commented = await commentMutant(asked.code);
  const options = {
    key: `behaviour:${asked.tree}:${hashData([asked.tests, asked.noticed])}`,
    title: "run the new tests with a fault and with comments",
    schema: z.object({ judged: found, ...cutSchema }),
    usualMs,
  };
  const { judged } = await limitedStep<{ judged: Judged; cutMs?: number | undefined }>(
    context,
    options,
    async (timeMs) => {
      const afresh = async (mutants: readonly Mutant[], leftMs: number): Promise<MutantVerdicts> => {
        const executor = await openTestExecutor(workspace, frameworks, signal);
        try {
          const on = {
            ...{ executor, trees: workspace.trees, command: suite.command },
            testTimeoutMs: testTimeoutOf(suite),
          };
          return await runEach(on, asked, mutants, leftMs);
        } finally {
          await executor.close();
        }
      };
      const own = await tellJudged(afresh, asked.noticed, commented, timeMs);
      return { result: { judged: own }, isCut: own === "unknown" };
    },
  );
  const isUnfaulted = judged === "behaviour" && asked.noticed.length === 0;
  const evidence = isUnfaulted ? unfaulted : says[judged];
  return { predicate, holds: judged === "behaviour", evidence, ...(judged === "unknown" && { isCut: true }) };
}

/**
 * Runs mutants one at a time, because in a batch the files on disk keep the text of the base. The tests notice a fault
 * only if one of them fails. A fault that does not build shows nothing.
 */
async function runEach(
  { executor, trees, command, testTimeoutMs }: Omit<MutationExecutor, "framework" | "durationMs">,
  { tree, tests }: JudgedBehaviour,
  mutants: readonly Mutant[],
  leftMs: number,
): Promise<MutantVerdicts> {
  const deadline = performance.now() + leftMs;
  const verdicts: MutantVerdicts = [];
  for (const placed of await placeMutants(trees, tree, mutants)) {
    if (placed === undefined) {
      verdicts.push("unbuildable");
      continue;
    }
    const timeoutMs = Math.max(1, deadline - performance.now());
    const ran = await executor.run(command, {
      tree: await trees.write(tree, [{ path: placed.file, content: mutatedText(placed) }]),
      selection: { kind: "tests", tests },
      ...{ testTimeoutMs, timeoutMs, stopAtFirstFailure: true },
    });
    verdicts.push(readVerdict(ran, tests, placed.description === comments));
  }
  return verdicts;
}

/** Reads the verdict of a run. A test that exceeds its time may have noticed a fault, but never comments. */
export function readVerdict(
  { report: { outcomes }, end }: Pick<TestRun, "report" | "end">,
  tests: readonly TestKey[],
  isCommented: boolean,
): MutantVerdicts[number] {
  const statuses = tests.map(statusFinder(outcomes));
  if (isBuildError(outcomes) && !isCommented) return "unbuildable";
  const isSlow = statuses.includes("timed-out");
  if (statuses.some((status) => isFailing(status) && !(isCommented && status === "timed-out")))
    return "noticed";
  if (statuses.every((status) => status === "passed")) return "survives";
  return end === "timed-out" || isSlow ? "unknown" : "unbuildable";
}

/** True if the tests fail because of a build error: each failing test has an error, or a build's type of failure. */
function isBuildError(outcomes: readonly TestOutcome[]): boolean {
  const failing = outcomes.filter(({ status }) => isFailing(status));
  return failing.length > 0 && failing.every((outcome) => outcome.status === "errored" || isUnbuilt(outcome));
}

/** Maps the verdict on a run with comments to a judgement. If no test had a result, the tests may read the code's text. */
const ofComments: Readonly<Record<MutantVerdicts[number], Judged>> = {
  ...{ survives: "behaviour", noticed: "reads", unbuildable: "uncommented", unknown: "unknown" },
};

/**
 * Decides whether the tests judge the code's behaviour, compare with their own records, or read the code's text.
 * `unknown` if the time ends first. `afresh` opens a checkout, and runs the mutants in it one after another, for at
 * most `leftMs` milliseconds.
 */
export async function tellJudged(
  afresh: (mutants: readonly Mutant[], leftMs: number) => Promise<MutantVerdicts>,
  noticed: readonly Mutant[],
  commented: Mutant | undefined,
  timeMs: number,
): Promise<Judged> {
  const deadline = performance.now() + timeMs;
  const left = (): number => deadline - performance.now();
  const ofText = commented === undefined ? [] : [commented];
  let read: MutantVerdicts[number] | undefined;
  let isNoticed = false;
  let passes = 0;
  for (const fault of noticed.slice(0, mostTries)) {
    const [seen, commentsRead] = await afresh([fault, ...(read === undefined ? ofText : [])], left());
    if (seen === "unknown" || commentsRead === "unknown") return "unknown";
    read ??= commentsRead;
    isNoticed = seen === "noticed";
    passes += seen === "survives" ? 1 : 0;
    if (isNoticed || passes === mostFaults) break;
  }
  if (!isNoticed && passes > 0) return "records";
  if (read === "survives") return "behaviour";
  // The run with the fault may have left something behind.
  const [again = "unbuildable"] = ofText.length === 0 ? [] : await afresh(ofText, left());
  return ofComments[again];
}

/** Adds comments to the first file of the code that can get any, as a mutant that no test of behaviour notices. */
async function commentMutant(code: readonly ExecutedCode[]): Promise<Mutant | undefined> {
  for (const { file, text, units } of code) {
    const lines = units.filter(({ at }) => at !== "load").flatMap(({ own }) => own);
    const replacement = await addComments(file, text, new Set(lines));
    if (replacement !== text)
      return { file, line: 1, description: comments, base: text, start: 0, end: text.length, replacement };
  }
  return undefined;
}

/**
 * Appends comments to the given lines and to the file, except inside strings. Line numbers and running code stay the
 * same.
 */
export async function addComments(file: string, text: string, lines: ReadonlySet<number>): Promise<string> {
  const marker = markerOf(file);
  if (marker === undefined) return text;
  const known = await runningKey(file, text);
  let now = text;
  const tries = [
    ...[...lines].map((line) => (from: string) => commentLine(from, line, marker)),
    commentEnd(marker),
  ];
  for (const change of tries) {
    const next = change(now);
    if ((await runningKey(file, next)) === known) now = next;
  }
  return now;
}

function commentLine(text: string, line: number, marker: string): string {
  const lines = text.split("\n");
  const own = lines[line - 1];
  if (own === undefined || own.trimEnd().endsWith("\\")) return text;
  lines[line - 1] = `${own.trimEnd()} ${marker} checked`;
  return lines.join("\n");
}

const commentEnd =
  (marker: string) =>
  (text: string): string =>
    `${text.replace(/\n?$/, "\n")}${marker} checked\n`;

function markerOf(file: string): string | undefined {
  if (/\.sh$/i.test(file)) return "#";
  return languageOf(file)?.lineComment ?? (/\.(?:swift|scala|dart|kts?)$/i.test(file) ? "//" : undefined);
}
