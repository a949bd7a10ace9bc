/** Spectrum formulas compute a statement's suspiciousness from counts of the tests that executed it. */

/** A statement's counts: the numbers of tests that execute it, and of tests that do not. */
export interface Spectrum {
  /** Failing tests that execute the statement, and that do not. */
  readonly failingCovering: number;
  readonly failingOther: number;
  /** Passing tests that execute the statement, and that do not. */
  readonly passingCovering: number;
  readonly passingOther: number;
}

export interface Formula {
  readonly name: string;
  readonly source: string;
  /** Larger is more suspicious. May be infinite or negative unless `bounded`, which means 0..1. */
  readonly score: (spectrum: Spectrum) => number;
  readonly bounded: boolean;
}

export const ochiai: Formula = {
  name: "ochiai",
  source:
    "Abreu, Zoeteweij, van Gemund: On the Accuracy of Spectrum-based Fault Localization, TAIC PART 2007",
  score: ({ failingCovering: ef, failingOther: nf, passingCovering: ep }) =>
    divide(ef, Math.sqrt((ef + nf) * (ef + ep))),
  bounded: true,
};

export const dstar: Formula = {
  name: "dstar",
  source:
    "Wong, Debroy, Gao, Li: The DStar Method for Effective Software Fault Localization, IEEE TR 2014; * = 2",
  score: ({ failingCovering: ef, failingOther: nf, passingCovering: ep }) =>
    ef === 0 ? 0 : (ef * ef) / (ep + nf),
  bounded: false,
};

export const tarantula: Formula = {
  name: "tarantula",
  source:
    "Jones, Harrold: Empirical Evaluation of the Tarantula Automatic Fault-Localization Technique, ASE 2005",
  score: ({ failingCovering: ef, failingOther: nf, passingCovering: ep, passingOther: np }) => {
    const failing = divide(ef, ef + nf);
    return divide(failing, failing + divide(ep, ep + np));
  },
  bounded: true,
};

export const barinel: Formula = {
  name: "barinel",
  source:
    "Abreu, Zoeteweij, van Gemund: Spectrum-Based Multiple Fault Localization, ASE 2009; single-fault form",
  score: ({ failingCovering: ef, passingCovering: ep }) => (ef === 0 ? 0 : 1 - ep / (ep + ef)),
  bounded: true,
};

export const op2: Formula = {
  name: "op2",
  source: "Naish, Lee, Ramamohanarao: A Model for Spectra-based Software Diagnosis, TOSEM 2011",
  score: ({ failingCovering: ef, passingCovering: ep, passingOther: np }) => ef - ep / (ep + np + 1),
  bounded: false,
};

export const formulas: readonly Formula[] = [ochiai, dstar, tarantula, barinel, op2];

/**
 * Scales the scores of an unbounded formula to 0..1: negative scores become 0, and the largest becomes 1. Infinite
 * scores become 1, and the largest finite score then 0.5. Returns the scores of a bounded formula unchanged.
 */
export function scaleScores(formula: Formula, scores: readonly number[]): number[] {
  if (formula.bounded) return [...scores];
  const finite = scores.filter((score) => Number.isFinite(score));
  const largest = Math.max(0, ...chunkMaxima(finite));
  const top = finite.length < scores.length ? 2 * (largest === 0 ? 1 : largest) : largest;
  return scores.map((score) => (Number.isFinite(score) ? divide(Math.max(0, score), top) : 1));
}

/** Maxima of parts of the list. Spreading a hundred thousand numbers into one call would overflow the stack. */
function chunkMaxima(values: readonly number[]): number[] {
  const maxima: number[] = [];
  for (let at = 0; at < values.length; at += 1000) maxima.push(Math.max(...values.slice(at, at + 1000)));
  return maxima;
}

function divide(a: number, b: number): number {
  return b === 0 ? 0 : a / b;
}
