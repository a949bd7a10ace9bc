/** Measures how well tests check a target: the lines that they execute, and the small faults there that they notice. */
import type { TestKey } from "../../domain/test-outcome.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { RunContext } from "../action.ts";
import { isExecuted, linesOf, type RunLines, tellUnit, type Unit } from "../measure/executable-lines.ts";
import { listMutants, type Mutant } from "../mutants/list-mutants.ts";
import { type MutantVerdicts, runMutants } from "../mutants/run-mutants.ts";
import { findExecuted } from "./executed-code.ts";
import type { Target } from "./target.ts";

export interface Asked {
  /** A tree on which the tests pass. */
  readonly tree: string;
  readonly target: Target;
  readonly units: readonly Unit[];
}

/**
 * Returns the units that no test executes, or the reason why they are unknown. `known`: lines that are known to be
 * executed.
 */
export async function findUncovered(
  context: RunContext,
  { tree, target: { file, text }, units }: Asked,
  { tests, known }: { readonly tests: readonly TestKey[]; readonly known: RunLines },
): Promise<readonly Unit[] | string> {
  const left = linesOf(units.filter((unit) => !isExecuted(unit, known)));
  if (left.length === 0 || tests.length === 0) return left;
  const code = [{ file, text, units: left }];
  const found = await findExecuted(context, { tree, tests, code, isPassing: true });
  return typeof found === "string" ? found : left.filter((unit) => !found.run.has(unit));
}

export function describeUncovered({ file }: Target, left: readonly Unit[]): string[] {
  return left.map((unit) => `No test executes ${file}:${unit.line}: ${tellUnit(unit)}`);
}

export interface Strength {
  readonly noticed: number;
  /** Number of faults that build. Faults that did not run for lack of time count as unnoticed. */
  readonly tried: number;
  /** Number of faults that were not run for lack of time. */
  readonly unknown: number;
  /** The result as text, such as `9 of 12 small faults (2 were not run for lack of time, and count as not detected)`. */
  readonly told: string;
  /** For the next author: faults that no test notices. */
  readonly missing: readonly string[];
}

/**
 * Counts the injected faults that the tests detect. `most`: maximum number of faults. `leastShare`: the share that
 * tests must notice.
 */
export async function measureStrength(
  context: RunContext,
  { tree, target, units }: Asked,
  {
    most,
    ...wanted
  }: { readonly tests: readonly TestKey[]; readonly most: number; readonly leastShare: number },
): Promise<Strength> {
  const { file, text } = target;
  const language = languageOf(file);
  if (language === undefined) return weighMutants([], []);
  const lines = new Set(units.flatMap((unit) => unit.own));
  const mutants = await listMutants([{ file, text, language, lines }], most);
  return weighMutants(mutants, await runMutants(context, { tree, mutants, ...wanted }));
}

/**
 * Decides whether the tests notice this share of the faults. It is undecided (`isCut`) if the faults that did not run
 * could still complete the share.
 */
export function decideShare(
  { noticed, tried, unknown }: Pick<Strength, "noticed" | "tried" | "unknown">,
  least: number,
): { readonly holds: boolean; readonly isCut?: true } {
  const holds = noticed >= least * tried;
  return !holds && noticed + unknown >= least * tried ? { holds, isCut: true } : { holds };
}

export function weighMutants(
  mutants: readonly Pick<Mutant, "file" | "line" | "description">[],
  verdicts: MutantVerdicts,
): Strength {
  const count = (wanted: MutantVerdicts[number]): number =>
    verdicts.filter((verdict) => verdict === wanted).length;
  const [noticed, unknown] = [count("noticed"), count("unknown")];
  const tried = noticed + count("survives") + unknown;
  const late =
    unknown === 0
      ? ""
      : ` (${unknown} ${unknown === 1 ? "was not run for lack of time, and counts" : "were not run for lack of time, and count"} as not detected)`;
  return {
    noticed,
    tried,
    unknown,
    told: `${noticed} of ${tried} small faults${late}`,
    missing: mutants.flatMap(({ file, line, description }, index) =>
      verdicts[index] === "survives" ? [`${file}:${line}: no test detects that ${description}`] : [],
    ),
  };
}
