/**
 * Derives likely kinds of repair from a failure. A missing value suggests a guard; an endless loop suggests another
 * condition.
 */
import type { TestFailure } from "../domain/test-outcome.ts";
import type { Proposal } from "./proposal.ts";

interface Symptom {
  readonly name: string;
  /** Matches `TYPE: MESSAGE` of a failure. */
  readonly pattern: RegExp;
  /** Template → the factor for its likelihood if this symptom occurs. */
  readonly templates: Readonly<Record<string, number>>;
}

/**
 * Based on the observation of PAR and NPEFix that the error's kind determines the template (Kim et al., ICSE 2013;
 * Durieux et al.).
 */
const symptoms: readonly Symptom[] = [
  {
    name: "a value is missing",
    pattern:
      /NoneType|NullPointerException|nil pointer dereference|nil map|is nil, not|\bof (?:null|undefined)\b|(?:null|undefined) (?:is not|or null|to object)|undefined or null/i,
    templates: { "null-guard": 4, "strengthen-condition": 5, "null-default": 4, "safe-access": 4 },
  },
  {
    name: "a place beyond the end",
    pattern:
      /IndexError|IndexOutOfBoundsException|NoSuchElementException|NegativeArraySizeException|RangeError: Invalid|out of (?:range|bounds)|from (?:an )?empty|StopIteration/,
    templates: {
      "off-by-one": 3,
      "comparison-operator": 1.5,
      "comparison-bound": 2,
      "slice-shift": 2,
      "strengthen-condition": 2,
      "null-guard": 2,
    },
  },
  {
    name: "it never ends",
    pattern:
      /^(?:TimeoutError|RecursionError|StackOverflowError|Crash|InternalError)|Maximum call stack|recursion depth|stack overflow|goroutines are asleep/,
    templates: {
      "comparison-operator": 1.5,
      "comparison-bound": 2,
      "replace-condition": 2,
      "swap-arguments": 2,
      "change-arguments": 1.5,
      "slice-shift": 2,
      "off-by-one": 1.5,
      "add-operand": 1.5,
    },
  },
  {
    name: "no such name or key",
    pattern: /KeyError|NameError|ReferenceError|has no attribute|is not a function|is not defined/,
    templates: {
      "replace-member": 2,
      "replace-variable": 1.5,
      "replace-callee": 2,
      "safe-access": 2,
      "strengthen-condition": 1.5,
    },
  },
  {
    name: "wrong arguments",
    pattern: /positional argument|required (?:positional|keyword)|unexpected keyword|takes \d+/,
    templates: { "change-arguments": 4, "swap-arguments": 1.5, "replace-callee": 1.5 },
  },
  {
    name: "a division by nothing",
    pattern: /ZeroDivisionError|ArithmeticException: \/ by zero|divide by zero|\bNaN\b/,
    templates: { "null-guard": 3, "strengthen-condition": 3, "null-default": 2 },
  },
];

type Failures = readonly Pick<TestFailure, "type" | "message">[];

/**
 * Returns a function that raises a proposal's prior, at most to 1. It does so if a failure shows a symptom that the
 * proposal's template treats.
 */
export function weighBySymptoms(failures: Failures): (proposal: Proposal) => Proposal {
  const factorOf = readSymptoms(failures);
  return (proposal) => {
    const factor = factorOf(proposal.template);
    return factor === 1 ? proposal : { ...proposal, prior: Math.min(1, proposal.prior * factor) };
  };
}

/** Returns the highest prior that `weighBySymptoms` can give to a proposal of one of these templates. */
export function highestPrior(
  templates: readonly { readonly name: string; readonly prior: number }[],
  failures: Failures,
): number {
  const factorOf = readSymptoms(failures);
  return Math.min(1, Math.max(...templates.map(({ name, prior }) => prior * factorOf(name))));
}

function readSymptoms(failures: Failures): (template: string) => number {
  const texts = failures.map((failure) => `${failure.type}: ${failure.message}`);
  const shown = symptoms.filter((symptom) => texts.some((text) => symptom.pattern.test(text)));
  return (template) => Math.max(1, ...shown.map((symptom) => symptom.templates[template] ?? 1));
}
