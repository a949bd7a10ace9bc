/** Finds copies made through JSON. JSON turns dates into texts, and loses values that it cannot express. */
import { addedIn, type Careless, type Changed } from "./careless-form.ts";

const roundTrip = /\bJSON\.parse\(\s*JSON\.stringify\(|\bjson\.loads\(\s*json\.dumps\(/;
const copies = /\bcop(?:y|ies|ied)\b|\bclon(?:e|es|ed|ing)\b/i;
const copiesByName = /cop(?:y|ies)|clone/i;
/** Values that JSON cannot express. */
const richer =
  /\binstanceof\s+(?:Date|Map|Set|RegExp)\b|\bisinstance\([^()]*\b(?:date|datetime|set|tuple|Decimal|bytes)\b/;
const aboutJson = /\bJSON|\bserial|\bplain (?:data|objects?|values?)\b/i;

export function findRoundTrips(change: Changed): Careless[] {
  return change.compared.flatMap(({ own, was }) => {
    const says = `${change.subjects}\n${own.documentation}`;
    if (roundTrip.test(was) || aboutJson.test(says)) return [];
    const isCopy = copiesByName.test(own.name) || copies.test(own.documentation);
    if (!isCopy && !richer.test(was)) return [];
    return addedIn(change, own)
      .filter(({ code }) => roundTrip.test(code))
      .map(({ line }) => ({
        line,
        text: `copies values by way of JSON in \`${own.name}\`, which loses dates and other values that JSON cannot express`,
      }));
  });
}
