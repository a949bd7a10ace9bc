/** Lists the functions of a tree that tests execute, with the tests that execute each. */
import { findTarget, pathOf } from "../../agent/kinds/target.ts";
import { linesRun } from "../../agent/measure/covered-lines.ts";
import { countLines, executableUnits, isExecuted } from "../../agent/measure/executable-lines.ts";
import { hashText } from "../../base/hash.ts";
import { callableKinds, type Definition } from "../../domain/code-symbols.ts";
import { type CoveredLines, formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import { languageOf } from "../../languages/source-files.ts";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";

export interface TestedFunction {
  readonly file: string;
  readonly language: string;
  /** `FILE:SYMBOL`. */
  readonly target: string;
  readonly definition: Definition;
  /** The tests that execute the function itself. Tests that only load its module do not count. */
  readonly tests: readonly TestKey[];
}

export interface FunctionSources {
  readonly files: readonly string[];
  readonly seed: number;
  /** The tests that passed. */
  readonly passed: readonly TestKey[];
  /** The executed lines of each file, by test. */
  readonly coverage: Record<string, CoveredLines>;
  read(path: string): Promise<string | undefined>;
  isTest(path: string, text: string): Promise<(line: number) => boolean>;
}

/** The minimum and maximum number of executable lines. Shorter functions are trivial, and longer ones too much work. */
const leastLines = 3;
const mostLines = 60;
/** The maximum number and share of tests that execute the function. The base must keep tests of the other code. */
const mostTests = 30;
const mostShare = 0.3;

/**
 * Lists functions in which passing tests execute every line. Omits functions that are too short or too long, or that
 * too many tests execute. The order depends only on the seed and the names.
 */
export async function listTestedFunctions(sources: FunctionSources): Promise<TestedFunction[]> {
  const { files, seed, passed, coverage, read, isTest } = sources;
  const keys = new Map(passed.map((key) => [formatTestKey(key), key]));
  const most = Math.min(mostTests, Math.floor(mostShare * keys.size));
  const found: TestedFunction[] = [];
  for (const file of files) {
    const text = await read(file);
    const language = languageOf(file)?.name;
    if (text === undefined || language === undefined) continue;
    const { definitions = [] } = (await extractSymbols(file, text)) ?? {};
    const isTestLine = await isTest(file, text);
    const run = linesRun({ tests: coverage }, file, (id) => keys.has(id));
    const byTest = [...keys].flatMap(([id, key]) => {
      const lines = coverage[id]?.[file] ?? [];
      return lines.length === 0 ? [] : [{ key, executed: new Set(lines) }];
    });
    for (const definition of definitions) {
      const { kind, container, startLine, endLine, isTest: runs } = definition;
      const isInner = callables.has(definitions[container]?.kind ?? "");
      if (!callables.has(kind) || isInner || runs === true || isTestLine(startLine)) continue;
      const target = `${file}:${pathOf(definitions, definition).join(".")}`;
      const spans = [{ startLine, endLine }];
      const units = ((await executableUnits({ file, text, spans, pragmas: true })) ?? []).filter(
        ({ at }) => at !== "load",
      );
      const { all, left } = countLines(units, run);
      if (all < leastLines || all > mostLines || left.length > 0) continue;
      const tests = byTest.flatMap(({ key, executed }) =>
        units.some((unit) => isExecuted(unit, { executed, loaded: none })) ? [key] : [],
      );
      if (tests.length === 0 || tests.length > most) continue;
      const known = await findTarget(target, async (path) => (path === file ? text : undefined));
      if (known.ok && known.value.spans.length === 1)
        found.push({ file, language, target, definition, tests });
    }
  }
  const order = ({ target }: TestedFunction): string => hashText(`${seed} ${target}`);
  return found.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

const callables: ReadonlySet<string> = new Set(callableKinds);
const none: ReadonlySet<number> = new Set();
