/**
 * Rates the evidence for a patch that passes its gate. A table lists the possible gaps, and how much each gap weakens
 * the evidence. Pure.
 */
import { countOf, wordFor } from "../../base/count.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { Strength } from "../../domain/solve-report.ts";
import type { Reservation } from "../../repair/agreement.ts";
import type { TriedMutants } from "../kinds/contract.ts";
import type { PatchForm } from "../review/texts/patch-form.ts";

export const evidenceSuffices = "evidence-suffices";

/** The evidence for a patch. A field is absent without a check, or if the check found nothing. */
export interface Evidence {
  /** True if the patch's author or reviewer read a statement of the request. An unread statement excuses nothing. */
  readonly isAsked: boolean;
  /** Reasons to doubt that the patch's tests fail for the stated reason. */
  readonly reasonDoubt?: string;
  /**
   * True if alternating runs in a fresh sandbox confirmed the result: tests fail without the patch and pass with it.
   */
  readonly isConfirmed: boolean;
  /** True if the time limit ended the run of all tests before the change. */
  readonly isPartOfTests?: boolean;
  /** True if the confirming tests ran next to a test that must fail and one that must pass. */
  readonly hasCanaries: boolean;
  /** True if a test's result is the exit code of a process that runs the patch. */
  readonly exitCodeDecides?: boolean;
  readonly form: PatchForm;
  /** True if a feature lacks evidence: its code has no mutant, no example ran, and no review approved it. */
  readonly isUnprobed?: boolean;
  /** True if the run wrote all deciding tests, and they contain no value of the statement. */
  readonly isOwnOpinion?: boolean;
  /**
   * True if nothing shows that regression tests can pass. The run wrote no fix, the tests contain no value of the
   * statement, and no review approved them.
   */
  readonly isUnfixed?: boolean;
  /** True if a measurement shows that tests execute the changed code; false if it shows that no test does. */
  readonly isExecuted?: boolean;
  /** The reason why only mutants show the executed lines. */
  readonly inferred?: string;
  /** Mutants of the lines that the patch changes, or that new tests must cover. */
  readonly mutants?: TriedMutants;
  /** Arguments against the patch from a comparison with the base and other patches on further inputs. */
  readonly reservations?: readonly Reservation[];
  /** The code that the statement names, if the patch changes neither this code nor code that it reaches. */
  readonly apartFrom?: readonly string[];
  /** Clauses about unchanged places whose code equals the replaced code. */
  readonly twins?: readonly string[];
  /** Clauses about stated cases. Only a review says that the tests show these cases. */
  readonly parts?: readonly string[];
  /** Signs that the patch fits only the tests. */
  readonly doubts: readonly string[];
  /** The `doubts` that real fixes almost never raise. */
  readonly strongDoubts?: readonly string[];
}

/**
 * The form of a patch. `deletes`: the patch only removes code. `switches-off`: each addition exits early or makes a
 * condition constant.
 */

interface Condition {
  readonly makes: Exclude<Strength, "strong">;
  readonly lacks: (evidence: Evidence) => string | undefined;
}

const hasForm = ({ form }: Evidence): boolean => form !== "changes";
const tell = (found: readonly Reservation[]): string => found.map((each) => each.says).join(", and ");
const tellSome = (names: readonly string[]): string =>
  `${names.slice(0, 3).join(", ")}${names.length > 3 ? " …" : ""}`;
/** An unread statement does not count as evidence. A model must read it, or a person must check the patch. */
const unread =
  "no model read a statement that asks for this change: check the patch yourself, or run again with a statement and a model";
const says = (isSo: boolean, text: string): string | undefined => (isSo ? text : undefined);

