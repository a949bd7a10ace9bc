/** Finds lists whose order is random, where the statement demands an order. Works on the text. Pure. */
import { literally } from "../../../base/literal-pattern.ts";
import { type Careless, type Changed, ofLanguage } from "./careless-form.ts";

const aboutOrder =
  /\bin (?:the|their|its|that) (?:\w+ )?order\b|\border (?:in which|of (?:first|their|appearance|insertion))|\b(?:keep|retain|preserv|maintain)\w*[^.\n]{0,40}\border\b|\border[^.\n]{0,40}\b(?:kept|retained|preserved|stays?)\b/i;

interface Unordered {
  /** Finds the name of a container without an order. */
  readonly named: RegExp;
  /** Patterns for code that reads all elements of the container NAME, or of one without a name. */
  readonly reads: string;
}
const languages: Readonly<Record<string, Unordered>> = {
  go: {
    named: /(?<![\w.])(\w+)\s*(?::=|=)\s*(?:make\(\s*)?map\[|\bvar\s+(\w+)\s*(?:=\s*)?map\[/,
    reads: String.raw`\brange\s+NAME\b|\bmaps\.(?:Keys|Values)\(\s*NAME\b`,
  },
  rust: {
    named: /\blet\s+(?:mut\s+)?(\w+)\s*(?::[^=\n]*|=[^\n]*)\bHash(?:Set|Map)\b/,
    reads: String.raw`(?<![\w.])NAME\s*\.\s*(?:into_iter|iter|keys|into_keys|values|into_values|drain)\(|\bin\s+&?(?:mut\s+)?NAME\s*\{|Hash(?:Set|Map)\b[^;]{0,60}>\s*\(\)\s*\.\s*(?:into_iter|iter)\(`,
  },
  python: {
    named: /(?<![\w.])(\w+)\s*(?::[^=\n]*)?=\s*(?:set\(|\{[^:\n]*\bfor\b)/,
    reads: String.raw`\b(?:list|tuple)\(\s*(?:set\(|NAME\s*\))|\bfor\s+\w+(?:\s*,\s*\w+)*\s+in\s+(?:set\(|NAME\s*[:\])])|\[\s*\*(?:set\(|NAME\b)`,
  },
  java: {
    named: /\b(\w+)\s*=\s*new\s+Hash(?:Set|Map)\b/,
    reads: String.raw`\bnew\s+\w+<[^>\n]{0,40}>\(\s*(?:new\s+HashSet\b|NAME\b)|\bcopyOf\(\s*NAME\b|(?<![\w.])NAME\s*\.\s*(?:stream|keySet|values|entrySet|iterator)\(|:\s*NAME\s*\)|\.toSet\(\)\s*\)\s*\.stream\(`,
  },
};
/** Code that orders the elements after all, or reads them in an order of its own. */
const orders =
  /\bsort|\bSort|\bTree|\bLinked|\bBTree|\bIndex(?:Map|Set)|\bOrderedDict|\b(?:min|max|Min|Max)\w*\(/;
/** Code that builds a list. */
const lists =
  /\bappend\(|\.push\(|\.add\(|\bcollect\b|\b(?:list|tuple)\(|\[\s*\*|\bfor\b[^\n]*\bin\b[^\n]*\]|\.join\(|\bArrayList\b|\bcopyOf\b|\btoList\(|\byield\b|\bslices\.Collect\(/;

/** `for word := range seen` gives the words in another order on each call. */
function findRandomOrders({ code, subjects, compared }: Changed): Careless[] {
  const known = ofLanguage(languages, code);
  if (known === undefined || !aboutOrder.test(subjects)) return [];
  return compared.flatMap(({ own, is, was, added }): Careless[] => {
    if (orders.test(is) || !lists.test(is)) return [];
    const names = [...is.matchAll(new RegExp(known.named.source, "g"))].flatMap(
      ([, ...found]) => found.find((name) => name !== undefined) ?? [],
    );
    const name = `(?:${["(?!)", ...names.map(literally)].join("|")})`;
    const reads = new RegExp(known.reads.replaceAll("NAME", name));
    const at = added.find(({ code: line }) => reads.test(line));
    return at === undefined || reads.test(was)
      ? []
      : [
          {
            line: at.line,
            text: `lists elements in a random order in \`${own.name}\`, but the statement demands an order`,
          },
        ];
  });
}

export const demandedOrder: readonly ((change: Changed) => Careless[])[] = [findRandomOrders];
