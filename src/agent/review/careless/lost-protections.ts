/**
 * Finds protections against hostile input that a patch removes: escaping, an argument list, a safe loader, a check of
 * the folder. Works on the text; pure except for the parser.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { type FileCode, type FunctionCode, joinCode } from "../texts/code-lines.ts";
import { type Careless, type Changed, type Compared, formerOf } from "./careless-form.ts";
import { exchanges, type Protection, protections, unsafeForms } from "./protections.ts";

/** A function that both trees have, or the code outside of functions. */
interface Unit {
  readonly startLine: number;
  /** Line by line, as in `protections.ts`. */
  readonly is: readonly string[];
  readonly was: readonly string[];
  readonly name: string;
}

const count = (lines: readonly string[], form: RegExp): number => [...joinCode(lines).matchAll(form)].length;

/** The file's lines, each with its strings. */
function shownLines({ lines }: FileCode): string[] {
  return lines.map(({ code, strings }) =>
    [code, ...strings.map((each) => `‹${each.replaceAll("\n", " ")}›`)].join(""),
  );
}

/** A changed file that the base has, with the lines of both. */
interface Shown extends Changed {
  readonly before: FileCode;
  readonly is: readonly string[];
  readonly was: readonly string[];
  readonly units: readonly Unit[];
}

function show(change: Changed, before: FileCode): Shown {
  const [is, was] = [shownLines(change.code), shownLines(before)];
  const functions = change.code.functions.flatMap((own): Unit[] => {
    const former = formerOf(before, own);
    if (former === undefined) return [];
    const { startLine, name } = own;
    return [{ startLine, name, is: linesIn(is, own), was: linesIn(was, former) }];
  });
  const outside = {
    startLine: 1,
    name: "",
    is: linesOutside(is, change.code),
    was: linesOutside(was, before),
  };
  return { ...change, before, is, was, units: [...functions, outside] };
}

const linesIn = (lines: readonly string[], { startLine, endLine }: FunctionCode): readonly string[] =>
  lines.slice(startLine - 1, endLine);

/** Blanks the lines of functions. */
function linesOutside(lines: readonly string[], { functions }: FileCode): string[] {
  const inner = numbersOf(functions.map(({ startLine, lines: { length } }) => ({ startLine, length })));
  return lines.map((line, index) => (inner.has(index + 1) ? "" : line));
}

function numbersOf(spans: readonly { readonly startLine: number; readonly length: number }[]): Set<number> {
  return new Set(
    spans.flatMap(({ startLine, length }) => Array.from({ length }, (_, index) => startLine + index)),
  );
}

/** The unit's lines, and those of new functions that it calls. */
function withHelpers({ code, before, is: all }: Shown, { is }: Unit): string[] {
  const text = joinCode(is);
  const helpers = code.functions.filter(
    (each) =>
      formerOf(before, each) === undefined &&
      new RegExp(String.raw`(?<![\w$])${literally(each.name)}\b`).test(text),
  );
  return [...is, ...helpers.flatMap((each) => linesIn(all, each))];
}

function findExchanges(shown: Shown): Careless[] {
  const { code, is, was, units, subjects } = shown;
  return exchanges.flatMap(({ languages, safe, unsafe, about, says }): Careless[] => {
    if (languages?.includes(code.language) === false || about.test(subjects)) return [];
    if (count(is, safe) >= count(was, safe)) return [];
    return units.flatMap((unit): Careless[] => {
      const own = withHelpers(shown, unit);
      const isExchanged =
        count(own, safe) < count(unit.was, safe) && count(own, unsafe) > count(unit.was, unsafe);
      return isExchanged ? [{ line: unit.startLine, text: says }] : [];
    });
  });
}

function findUnsafeForms({ code, is, was, units, added, subjects }: Shown): Careless[] {
  const functions = units.filter(({ name }) => name !== "");
  const inside = numbersOf(functions.map(({ startLine, is: { length } }) => ({ startLine, length })));
  return unsafeForms.flatMap(({ languages, unsafe, about, says, only }): Careless[] => {
    if (languages?.includes(code.language) === false || about.test(subjects)) return [];
    if (count(was, unsafe) > 0) return [];
    const at = is.findIndex(
      (line, index) =>
        added.has(index + 1) && (only === undefined || inside.has(index + 1)) && count([line], unsafe) > 0,
    );
    return at === -1 ? [] : [{ line: at + 1, text: says }];
  });
}

const call = /(?<![\w$])([A-Za-z_]\w*)\(\s*([^()\n]{0,300}(?:\([^()\n]{0,300}\)[^()\n]{0,300}){0,8})\)/g;
const word = /(?<![\w$.])[A-Za-z_$][\w$]*/g;

