/** Turns executable code into the places that mutants change. */
import { languageOf } from "../../languages/source-files.ts";
import type { ExecutedCode } from "../measure/executable-lines.ts";
import type { MutatedPlace } from "./list-mutants.ts";

/** Maximum number of mutants in a list, because each mutant may cost a run. */
export const mostMutants = 12;

/** Places for mutants: lines that run in calls. Omits lines that run only when the file is loaded. */
export function calledPlaces(code: readonly ExecutedCode[]): MutatedPlace[] {
  return placesOf(code.map((each) => ({ ...each, units: each.units.filter(({ at }) => at !== "load") })));
}

export function placesOf(code: readonly ExecutedCode[]): MutatedPlace[] {
  return code.flatMap(({ file, text, units }) => {
    const language = languageOf(file);
    const lines = new Set(units.flatMap((unit) => unit.own));
    return language === undefined ? [] : [{ file, text, language, lines }];
  });
}
