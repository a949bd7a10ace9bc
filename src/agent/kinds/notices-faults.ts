/**
 * Checks that new tests notice wrong code: of small faults in the executed code, they must notice at least half. Tests
 * that run every line but assert nothing notice almost none.
 */
import type { Predicate } from "../../domain/gate.ts";
import type { TestKey } from "../../domain/test-outcome.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { RunContext } from "../action.ts";
import type { Unit } from "../measure/executable-lines.ts";
import type { MutatedPlace } from "../mutants/list-mutants.ts";
import type { TriedMutants } from "./contract.ts";
import { measurePlaces } from "./target-strength.ts";

export interface ExecutedCode {
  readonly file: string;
  readonly text: string;
  readonly units: readonly Unit[];
}

export interface Noticed {
  readonly predicate: Predicate;
  /** For the next author: faults that no test notices. */
  readonly missing: readonly string[];
  readonly mutants: TriedMutants;
}

/** Some faults are equivalent to the program, so no test can notice them. */
const leastNoticed = 0.5;
/** Each may cost a run. */
const mostFaults = 12;
const predicate = "new-tests-notice-faults";

export async function noticesFaults(
  context: RunContext,
  tree: string,
  code: readonly ExecutedCode[],
  tests: readonly TestKey[],
): Promise<Noticed> {
  const places = code.flatMap(({ file, text, units }): MutatedPlace[] => {
    const language = languageOf(file);
    const lines = new Set(units.filter(({ at }) => at !== "load").flatMap((unit) => unit.own));
    return language === undefined ? [] : [{ file, text, language, lines }];
  });
  const strength = await measurePlaces(context, tree, places, { tests, most: mostFaults });
  const { noticed, tried, told, missing } = strength;
  if (tried === 0)
    return {
      predicate: {
        predicate,
        holds: true,
        evidence: "no small fault could be made in the lines that they execute",
      },
      missing: [],
      mutants: { tried, noticed },
    };
  const holds = noticed >= leastNoticed * tried;
  return {
    predicate: {
      predicate,
      holds,
      evidence: `in the lines that they execute, the new tests notice ${told}${holds ? "" : ": check the results"}`,
    },
    missing: holds ? [] : missing,
    mutants: { tried, noticed },
  };
}
