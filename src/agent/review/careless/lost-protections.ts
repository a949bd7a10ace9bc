/**
 * Finds protections against hostile input that a patch removes: escaping, an argument list, a safe loader, a check of
 * the folder. Works on the text; pure except for the parser.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { type FileCode, joinCode } from "../texts/code-lines.ts";
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

function unitsOf({ code, before }: Changed, is: readonly string[], was: readonly string[]): Unit[] {
  if (before === undefined) return [];
  const functions = code.functions.flatMap((own): Unit[] => {
    const former = formerOf(before, own);
    return former === undefined
      ? []
      : [
          {
            startLine: own.startLine,
            is: is.slice(own.startLine - 1, own.endLine),
            was: was.slice(former.startLine - 1, former.endLine),
            name: own.name,
          },
        ];
  });
  const outside = (lines: readonly string[], own: FileCode): string[] => {
    const inner = new Set(
      own.functions.flatMap(({ startLine, lines: { length } }) =>
        Array.from({ length }, (_, index) => startLine + index),
      ),
    );
    return lines.map((line, index) => (inner.has(index + 1) ? "" : line));
  };
  return [...functions, { startLine: 1, is: outside(is, code), was: outside(was, before), name: "" }];
}

/** The unit's lines, and those of new functions that it calls. */
function withHelpers({ code, before }: Changed, { is }: Unit, all: readonly string[]): string[] {
  const text = joinCode(is);
  const helpers = code.functions.filter(
    (each) =>
      formerOf(before, each) === undefined &&
      new RegExp(String.raw`(?<![\w$])${literally(each.name)}\b`).test(text),
  );
  return [...is, ...helpers.flatMap(({ startLine, endLine }) => all.slice(startLine - 1, endLine))];
}

function findExchanges(change: Changed): Careless[] {
  const { code, before, subjects } = change;
  if (before === undefined) return [];
  const [is, was] = [shownLines(code), shownLines(before)];
  const units = unitsOf(change, is, was);
  return exchanges.flatMap(({ languages, safe, unsafe, about, says }): Careless[] => {
    if (languages?.includes(code.language) === false || about.test(subjects)) return [];
    if (count(is, safe) >= count(was, safe)) return [];
    return units.flatMap((unit): Careless[] => {
      const own = withHelpers(change, unit, is);
      const isExchanged =
        count(own, safe) < count(unit.was, safe) && count(own, unsafe) > count(unit.was, unsafe);
      return isExchanged ? [{ line: unit.startLine, text: says }] : [];
    });
  });
}

function findUnsafeForms(change: Changed): Careless[] {
  const { code, before, added, subjects } = change;
  if (before === undefined) return [];
  const [is, was] = [shownLines(code), shownLines(before)];
  const inside = new Set(
    unitsOf(change, is, was).flatMap(({ startLine, is: { length }, name }) =>
      name === "" ? [] : Array.from({ length }, (_, index) => startLine + index),
    ),
  );
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
function findLostCalls(change: Changed): Careless[] {
  const { code, before, subjects } = change;
  if (before === undefined) return [];
  const [now, old] = [code, before].map(({ lines }) => namesIn(joinCode(lines.map((each) => each.code))));
  return protections.flatMap((protection): Careless[] => {
    const { name, about, does } = protection;
    const isOfKind = (each: string): boolean => name.test(each);
    const isFewer = (now ?? []).filter(isOfKind).length < (old ?? []).filter(isOfKind).length;
    if (about.test(subjects) || !isFewer) return [];
    return change.compared.flatMap((compared) => {
      const lost = findLostCall(compared, protection);
      const { own } = compared;
      return lost === undefined || subjects.includes(lost)
        ? []
        : [{ line: own.startLine, text: `no longer ${does} a value: \`${own.name}\` loses \`${lost}\`` }];
    });
  });
}

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
function findLostContainment(change: Changed): Careless[] {
  if (aboutFolders.test(change.subjects)) return [];
  const text = joinCode(change.code.lines.map((each) => each.code));
  const old = joinCode(change.before?.lines.map((each) => each.code) ?? []);
  const all = new RegExp(contains.source, "g");
  if ([...text.matchAll(all)].length >= [...old.matchAll(all)].length) return [];
  return change.compared.flatMap(({ own, is, was }) =>
    resolves.test(was) && contains.test(was) && refuses.test(was) && !contains.test(is) && !resolves.test(is)
      ? [{ line: own.startLine, text: `no longer checks in \`${own.name}\` that a path stays in its folder` }]
      : [],
  );
}

/** The refusal of `__proto__` as a key. */
function findLostPrototypeChecks(change: Changed): Careless[] {
  const { code, before, subjects } = change;
  if (before === undefined || /__proto__|\bprototype/i.test(subjects)) return [];
  const form = /‹__proto__›|\bhasOwn(?:Property)?\b|\bObject\.create\(null\)/g;
  const key = /‹__proto__›/g;
  const [is, was] = [shownLines(code), shownLines(before)];
  if (count(is, key) >= count(was, key)) return [];
  return unitsOf(change, is, was).flatMap((unit) =>
    count(unit.was, key) > 0 && count(withHelpers(change, unit, is), form) < count(unit.was, form)
      ? [{ line: unit.startLine, text: "no longer refuses `__proto__` as a key" }]
      : [],
  );
}

export const lostProtections: readonly ((change: Changed) => Careless[])[] = [
  findExchanges,
  findUnsafeForms,
  findLostCalls,
  findLostContainment,
  findLostPrototypeChecks,
];
