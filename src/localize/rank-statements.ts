/** Fault localisation: the statements of a program, the likeliest at fault first, with why. */
import { type CoveredLines, formatTestKey, isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import { type Formula, ochiai, type Spectrum, scaleScores } from "./formulas.ts";
import { type LanguageOf, mapProgram, type PlacedStatement, type ProgramMap } from "./program-map.ts";
import { scoreNames, scoreStacks } from "./stack-score.ts";

export interface RankingInput {
  readonly outcomes: readonly TestOutcome[];
  /** Executed lines by formatTestKey; empty where the framework gives none. */
  readonly coverage: ReadonlyMap<string, CoveredLines>;
  /** Path → text of the files that may be at fault. */
  readonly texts: ReadonlyMap<string, string>;
  readonly languageOf: LanguageOf;
  /** Test files are never at fault here: they are left out, and their stack frames passed over. */
  readonly isTestFile: (file: string) => boolean;
  /** Ochiai unless given. */
  readonly formula?: Formula;
}

/** What the ranking rests on, the strongest first. */
export type RankingBasis = "coverage" | "stack-traces" | "names" | "nothing";

export interface Evidence {
  readonly failingCovering: number;
  readonly failing: number;
  readonly passingCovering: number;
  readonly formulaScore: number;
  readonly stackScore: number;
}

export interface RankedStatement {
  readonly file: string;
  /** Lines from 1: of a compound statement, its header. */
  readonly startLine: number;
  readonly endLine: number;
  readonly function?: string;
  /** 0..1. */
  readonly score: number;
  readonly evidence: Evidence;
}

export interface Ranking {
  readonly basis: RankingBasis;
  /** A sentence for people: what the ranking was computed from. */
  readonly explanation: string;
  /** Best first; statements without any sign of fault are left out. */
  readonly statements: readonly RankedStatement[];
}

/** Ranks statements by their spectrum, fused with stack traces; without coverage by what is left, and says so. */
export async function rankStatements(input: RankingInput): Promise<Ranking> {
  const formula = input.formula ?? ochiai;
  const suspects = new Map([...input.texts].filter(([file]) => !input.isTestFile(file)));
  const program = await mapProgram(suspects, input.languageOf);
  const failing = input.outcomes.filter((outcome) => isFailing(outcome.status));
  const spectra = countSpectra(program, input);
  const hasSpectrum = spectra.some((spectrum) => spectrum.failingCovering > 0);
  const formulaScores = scaleScores(formula, hasSpectrum ? spectra.map(formula.score) : spectra.map(() => 0));
  const stackScores = scoreStacks(program, failing);
  const nameScores = scoreNames(program, failing);
  const stacksSpeak = stackScores.some((score) => score > 0);
  const basis = basisOf(hasSpectrum, stackScores, nameScores);
  const traced = new Set(
    program.statements
      .filter((_, index) => (spectra[index]?.failingCovering ?? 0) > 0)
      .map((placed) => placed.file),
  );
  const scored = program.statements.map((placed, index) => ({
    name: nameScores[index] ?? 0,
    ranked: describe(placed, spectra[index], failing.length, {
      basis,
      formula: formulaScores[index] ?? 0,
      stack: stackScores[index] ?? 0,
      name: nameScores[index] ?? 0,
      stacksSpeak,
      excluded: traced.has(placed.file) && spectra[index]?.failingCovering === 0,
    }),
  }));
  const statements = scored
    .filter((item) => item.ranked.score > 0)
    .sort((a, b) => compare(a.ranked, b.ranked) || b.name - a.name || inOrder(a.ranked, b.ranked))
    .map((item) => item.ranked);
  return { basis, explanation: explain(basis, formula, failing, input), statements };
}

function countSpectra(program: ProgramMap, input: RankingInput): Spectrum[] {
  const covering = program.statements.map(() => ({ failing: 0, passing: 0 }));
  const totals = { failing: 0, passing: 0 };
  for (const outcome of input.outcomes) {
    const lines = input.coverage.get(formatTestKey(outcome.key));
    const side = isFailing(outcome.status) ? "failing" : "passing";
    if (lines === undefined || (side === "passing" && outcome.status !== "passed")) continue;
    totals[side]++;
    for (const index of coveredStatements(program, lines)) {
      const counts = covering[index];
      if (counts !== undefined) counts[side]++;
    }
  }
  return covering.map(({ failing, passing }) => ({
    failingCovering: failing,
    failingOther: totals.failing - failing,
    passingCovering: passing,
    passingOther: totals.passing - passing,
  }));
}

function coveredStatements(program: ProgramMap, lines: CoveredLines): Set<number> {
  const covered = new Set<number>();
  for (const [file, executed] of Object.entries(lines)) {
    for (const line of executed) for (const index of program.at(file, line)) covered.add(index);
  }
  return covered;
}

interface Signs {
  readonly basis: RankingBasis;
  readonly formula: number;
  readonly stack: number;
  readonly name: number;
  readonly stacksSpeak: boolean;
  /** No failing test executes it, though they execute others of its file: it cannot be at fault. */
  readonly excluded: boolean;
}

/** Stack traces weigh this much beside coverage: they point well at crashes, and only past a wrong value. */
const stackShare = 0.2;
/** Definitions run when their module is loaded, whichever test comes first. */
const definitionShare = 0.2;

function describe(
  placed: PlacedStatement,
  spectrum: Spectrum | undefined,
  failing: number,
  signs: Signs,
): RankedStatement {
  const { statement } = placed;
  const isDefinition = statement.role === "function" || statement.role === "class";
  const score = fuse(signs) * (isDefinition ? definitionShare : 1);
  return {
    file: placed.file,
    startLine: statement.startLine,
    endLine: statement.endLine,
    ...(placed.function === undefined ? {} : { function: placed.function }),
    score: Math.min(1, score),
    evidence: {
      failingCovering: spectrum?.failingCovering ?? 0,
      failing,
      passingCovering: spectrum?.passingCovering ?? 0,
      formulaScore: signs.formula,
      stackScore: signs.stack,
    },
  };
}

function fuse(signs: Signs): number {
  if (signs.excluded) return 0;
  if (signs.basis === "coverage") {
    return signs.stacksSpeak ? (1 - stackShare) * signs.formula + stackShare * signs.stack : signs.formula;
  }
  if (signs.basis === "stack-traces") return 0.9 * signs.stack + 0.1 * signs.name;
  return signs.basis === "names" ? signs.name : 0;
}

function basisOf(hasSpectrum: boolean, stacks: readonly number[], names: readonly number[]): RankingBasis {
  if (hasSpectrum) return "coverage";
  if (stacks.some((score) => score > 0)) return "stack-traces";
  return names.some((score) => score > 0) ? "names" : "nothing";
}

function explain(
  basis: RankingBasis,
  formula: Formula,
  failing: readonly TestOutcome[],
  input: RankingInput,
): string {
  const tests = `${failing.length} failing ${failing.length === 1 ? "test" : "tests"}`;
  const passed = input.outcomes.filter((outcome) => outcome.status === "passed").length;
  switch (basis) {
    case "coverage":
      return `Ranked by ${formula.name} from the executed lines of ${tests} and ${passed} passing, with the stack traces.`;
    case "stack-traces":
      return `No coverage of a failing test: ranked by the stack traces of ${tests} alone.`;
    case "names":
      return `Neither coverage nor a stack trace leads into the program: ranked by the names of ${tests} alone.`;
    case "nothing":
      return `Nothing connects ${tests} with the program's files.`;
  }
}

function compare(a: RankedStatement, b: RankedStatement): number {
  return b.score - a.score || b.evidence.stackScore - a.evidence.stackScore;
}

function inOrder(a: RankedStatement, b: RankedStatement): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.startLine - b.startLine || a.endLine - b.endLine;
}