/** A call that escapes or validates a value disappears, and no other call of its kind takes its place. */
function findLostCalls({ code, before, compared, subjects }: Shown): Careless[] {
  const [now, old] = [namesIn(codeText(code)), namesIn(codeText(before))];
  return protections.flatMap((protection): Careless[] => {
    const { name, about, does } = protection;
    const isOfKind = (each: string): boolean => name.test(each);
    const isFewer = now.filter(isOfKind).length < old.filter(isOfKind).length;
    if (about.test(subjects) || !isFewer) return [];
    return compared.flatMap((each) => {
      const lost = findLostCall(each, protection);
      const { own } = each;
      return lost === undefined || subjects.includes(lost)
        ? []
        : [{ line: own.startLine, text: `no longer ${does} a value: \`${own.name}\` loses \`${lost}\`` }];
    });
  });
}

const codeText = ({ lines }: FileCode): string => joinCode(lines.map(({ code }) => code));
const namesIn = (text: string): string[] => [...text.matchAll(word)].map(([name]) => name);

/** The name of a call that a function loses, although it still uses the call's values as they are. */
function findLostCall(
  { own, is, was }: Compared,
  { name, kind, own: byHand }: Protection,
): string | undefined {
  const known = new Set(namesIn(was));
  const rest = bodyOf(is, own.name);
  const called = new Set([...rest.matchAll(/([\w$]+)[?!]?\(/g)].map(([, each]) => each));
  const standsIn = namesIn(rest.replaceAll(".", " ")).some(
    (each) =>
      name.test(each) ||
      (kind.test(each) && called.has(each)) ||
      (!known.has(each) && (kind.test(each) || byHand.test(each))),
  );
  if (standsIn) return undefined;
  const values = new Set(namesIn(rest));
  return [...bodyOf(was, own.name).matchAll(call)].find(
    ([, each = "", inner = ""]) => name.test(each) && namesIn(inner).some((value) => values.has(value)),
  )?.[1];
}

/** The function's text after its name and parameters. */
function bodyOf(text: string, name: string): string {
  const rest = text.slice(text.indexOf(name) + name.length);
  return rest.slice(rest.indexOf(")") + 1);
}

const resolves =
  /\b(?:realpath|realpathSync|resolve|normpath|abspath|normalize|Clean|EvalSymlinks|canonicalize|toRealPath|expand_path|getCanonicalPath)\b/;
const contains =
  /\b(?:startswith|startsWith|starts_with|start_with\?|HasPrefix|is_relative_to|relative_to|commonpath|strncmp|str_starts_with|strpos|IsLocal)\b/;
const refuses = /\b(?:raise|throw|panic|abort|return|Err)\b/;
const aboutFolders = /\btraversal\b|\boutside\b|\bcontain|\bsym-?links?\b|\bescap|\babsolute path/i;

/** The check that a path stays in its folder. */
function findLostContainment({ code, before, compared, subjects }: Shown): Careless[] {
  if (aboutFolders.test(subjects)) return [];
  const all = new RegExp(contains.source, "g");
  if ([...codeText(code).matchAll(all)].length >= [...codeText(before).matchAll(all)].length) return [];
  return compared.flatMap(({ own, is, was }) =>
    resolves.test(was) && contains.test(was) && refuses.test(was) && !contains.test(is) && !resolves.test(is)
      ? [{ line: own.startLine, text: `no longer checks in \`${own.name}\` that a path stays in its folder` }]
      : [],
  );
}

/** The refusal of `__proto__` as a key. */
function findLostPrototypeChecks(shown: Shown): Careless[] {
  const { is, was, units, subjects } = shown;
  if (/__proto__|\bprototype/i.test(subjects)) return [];
  const form = /‹__proto__›|\bhasOwn(?:Property)?\b|\bObject\.create\(null\)/g;
  const key = /‹__proto__›/g;
  if (count(is, key) >= count(was, key)) return [];
  return units.flatMap((unit) =>
    count(unit.was, key) > 0 && count(withHelpers(shown, unit), form) < count(unit.was, form)
      ? [{ line: unit.startLine, text: "no longer refuses `__proto__` as a key" }]
      : [],
  );
}

const losses = [findExchanges, findUnsafeForms, findLostCalls, findLostContainment, findLostPrototypeChecks];

/** Finds the protections that a changed file of the base loses. */
export function findLostProtections(change: Changed): Careless[] {
  if (change.before === undefined) return [];
  const shown = show(change, change.before);
  return losses.flatMap((find) => find(shown));
}
