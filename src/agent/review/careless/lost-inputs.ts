/**
 * Finds functions that no longer use an input as the base does. No code reads the parameter, or a use precedes the
 * function's own check. Works on the text. Pure.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { type FileCode, type FunctionCode, joinCode, writtenParameters } from "../texts/code-lines.ts";
import { type AddedLine, type Careless, type Changed, formerOf } from "./careless-form.ts";

/** A line that uses a value without an effect on the result. */
const idle =
  /^\s*(?:del\b|void\b|_\s*:?=|assert\b|debug_assert|let\s+_\s*=|(?:[\w$@]+\.)*(?:log(?:ger|ging)?|_?logger|LOG|console|warnings?)\b|print\w*\(|warn\w*\(|debug\w*\()/;
/** Code that reads a function's inputs without their names. */
const unnamed =
  /\barguments\b|\blocals\(\)|\bvars\(\)|\bfunc_get_args\b|\bsuper\b(?!\s*[.(]\S)|@_|\bbinding\b/;
/** Code of a function that does nothing yet, or that has no use any more. */
const unusable =
  /\bNotImplemented|\bUnsupportedOperation|\bunimplemented!|\btodo!|\bnot (?:implemented|supported)/i;
const unusedByIntent =
  /\bunused\b|\bignored?\b|\bdeprecat|\bno longer\b|\bno effect\b|\bbackwards?[- ]compat|\bcompatib/i;

const count = (text: string, name: string): number =>
  [...text.matchAll(new RegExp(String.raw`(?<![\w$])${literally(name)}(?![\w$])`, "g"))].length;

/** Counts the uses of a name in the lines after the header. */
const countReads = ({ signature }: FunctionCode, lines: readonly string[], name: string): number =>
  count(joinCode(lines), name) - count(signature.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, " "), name);

const namesakes = (all: readonly FunctionCode[], { name, type }: FunctionCode): FunctionCode[] =>
  all.filter((each) => each.name === name && each.type === type);

/** Returns the parameters that a function takes by name, as in the source. */
const namedInputs = ({ signature, name: own, parameters }: FunctionCode): string[] => {
  const written = writtenParameters(signature, own);
  return parameters.filter(
    (name, index) =>
      /^[A-Za-z]\w*$/.test(name) &&
      !/^\s*(?:\*|\.\.\.|(?:private|protected|public|readonly)\b)/.test(written[index] ?? ""),
  );
};

/** `Promise.all(items.map(work))` in `mapLimit(items, limit, work)`, which reads `limit` on the base. */
function findUnreadInputs({ code, before, subjects, compared }: Changed): Careless[] {
  if (before === undefined || unusedByIntent.test(subjects)) return [];
  return compared.flatMap(({ own, was, is, added }): Careless[] => {
    if (added.length === 0 || was === is || unnamed.test(is)) return [];
    const [old, ...others] = namesakes(before.functions, own);
    if (old === undefined || others.length > 0 || namesakes(code.functions, own).length > 1) return [];
    if (unusable.test(is) || unusedByIntent.test(own.documentation) || takesRest(own)) return [];
    const strings = code.lines.slice(own.startLine - 1, own.endLine).flatMap((line) => line.strings);
    const itself = new RegExp(String.raw`(?<![\w$])${literally(own.name)}\(`);
    const used = old.lines.filter((line, index) => index === 0 || !(idle.test(line) || itself.test(line)));
    const lost = namedInputs(own).find(
      (name) =>
        old.parameters.includes(name) &&
        count(subjects, name) === 0 &&
        countReads(old, used, name) > 0 &&
        countReads(own, own.lines, name) <= 0 &&
        !strings.some((text) => new RegExp(String.raw`[{$:]${literally(name)}\b`).test(text)),
    );
    if (lost === undefined) return [];
    const isDocumented = describes(own.documentation, lost);
    // Callers of several functions with this input, or a base class, may require it.
    const isShared = code.functions.some((each) => each.name !== own.name && each.parameters.includes(lost));
    return isShared && !isDocumented
      ? []
      : [
          {
            line: own.startLine,
            text: `no longer reads \`${lost}\`, an input of \`${own.name}\``,
            isDoubt: !isDocumented || isShared || hasBase(code, own),
          },
        ];
  });
}

/**
 * True if the documentation describes the parameter: `:param x:`, `@param x`, `x: …`, `x (int): …` or a quoted `x`. The
 * bare word in a sentence does not count.
 */
function describes(documentation: string, parameter: string): boolean {
  const name = literally(parameter);
  return [
    String.raw`[:@\\]param(?:eter)?\b[^\n]{0,80}?[\s$]${name}(?![\w$])`,
    String.raw`(?:^|[\n.,;:(])[\s*/#$-]{0,40}${name}\s{0,8}(?:\([^)\n]{0,80}\)\s{0,8})?:(?!:)`,
    String.raw`["'${"`"}*]\$?${name}["'${"`"}*]`,
  ].some((form) => new RegExp(form).test(documentation));
}

/** True if the function's type has a base or an interface, which may fix its parameters. */
function hasBase({ language, definitions, lines }: FileCode, { type, startLine }: FunctionCode): boolean {
  if (type === "") return false;
  if (language === "rust") {
    const header = lines.slice(0, startLine).findLast(({ code }) => /^\s*(?:unsafe\s+)?impl\b/.test(code));
    return /\sfor\s/.test(header?.code ?? "");
  }
  const own = definitions.findLast(
    (each) => each.name === type && each.kind !== "constructor" && each.startLine <= startLine,
  );
  const text =
    own === undefined
      ? ""
      : joinCode(lines.slice(own.startLine - 1, own.startLine + 4).map(({ code }) => code));
  if (language === "python") return /^\s*class\s+\w+(?:\[[^\]]*\])?\s*\(\s*(?!object\s*\)|\))/m.test(text);
  const [header = ""] = /^[^{]*/.exec(text) ?? [];
  return (
    /\bextends\b|\bimplements\b/.test(header) || (language === "ruby" && /class\s+\w+\s*<(?!<)/.test(header))
  );
}

/** True for `(request, ...rest) => this.#send(request, rest[0])`, in which another parameter may hold the input. */
const takesRest = ({ lines }: FunctionCode): boolean =>
  /\.\.\.\s*[\w$]+\s*(?:\)|:[^()]{0,80}\))/.test(joinCode(lines.slice(0, 3)).split(/[{;]\s*\n/)[0] ?? "");

/** `if` with its condition, up to the `:`, the `{` or the `)` that ends it. */
const check = /^\s*if\b\s*(.*)$/;
const fails =
  /\b(?:raise|throw|panic!?|bail!|abort)\b|\breturn\s+(?:Err\(|[^;\n]*\b(?:err|Errorf|errors?\.New)\b)/;

/** Returns the variable names of a condition. Omits names of calls and of members. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*(?![\w$]|\s*\()/g)].map(([name]) => name);

/**
 * `if (known) { known.count += count; return known; }` before the check that refuses a bad `count`, which is the base's
 * first statement.
 */
function findLateChecks({ before, compared }: Changed): Careless[] {
  return compared.flatMap(({ own, is, was, added }): Careless[] => {
    const old = formerOf(before, own);
    if (old === undefined || added.length === 0 || is === was) return [];
    const first = old.lines.findIndex((line, index) => index > 0 && /^\s*if\b/.test(line));
    const guard = old.lines[first] ?? "";
    const isFirst = old.lines
      .slice(1, first)
      .every((line) => /^[\s)\]}{:>\w,.|]*$/.test(line) || !/[=(]/.test(line));
    if (first === -1 || !isFirst || !fails.test(`${guard}\n${old.lines[first + 1] ?? ""}`)) return [];
    const again = own.lines.findIndex((line) => line.trim() === guard.trim());
    const early = added.filter(({ line }) => line < own.startLine + again && line > own.startLine);
    if (again === -1 || !early.some(({ code }) => /^\s*return\b|[;{]\s*return\b/.test(code))) return [];
    const condition = check.exec(guard)?.[1]?.replace(/\b(?:raise|throw)\b.*$/, "") ?? "";
    const guarded = namesIn(condition).filter((name) => own.parameters.includes(name));
    const name = guarded.find((each) => usesUntested(early, each));
    const at = early.find(({ code }) => name !== undefined && count(code, name) > 0);
    return name === undefined || at === undefined
      ? []
      : [
          {
            line: at.line,
            text: `uses \`${name}\` in \`${own.name}\` before the check that refuses bad values of it`,
            isDoubt: ![name, ...madeOf(early, name)].some((each) =>
              early.some(({ code }) => keeps(code, each)),
            ),
          },
        ];
  });
}

const tests = /^\s*(?:\}\s*)?(?:if|elif|else if|elsif|unless|while|switch|case)\b/;

/** True if the lines use a name, but test neither the name nor a variable computed from it. */
function usesUntested(early: readonly AddedLine[], name: string): boolean {
  const names = [name, ...madeOf(early, name)];
  const isTested = early.some(({ code }) => tests.test(code) && names.some((each) => count(code, each) > 0));
  return !isTested && early.some(({ code }) => count(code, name) > 0);
}

/** Lists the variables to which lines assign a value that contains this name. */
const madeOf = (lines: readonly AddedLine[], name: string): string[] =>
  lines.flatMap(({ code }) => {
    const [, made, value = ""] =
      /^\s*(?:(?:const|let|var|final|auto)\s+)?([A-Za-z_]\w*)\s*(?::[^=\n]{0,80})?=(?!=)(.*)$/.exec(code) ??
      [];
    return made !== undefined && count(value, name) > 0 ? [made] : [];
  });

/** `known.count += count` and `list.push(count)`: true if the line stores the value. */
function keeps(line: string, name: string): boolean {
  const [, value = ""] =
    /^\s*[\w$@.[\]]+\s*(?:[-+*/|&^]|\*\*|\/\/)=(.*)$/.exec(line) ??
    /^\s*(?:[\w$]+[.[]|@)[^=\n]*[^=!<>\n]=(?!=)(.*)$/.exec(line) ??
    /\.(?:push|append|add|set|put|insert|update|extend|write|send|save|store)\((.*)$/.exec(line) ??
    [];
  return count(value, name) > 0;
}

export const lostInputs: readonly ((change: Changed) => Careless[])[] = [findUnreadInputs, findLateChecks];