const conditions: readonly Condition[] = [
  {
    makes: "weak",
    lacks: ({ isConfirmed }) => says(!isConfirmed, "no run in a fresh sandbox confirms the result"),
  },
  {
    makes: "weak",
    lacks: ({ isPartOfTests = false }) =>
      says(
        isPartOfTests,
        "there was no time to run all tests without the patch: give the run a longer time limit",
      ),
  },
  {
    makes: "weak",
    lacks: ({ isExecuted }) => says(isExecuted === false, "no test executes the changed code"),
  },
  {
    makes: "weak",
    lacks: (evidence) =>
      says(
        hasForm(evidence) && !evidence.isAsked,
        `the patch only ${evidence.form === "deletes" ? "removes code" : "disables code"}, and ${unread}`,
      ),
  },
  {
    makes: "weak",
    lacks: ({ isAsked, reservations = [] }) => {
      const grave = reservations.filter(({ isGrave }) => isGrave && !isAsked);
      return says(grave.length > 0, `${tell(grave)}, and ${unread}`);
    },
  },
  {
    makes: "weak",
    lacks: ({ isAsked, strongDoubts = [] }) =>
      says(strongDoubts.length > 0 && !isAsked, `the patch ${strongDoubts.join(", and ")}, and ${unread}`),
  },
  {
    makes: "weak",
    lacks: ({ isAsked, apartFrom }) =>
      apartFrom === undefined || isAsked
        ? undefined
        : `the patch changes neither code that the statement names (${tellSome(apartFrom)}) nor code that the named code uses, and ${unread}`,
  },
  {
    makes: "weak",
    lacks: ({ isUnprobed = false }) =>
      says(
        isUnprobed,
        "no fault could be inserted into the new code, no example of the statement ran, and no review approved the patch: state an expected result, or let a model review the patch",
      ),
  },
  {
    makes: "moderate",
    lacks: ({ isUnfixed = false }) =>
      says(
        isUnfixed,
        "nothing shows that the new tests can pass: write a fix, give a result in the statement, or let a model review them",
      ),
  },
  {
    makes: "moderate",
    lacks: ({ isOwnOpinion = false }) =>
      says(isOwnOpinion, "the run wrote all deciding tests, and they contain no value of the statement"),
  },
  {
    makes: "moderate",
    lacks: ({ isAsked, reservations = [] }) => {
      const left = reservations.filter(({ isGrave }) => isAsked || !isGrave);
      return says(left.length > 0, tell(left));
    },
  },
  {
    makes: "moderate",
    lacks: (evidence) =>
      says(
        hasForm(evidence) && evidence.isAsked,
        `the patch only ${evidence.form === "deletes" ? "removes code" : "disables code"}`,
      ),
  },
  {
    makes: "moderate",
    lacks: ({ isAsked }) => says(!isAsked, "no model read a statement: only the tests specify the result"),
  },
  {
    makes: "moderate",
    lacks: ({ reasonDoubt }) => reasonDoubt,
  },
  {
    makes: "moderate",
    lacks: ({ hasCanaries }) => says(!hasCanaries, "no canary test could run with the patch's tests"),
  },
  {
    makes: "moderate",
    lacks: ({ exitCodeDecides = false }) =>
      says(
        exitCodeDecides,
        "the exit code does not show whether the test or the code under test ended the process",
      ),
  },
  {
    makes: "moderate",
    lacks: ({ isExecuted, mutants }) =>
      says(
        isExecuted === undefined && (mutants?.noticed ?? 0) === 0,
        "no measurement shows that tests execute the changed code",
      ),
  },
  {
    makes: "moderate",
    lacks: ({ inferred }) =>
      inferred === undefined ? undefined : `only mutants show which lines the tests execute: ${inferred}`,
  },
  {
    makes: "moderate",
    lacks: ({ mutants }) => {
      if (mutants === undefined || mutants.noticed >= mutants.tried) return undefined;
      const left = mutants.tried - mutants.noticed;
      return `${left} of ${countOf(mutants.tried, "mutant")} ${wordFor(left, "was", "were")} not detected by the tests`;
    },
  },
  {
    makes: "moderate",
    lacks: ({ mutants, reservations }) =>
      says(
        (mutants?.tried ?? 0) === 0 && reservations === undefined,
        "neither mutants nor further inputs show how strict the tests are",
      ),
  },
  {
    makes: "moderate",
    lacks: ({ twins = [] }) => (twins.length === 0 ? undefined : twins.join("; ")),
  },
  {
    makes: "moderate",
    lacks: ({ parts = [] }) => (parts.length === 0 ? undefined : parts.join("; ")),
  },
  {
    makes: "moderate",
    lacks: ({ doubts }) => (doubts.length === 0 ? undefined : `the patch ${doubts.join(", and ")}`),
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
  // Reasons for weak evidence come first, because they name a remedy. The rest are details.
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
