/**
 * Finds out whether a patch reads the expected results of its tests from their files. Runs these tests with other
 * content in the files: a test that still passes compares a file with itself.
 */
import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import { formatTestKey, statusFinder, type TestKey } from "../../domain/test-outcome.ts";
import { languageOf } from "../../languages/source-files.ts";
import { addedLines, type ChangedFile, linesOf } from "../code/change.ts";
import { findFilesByTest, textOfLines } from "../code/test-bodies.ts";
import { testTimeoutOf, usualTimeOf } from "../measure/measure-suite.ts";
import { cutSchema, limitedStep } from "../record/limited-step.ts";
import type { ValueKey } from "../review/texts/value-keys.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite, TestBench } from "../suite.ts";
import { isNamedIn } from "./compared-data.ts";
import { shiftText } from "./other-values.ts";

interface ReadContext extends Pick<StrategyContext, "workspace" | "recorder" | "limits"> {
  readonly suite: Pick<Suite, "command" | "outcomes" | "durationMs" | "testTimeoutMs" | "part" | "own">;
  readonly bench: Pick<TestBench, "run">;
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
const ranSchema = z.object({ passed: z.array(z.string()), ...cutSchema });

/** Sentences of objection. Empty unless the patch adds code that reads, and a part of the name of such a file. */
export async function findReadResults(context: ReadContext, asked: AskedPatch): Promise<string[]> {
  const found = addsReading(asked.files) ? await findData(context, asked) : [];
  const [paths, tests] = [[...new Set(found.flatMap((each) => each.paths))], found.map(({ test }) => test)];
  if (paths.length === 0) return [];
  const {
    suite,
    bench,
    workspace: { trees },
  } = context;
  const options = {
    key: `results:${hashText(JSON.stringify([asked.patched, paths, tests.map(formatTestKey)]))}`,
    title: "run the deciding tests with other files of results",
    schema: ranSchema,
    usualMs: patience.factor * usualTimeOf(suite) + patience.ms,
  };
  const { passed } = await limitedStep<z.infer<typeof ranSchema>>(context, options, async (timeMs) => {
    const changed = await Promise.all(
      paths.map(async (path) => {
        const text = (await trees.read(asked.patched, path))?.toString("utf8") ?? "";
        return { path, content: changeContent(text) };
      }),
    );
    const { report } = await bench.run(suite.command, {
      tree: await trees.write(asked.patched, changed),
      selection: { kind: "tests", tests },
      testTimeoutMs: testTimeoutOf(suite),
      timeoutMs: timeMs,
    });
    const statusOf = statusFinder(report.outcomes);
    const own = report.invalid === undefined ? tests.filter((key) => statusOf(key) === "passed") : [];
    return { result: { passed: own.map(formatTestKey) }, isCut: false };
  });
  return passed.slice(0, 1).map((test) => {
    const own = found.find((each) => formatTestKey(each.test) === test)?.paths.join(", ");
    return `The patch reads the expected results of its tests: ${test} passes with another content of ${own}.`;
  });
}

/** Other letters and digits in each line except the first, by which code may know the file. */
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

/** Tests that read an unchanged file of data, part of whose path the patch adds as a text. */
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
      texts.some((text) => path.includes(text)),
  );
  if (data.length === 0) return [];
  const found: ReadingTest[] = [];
  const asked = tests.slice(0, most.tests);
  const byTest = await findFilesByTest(trees, patched, asked);
  for (const test of asked) {
    const [file] = byTest.get(formatTestKey(test)) ?? [];
    const [body] = file?.bodies ?? [];
    if (file === undefined || body === undefined) continue;
    const code = textOfLines(linesOf(file.text), body);
    const paths = data.map(({ path }) => path).filter((path) => isNamedIn(code, path));
    if (reads.test(code) && paths.length > 0) found.push({ test, paths: paths.slice(0, most.files) });
  }
  return found;
}
