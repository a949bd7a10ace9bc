/** How much is known of a patch that passes its gate: a table of what can be missing, and what it makes of the evidence. Pure. */
import type { Predicate } from "../../domain/gate.ts";
import type { Strength } from "../../domain/solve-report.ts";
import type { Reservation } from "../../repair/agreement.ts";

export const evidenceSuffices = "evidence-suffices";

/** Absent where nobody looked. */
export interface Evidence {
  /** Whether somebody said what is wanted, beside the tests. */
  readonly hasStatement: boolean;
  /** What makes it less than certain that its tests fail for the stated reason. */
  readonly reasonDoubt?: string;
  /** It was seen to fail and pass in turn in a fresh sandbox. */
  readonly isConfirmed: boolean;
  /** Beside a test that must fail and one that must pass. */
  readonly hasCanaries: boolean;
  readonly form: PatchForm;
  /** Tests were seen to execute what the patch changes. */
  readonly isExecuted?: boolean;
  /** Small faults in the changed lines, and how many of them tests noticed. */
  readonly mutants?: { readonly tried: number; readonly noticed: number };
  /** What patch, base and other patches did on further inputs was compared: what that says against it. */
  readonly reservations?: readonly Reservation[];
  /** What reads as if it was made for the tests. */
  readonly doubts: readonly string[];
  /** Of them, what hardly any real fix has. */
  readonly strongDoubts?: readonly string[];
}

/** `deletes`: it takes code away and adds none. `switches-off`: all that it adds ends early or makes a condition constant. */
export type PatchForm = "changes" | "deletes" | "switches-off";

interface Condition {
  readonly makes: Exclude<Strength, "strong">;
  readonly lacks: (evidence: Evidence) => string | undefined;
}

const hasForm = ({ form }: Evidence): boolean => form !== "changes";
const tell = (found: readonly Reservation[]): string => found.map((each) => each.says).join(", and ");
const says = (isSo: boolean, text: string): string | undefined => (isSo ? text : undefined);

const conditions: readonly Condition[] = [
  {
    makes: "weak",
    lacks: ({ isConfirmed }) => says(!isConfirmed, "no run in a fresh sandbox confirms it"),
  },
  {
    makes: "weak",
    lacks: ({ isExecuted }) => says(isExecuted === false, "no test executes what it changes"),
  },
  {
    makes: "weak",
    lacks: (evidence) =>
      says(
        hasForm(evidence) && !evidence.hasStatement,
        `it only ${evidence.form === "deletes" ? "takes code away" : "switches code off"}, and nobody said that this is wanted: give a statement`,
      ),
  },
  {
    makes: "weak",
    lacks: ({ hasStatement, reservations = [] }) => {
      const grave = reservations.filter(({ isGrave }) => isGrave && !hasStatement);
      return says(grave.length > 0, `${tell(grave)}, and nobody said that this is wanted: give a statement`);
    },
  },
  {
    makes: "weak",
    lacks: ({ hasStatement, strongDoubts = [] }) =>
      says(
        strongDoubts.length > 0 && !hasStatement,
        `it ${strongDoubts.join(", and ")}, and nobody said that this is wanted: give a statement`,
      ),
  },
  {
    makes: "moderate",
    lacks: ({ hasStatement, reservations = [] }) => {
      const left = reservations.filter(({ isGrave }) => hasStatement || !isGrave);
      return says(left.length > 0, tell(left));
    },
  },
  {
    makes: "moderate",
    lacks: (evidence) =>
      says(
        hasForm(evidence) && evidence.hasStatement,
        `it only ${evidence.form === "deletes" ? "takes code away" : "switches code off"}`,
      ),
  },
  {
    makes: "moderate",
    lacks: ({ hasStatement }) => says(!hasStatement, "nothing but the tests says what is wanted"),
  },
  {
    makes: "moderate",
    lacks: ({ reasonDoubt }) => reasonDoubt,
  },
  {
    makes: "moderate",
    lacks: ({ hasCanaries }) => says(!hasCanaries, "no test that must fail could be set beside its tests"),
  },
  {
    makes: "moderate",
    lacks: ({ isExecuted, mutants }) =>
      says(
        isExecuted === undefined && (mutants?.noticed ?? 0) === 0,
        "nobody measured that tests execute what it changes",
      ),
  },
  {
    makes: "moderate",
    lacks: ({ mutants }) =>
      says(
        mutants !== undefined && mutants.noticed < mutants.tried,
        `${(mutants?.tried ?? 0) - (mutants?.noticed ?? 0)} of ${mutants?.tried} small faults in the changed lines are noticed by no test`,
      ),
  },
  {
    makes: "moderate",
    lacks: ({ mutants, reservations }) =>
      says(
        (mutants?.tried ?? 0) === 0 && reservations === undefined,
        "neither small faults in the changed lines nor inputs beyond the tests' were tried",
      ),
  },
  {
    makes: "moderate",
    lacks: ({ doubts }) => (doubts.length === 0 ? undefined : `it ${doubts.join(", and ")}`),
  },
];

export interface Weighed {
  readonly strength: Strength;
  readonly predicate: Predicate;
}

export function weighEvidence(evidence: Evidence): Weighed {
  const missing = conditions.flatMap(({ makes, lacks }) => {
    const text = lacks(evidence);
    return text === undefined ? [] : [{ makes, text }];
  });
  const isWeak = missing.some(({ makes }) => makes === "weak");
  const strength = isWeak ? "weak" : missing.length > 0 ? "moderate" : "strong";
  // What makes it weak says what to do; the rest is for who wants to know more.
  const told = missing.filter(({ makes }) => !isWeak || makes === "weak").map(({ text }) => text);
  return {
    strength,
    predicate: {
      predicate: evidenceSuffices,
      holds: !isWeak,
      evidence: `the evidence is ${strength}${told.length === 0 ? "" : `: ${told.join("; ")}`}`,
    },
  };
}
