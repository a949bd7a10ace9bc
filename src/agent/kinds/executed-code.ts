/**
 * Finds the units of code that new tests execute. Measures them, or infers them from mutants if the framework cannot
 * measure lines. A test that notices a mutant in a line has executed that line.
 */
import { countOf } from "../../base/count.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { TestFramework } from "../../languages/contract.ts";
import { findFramework } from "../../languages/find-framework.ts";
import { plainCommand } from "../../languages/shell/plain-command.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { RunContext } from "../action.ts";
import { coverLines, linesRun } from "../measure/covered-lines.ts";
import { type ExecutedCode, isExecuted, type Unit } from "../measure/executable-lines.ts";
import { listMutants, type Mutant, mutatedText } from "../mutants/list-mutants.ts";
import { calledPlaces, mostMutants, placesOf } from "../mutants/mutated-places.ts";
import { unitsRun } from "../mutants/ran-before.ts";
import { runMutants } from "../mutants/run-mutants.ts";

export interface ExecutedUnits {
  readonly run: ReadonlySet<Unit>;
  /** The reason why mutants replaced a measurement of lines. */
  readonly inferred?: string;
}

export interface AskedCode {
  readonly tree: string;
  /** The new tests, which the base lacks. */
  readonly tests: readonly TestKey[];
  readonly code: readonly ExecutedCode[];
  /** True if the tests pass on the tree. Without passing tests, mutants prove nothing. */
  readonly isPassing: boolean;
}

/** Finds the units that the tests execute, or returns the reason why they are unknown. */
export async function findExecuted(context: RunContext, asked: AskedCode): Promise<ExecutedUnits | string> {
  const { frameworks, suite } = context;
  const framework = findFramework(frameworks, suite.command);
  if (framework.coverage === "none") return inferExecuted(context, framework, asked);
  const { tree, tests, code } = asked;
  const files = code.map(({ file }) => file);
  const covered = await coverLines(context, { tree, selection: { kind: "tests", tests }, files });
  if (covered.because !== undefined) return covered.because;
  const known = new Set(suite.outcomes.map(({ key }) => formatTestKey(key)));
  const run = code.flatMap(({ file, units }) => {
    const lines = linesRun(covered, file, (id) => !known.has(id));
    return units.filter((unit) => isExecuted(unit, lines));
  });
  return { run: new Set(run) };
}

/**
 * Maximum number of rounds. A round tries one more mutant of each line that is not known to run. Each mutant costs a
 * run of the tests.
 */
const mostRounds = 4;
/** Maximum number of listed mutants, because each costs a parse. */
const mostListed = 40;

async function inferExecuted(
  context: RunContext,
  { name }: TestFramework,
  { tree, tests, code, isPassing }: AskedCode,
): Promise<ExecutedUnits | string> {
  const inferred = `${name} does not report the executed lines of a test`;
  // A command does not report build errors: a mutant that does not build would seem noticed.
  const built = code.find(({ file }) => languageOf(file)?.interpreted !== true);
  if (name === plainCommand && built !== undefined)
    return `${inferred}, and mutants of ${built.file} may not build`;
  if (!isPassing) return `${inferred}, and mutants can show them only after the new tests pass`;
  const tried = new Set<string>();
  const noticed: Mutant[] = [];
  let run: ReadonlySet<Unit> = new Set();
  let late = 0;
  for (let round = 0; round < mostRounds; round += 1) {
    // The first round is the list that is tried for `new-tests-notice-faults`: its verdicts are recorded once.
    const mutants =
      round === 0 ? await listMutants(calledPlaces(code), mostMutants) : await listNext(code, run, tried);
    const verdicts = await runMutants(context, { tree, tests, mutants });
    // A mutant that there was no time for is tried again, as long as the run has time.
    late = verdicts.filter((verdict) => verdict === "unknown").length;
    for (const mutant of mutants.filter((_, at) => verdicts[at] !== "unknown"))
      tried.add(mutatedText(mutant));
    noticed.push(...mutants.filter((_, at) => verdicts[at] === "noticed"));
    run = await runOf(code, noticed);
    const isOver = code.every(({ units }) => units.every((unit) => run.has(unit)));
    if (isOver || mutants.length === 0) break;
  }
  const left = late === 0 ? "" : `, and ${countOf(late, "mutant")} did not run for lack of time`;
  return { run, inferred: `${inferred}${left}` };
}

async function runOf(code: readonly ExecutedCode[], noticed: readonly Mutant[]): Promise<Set<Unit>> {
  const found = await Promise.all(
    code.map((each) =>
      unitsRun(
        each,
        noticed.filter(({ file }) => file === each.file),
      ),
    ),
  );
  return new Set(found.flat());
}

/**
 * Lists one new mutant of each line that is not known to run. The last lines come first, because they show that earlier
 * lines ran.
 */
async function listNext(
  code: readonly ExecutedCode[],
  run: ReadonlySet<Unit>,
  tried: ReadonlySet<string>,
): Promise<Mutant[]> {
  const left = code.map((each) => ({ ...each, units: each.units.filter((unit) => !run.has(unit)) }));
  const listed = await listMutants(placesOf(left), mostListed);
  const fresh = listed.filter((mutant) => !tried.has(mutatedText(mutant)));
  const byLine = Map.groupBy(fresh, ({ file, line }) => `${file}:${line}`);
  return [...byLine.values()]
    .flatMap(([first]) => (first === undefined ? [] : [first]))
    .reverse()
    .slice(0, mostMutants);
}
