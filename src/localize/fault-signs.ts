/** What the ranking is computed from, and what each sign says of each statement. */
import { type CoveredLines, isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import type { LanguageOf } from "../syntax/read-source.ts";
import type { Spectrum } from "./formulas.ts";
import { mapProgram, type PlacedFunction, type ProgramMap } from "./program-map.ts";
import { countSpectra } from "./spectra.ts";
import { scoreNames, scoreStacks } from "./stack-score.ts";
import { readTestTexts } from "./test-text.ts";
import { scoreText } from "./text-score.ts";

/** What was measured; plain data, which can be kept and ranked again. */
export interface FaultSigns {
  readonly outcomes: readonly TestOutcome[];
  /** Executed lines by formatTestKey; empty where the framework gives none. */
  readonly coverage: ReadonlyMap<string, CoveredLines>;
  /** Lines that ran while modules were loaded, for whichever test. */
  readonly loaded: CoveredLines;
  /** Path → text of the files that may be at fault: no tests among them. */
  readonly texts: ReadonlyMap<string, string>;
  /** Path → lines of these texts that are test code: no fault is looked for there. */
  readonly testLines?: ReadonlyMap<string, ReadonlySet<number>>;
  /** Path → text of the files in which the failing tests are written. */
  readonly testTexts: ReadonlyMap<string, string>;
  /** The user's words; "" without any. */
  readonly statement: string;
}

/** By statement of `program`, each 0..1. */
export interface SignScores {
  readonly program: ProgramMap;
  readonly failing: readonly TestOutcome[];
  readonly spectra: readonly Spectrum[];
  /** By branch of `program`: of the tests that decide against it. */
  readonly skipped: readonly Spectrum[];
  readonly stack: readonly number[];
  /** The failing tests' names in the names of its function and file. */
  readonly name: readonly number[];
  /** Terms of the failing tests, their messages and the user's statement in its own text. */
  readonly text: readonly number[];
  /** The same of its function's name and text. */
  readonly functionText: ReadonlyMap<PlacedFunction, number>;
  /** How many failing tests' text was found. */
  readonly testsRead: number;
}

export async function scoreSigns(signs: FaultSigns, languageOf: LanguageOf): Promise<SignScores> {
  const program = await mapProgram(signs.texts, languageOf, signs.testLines);
  const failing = signs.outcomes.filter((outcome) => isFailing(outcome.status));
  const tests = await readTestTexts(failing, signs.testTexts, languageOf);
  const { texts, statement } = signs;
  const text = scoreText(program, { failing, tests, texts, statement });
  const spectra = countSpectra(program, signs.outcomes, signs.coverage, signs.loaded);
  return {
    program,
    failing,
    spectra: spectra.statements,
    skipped: spectra.skipped,
    stack: scoreStacks(program, failing),
    name: scoreNames(program, failing),
    text: text.statements,
    functionText: text.functions,
    testsRead: tests.size,
  };
}
