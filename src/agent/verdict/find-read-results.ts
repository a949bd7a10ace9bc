/**
 * Finds out whether a patch reads the expected results of its tests from their files. Runs these tests with other
 * content in the files. A test that still passes compares the file with itself.
 */
import { posix } from "node:path";
import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import { literally } from "../../base/literal-pattern.ts";
import { formatTestKey, statusFinder, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { languageOf } from "../../languages/source-files.ts";
import { addedLines, type ChangedFile, linesOf } from "../code/change.ts";
import { symbolsOf } from "../code/symbols-of.ts";
import { findFilesByTest, textOfLines } from "../code/test-bodies.ts";
import { testTimeoutOf, usualTimeOf } from "../measure/measure-suite.ts";
import { cutSchema, limitedStep } from "../record/limited-step.ts";
import type { ValueKey } from "../review/texts/value-keys.ts";
import { argumentsAt } from "../state/assertion-text.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite, TestExecutor } from "../suite.ts";
import { isNamedIn } from "./compared-data.ts";
import { shiftText } from "./other-values.ts";

interface ReadContext extends Pick<StrategyContext, "workspace" | "recorder" | "limits"> {
  readonly suite: Pick<Suite, "command" | "outcomes" | "durationMs" | "testTimeoutMs" | "part" | "own">;
  readonly executor: Pick<TestExecutor, "run">;
}

interface AskedPatch {
  readonly tests: readonly TestKey[];
  readonly patched: string;
  readonly files: readonly ChangedFile[];
  /** The values that the patch adds. */
  readonly keys: readonly ValueKey[];
}

const reads = /\b(?:read\w*|open|load\w*|slurp|file_get_contents|include_(?:str|bytes)!?)\s*\(|\bread_\w+\b/i;
const most = { files: 10, tests: 10 };
const patience = { factor: 1, ms: 30_000 };
/** `isRun`: true if each test has a result in a reliable report. */
const ranSchema = z.object({ passed: z.array(z.string()), isRun: z.boolean().default(true), ...cutSchema });

/**
 * Returns at most one objection, as a sentence, and at most one doubt, as a clause about the patch. Returns none unless
 * the patch adds code that reads, and the name of a file (or of its folder) that its tests read.
 */
export async function findReadResults(
  context: ReadContext,
  asked: AskedPatch,
): Promise<{ readonly objections: readonly string[]; readonly doubts: readonly string[] }> {
  const found = addsReading(asked.files) ? await findData(context, asked) : [];
  const [paths, tests] = [[...new Set(found.flatMap((each) => each.paths))], found.map(({ test }) => test)];
  if (paths.length === 0) return { objections: [], doubts: [] };
  const {
    suite,
    executor,
    workspace: { trees },
  } = context;
  const options = {
    key: `results:${hashText(JSON.stringify([asked.patched, paths, tests.map(formatTestKey)]))}`,
    title: "run the deciding tests with changed files of results",
    schema: ranSchema,
    usualMs: patience.factor * usualTimeOf(suite) + patience.ms,
  };
  const ran = await limitedStep<z.infer<typeof ranSchema>>(context, options, async (timeMs) => {
    const deadline = performance.now() + timeMs;
    const changed = await Promise.all(
      paths.map(async (path) => {
        const text = (await trees.read(asked.patched, path))?.toString("utf8") ?? "";
        return { path, content: changeContent(text) };
      }),
    );
    const { report } = await executor.run(suite.command, {
      tree: await trees.write(asked.patched, changed),
      selection: { kind: "tests", tests },
      testTimeoutMs: testTimeoutOf(suite),
      timeoutMs: timeMs,
    });
    const statusOf = statusFinder(report.outcomes);
    const own = report.invalid === undefined ? tests.filter((key) => statusOf(key) === "passed") : [];
    const isCut = performance.now() >= deadline;
    const isRun = !isCut && areTold(report, tests);
    return { result: { passed: own.map(formatTestKey), isRun }, isCut };
  });
  const objections = ran.passed.slice(0, 1).map((test) => {
    const own = found.find((each) => formatTestKey(each.test) === test)?.paths.join(", ");
    return `The patch reads the expected results of its tests: ${test} passes with other content in ${own}.`;
  });
  const isUnknown = ran.cutMs !== undefined || !ran.isRun;
  return {
    objections,
    doubts: isUnknown
      ? [
          "adds code that reads a file of its tests, and the tests gave no reliable results with other content in this file",
        ]
      : [],
  };
}

interface ToldReport {
  readonly outcomes: readonly Pick<TestOutcome, "key" | "status">[];
  readonly invalid?: string | undefined;
}

/** True if a reliable report has a result of each test. */
export function areTold({ outcomes, invalid }: ToldReport, tests: readonly TestKey[]): boolean {
  const statusOf = statusFinder(outcomes);
  return invalid === undefined && !tests.some((key) => ["timed-out", "not-run"].includes(statusOf(key)));
}

/**
 * Changes the letters and digits of each line except the first, by which code may recognise the file. If this changes
 * nothing, changes the first line.
 */
export function changeContent(text: string): string {
  const [, first = "", rest = ""] = /^([^\n]*\n)?([\s\S]*)$/.exec(text) ?? [];
  const changed = shiftText(rest, 1);
  return changed === rest ? `${shiftText(first, 1)}x\n` : first + changed;
}

function addsReading(files: readonly ChangedFile[]): boolean {
  return files.some((file) => {
    const lines = file.isTest ? [] : linesOf(file.after);
    return lines.length > 0 && addedLines(file).some((line) => reads.test(lines[line - 1] ?? ""));
  });
}

interface ReadingTest {
  readonly test: TestKey;
  readonly paths: readonly string[];
}

/**
 * Finds tests that read an unchanged data file, if the patch adds a text with the file's or folder's name. Omits files
 * whose path a test passes to the changed code, because the code may read such a file as an input. Reads at most
 * `most.tests` tests, and returns at most `most.files` files of each.
 */
async function findData(
  { workspace: { trees } }: ReadContext,
  { tests, patched, files, keys }: AskedPatch,
): Promise<ReadingTest[]> {
  const texts = keys.flatMap((key) => (key.startsWith("t:") && key.length > 4 ? [key.slice(2)] : []));
  const changed = new Set(files.map(({ path }) => path));
  const data = (await trees.list(patched)).filter(
    ({ path, mode }) =>
      mode !== "120000" &&
      languageOf(path) === undefined &&
      !changed.has(path) &&
      texts.some((text) => tellsPath(text, path)),
  );
  if (data.length === 0) return [];
  const found: ReadingTest[] = [];
  const asked = tests.slice(0, most.tests);
  const byTest = await findFilesByTest(trees, patched, asked);
  const functions = await listFunctions(files);
  for (const test of asked) {
    const [file] = byTest.get(formatTestKey(test)) ?? [];
    const [body] = file?.bodies ?? [];
    if (file === undefined || body === undefined) continue;
    const code = textOfLines(linesOf(file.text), body);
    const paths = data
      .map(({ path }) => path)
      .filter((path) => isNamedIn(code, path) && !isPassed(code, path, functions));
    if (reads.test(code) && paths.length > 0) found.push({ test, paths: paths.slice(0, most.files) });
  }
  return found;
}

/**
 * Tells whether a text contains the file's name without its extension or the folder's name, or is a part of the file's
 * name.
 */
export function tellsPath(text: string, path: string): boolean {
  const name = posix.parse(path).name.replace(/^\.+/, "");
  const isPart = text.length >= 4 && name.includes(text);
  const folder = posix.basename(posix.dirname(path));
  return isPart || [name, folder].some((part) => part.length > 1 && part !== "." && isNamedIn(text, part));
}

/** The names of the functions and types of the changed files. */
async function listFunctions(files: readonly ChangedFile[]): Promise<string[]> {
  const names = await Promise.all(
    files.map(async ({ path, after, isTest }) =>
      isTest || after === undefined
        ? []
        : ((await symbolsOf(path, after))?.definitions ?? []).map(({ name }) => name),
    ),
  );
  return [...new Set(names.flat())].filter((name) => /^[\w$]+$/.test(name));
}

/** Tells whether a test's code gives the path, or a variable that holds it, to one of the functions. */
export function isPassed(code: string, path: string, functions: readonly string[]): boolean {
  if (functions.length === 0) return false;
  const lines = code.split("\n");
  const file = posix.basename(path);
  const name = lines.some((line) => line.includes(file)) ? file : posix.basename(posix.dirname(path));
  const holders = lines.flatMap((line) =>
    line.includes(name) ? (/^\s*(?:\w+\s+)*([\w$]+)\s*:?=(?!=)/.exec(line)?.[1] ?? []) : [],
  );
  const given = new RegExp(
    [literally(name), ...holders.map((holder) => String.raw`\b${literally(holder)}\b`)].join("|"),
  );
  const calls = code.matchAll(
    new RegExp(String.raw`(?<![\w$])(?:${functions.map(literally).join("|")})\s*\(`, "g"),
  );
  const opens = [...calls].map(({ index, 0: call }) => index + call.length - 1);
  return argumentsAt(code, opens)
    .flat()
    .some((argument) => given.test(argument));
}
