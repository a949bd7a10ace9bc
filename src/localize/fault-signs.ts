/** The measurements on which a ranking rests, and the scores that each sign gives to each statement. */
import { type CoveredLines, isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import type { LanguageOf } from "../syntax/read-source.ts";
import type { Spectrum } from "./formulas.ts";
import { mapProgram, type PlacedFunction, type ProgramMap } from "./program-map.ts";
import { countSpectra } from "./spectra.ts";
import { scoreNames, scoreStacks } from "./stack-score.ts";
import { readTestTexts } from "./test-text.ts";
import { scoreText } from "./text-score.ts";

/** The measurements for a ranking, as plain data that can be stored and ranked again. */
export interface FaultSigns {
  readonly outcomes: readonly TestOutcome[];
  /** Executed lines by formatTestKey; empty if the framework reports none. */
  readonly coverage: ReadonlyMap<string, CoveredLines>;
  /** Lines that ran while modules were loaded, for any test. */
  readonly loaded: CoveredLines;
  /** Path → text of the files that may be at fault, without tests. */
  readonly texts: ReadonlyMap<string, string>;
  /** Path → lines of test code in these texts, which cannot be at fault. */
  readonly testLines?: ReadonlyMap<string, ReadonlySet<number>>;
  /** Path → text of the files with the failing tests. */
  readonly testTexts: ReadonlyMap<string, string>;
  /** The user's words; "" if there are none. */
  readonly statement: string;
}

/** The signs of a fault, for each statement of `program`. All scores are from 0 to 1. */
export interface SignScores {
  readonly program: ProgramMap;
  readonly failing: readonly TestOutcome[];
  readonly spectra: readonly Spectrum[];
  /** By branch of `program`: the tests whose decision skips it. */
  readonly skipped: readonly Spectrum[];
  readonly stack: readonly number[];
  /** The match of the names of the statement's function and file with the failing tests' names. */
  readonly name: readonly number[];
  /** The match of the program statement's text with the failing tests, their messages and the user's words. */
  readonly text: readonly number[];
  /** The match of the function's name and text with the same texts. */
  readonly functionText: ReadonlyMap<PlacedFunction, number>;
  /** The number of failing tests whose text was found. */
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
