/**
 * Compares plausible patches by what they do on inputs beyond the tests' (differential testing as in DiffTGen, Xin and Reiss,
 * ISSTA 2017; what passing tests show of the base is to stay, as in PATCH-SIM, Xiong et al., ICSE 2018). The tests cannot tell
 * the patches apart; wrong ones are often wrong in different ways, right ones do the same.
 */
import type { Comparison } from "../languages/contract.ts";

export interface Agreement {
  /** How many inputs were compared. */
  readonly inputs: number;
  /** How many other patches were compared, and how many of them did the same on all inputs. */
  readonly others: number;
  readonly alike: number;
  /** Of the inputs on which patches differ: the mean share of other patches that did the same; 1 where none differ. */
  readonly share: number;
  /** Inputs on which the base is believed right, and those of them on which the patch does what the base did. */
  readonly trusted: number;
  readonly kept: number;
  /** Inputs on which the patch hangs or ends the process, and the base does not. */
  readonly broken: number;
}

/** By candidate; those that could not be compared have none. */
export function weighAgreement(comparison: Comparison): ReadonlyMap<number, Agreement> {
  const { origins, behaviours } = comparison;
  const base = behaviours.get(0);
  const patches = [...behaviours].filter(([id]) => id !== 0);
  if (base === undefined || origins.length === 0) return new Map();
  const inputs = origins.map((_, at) => at);
  const did = (behaviour: readonly string[], at: number): string => behaviour[at] ?? "crash";
  const telling = inputs.filter((at) => new Set(patches.map(([, each]) => did(each, at))).size > 1);
  const trusted = listTrusted(comparison, base);
  return new Map(
    patches.map(([id, own]) => {
      const others = patches.filter(([other]) => other !== id);
      const sameAt = (at: number): number =>
        others.filter(([, other]) => did(other, at) === did(own, at)).length / others.length;
      const isBroken = (at: number): boolean => isFatal(did(own, at)) && !isFatal(did(base, at));
      return [
        id,
        {
          inputs: inputs.length,
          others: others.length,
          alike: others.filter(([, other]) => inputs.every((at) => did(other, at) === did(own, at))).length,
          share: telling.length === 0 ? 1 : mean(telling.map(sameAt)),
          trusted: trusted.length,
          kept: trusted.filter((at) => did(own, at) === did(base, at)).length,
          broken: inputs.filter(isBroken).length,
        },
      ];
    }),
  );
}

/**
 * Inputs on which the base is believed right: those of passing tests. Where the fault shows as an exception or an endless loop,
 * and not as a wrong value, also all others on which the base gives a value.
 */
function listTrusted({ origins }: Comparison, base: readonly string[]): number[] {
  const isValue = (at: number): boolean => base[at]?.startsWith("v") ?? false;
  const loud = origins.some((origin, at) => origin === "failing" && !isValue(at));
  return origins.flatMap((origin, at) =>
    origin === "passing" || (loud && origin === "derived" && isValue(at)) ? at : [],
  );
}

function isFatal(behaviour: string): boolean {
  return behaviour === "hang" || behaviour === "crash";
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * What the form's score is multiplied by: 0..1. The vote counts least: patches that undo what a function computes agree with each
 * other too, and where tests are weak they are the majority.
 */
export function factorOf({ share, trusted, kept, inputs, broken }: Agreement): number {
  const keeping = trusted === 0 ? 1 : kept / trusted;
  const standing = 1 - Math.min(1, (10 * broken) / Math.max(1, inputs));
  return (0.6 + 0.4 * share) * (0.2 + 0.8 * keeping) * (0.2 + 0.8 * standing);
}

/** Inputs below this are too few to say much. */
const enoughInputs = 20;

/** A sentence for people: what the comparison says for the patch and against it, and how much that is worth. */
export function describeAgreement(agreement: Agreement): string {
  const { inputs, others, alike, trusted, kept, broken } = agreement;
  const patches =
    others === 1 ? "the other plausible patch" : `${alike} of ${others} other plausible patches`;
  const does = others === 1 && alike === 0 ? "does not do the same as" : "does the same as";
  const base =
    trusted > 0 ? `, and what the base does on ${kept} of the ${trusted} where that is believed right` : "";
  const ends = broken > 0 ? `; it hangs or crashes on ${broken}` : "";
  const against = [
    ...(inputs < enoughInputs ? ["the inputs are few"] : []),
    ...(4 * alike < 3 * others ? ["other patches do something else"] : []),
    ...(trusted === 0 ? ["no passing test calls what the patch changes"] : []),
    ...(kept < trusted ? ["it changes what was believed right"] : []),
    ...(broken > 0 ? ["it ends badly where the base does not"] : []),
  ];
  const evidence = against.length === 0 ? "strong evidence" : `weak evidence: ${against.join(", ")}`;
  return `On ${inputs} generated inputs the patch ${does} ${patches}${base}${ends} (${evidence}).`;
}
