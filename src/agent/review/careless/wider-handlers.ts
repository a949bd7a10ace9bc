/**
 * Finds handlers that hide more errors than on the base, or more than the statement allows. Works on the text. Pure.
 */
import { literally } from "../../../base/literal-pattern.ts";
import type { Finding } from "../contract.ts";
import { type FunctionCode, joinCode } from "../texts/code-lines.ts";
import { type Careless, type Changed, formerOf, indentOf, isScript, ofLanguage } from "./careless-form.ts";

interface Handler {
  readonly line: number;
  /** The code between the keyword and the body. */
  readonly types: string;
  readonly body: readonly string[];
}

const header: Readonly<Record<string, RegExp>> = {
  python: /^\s*except\b\*?\s*(.*?)\s*(?:\bas\s+\w+\s*)?:(.*)$/,
  // A modifier (`work rescue nil`) names no type.
  ruby: /^(?=.)(?:\s*rescue\b\s*(.*?)\s*(?:=>\s*\w+\s*)?|.*[^\s;]\s+rescue\s+\S.*)$/,
  java: /^\s*\}?\s*catch\s*\(\s*(?:final\s+)?(.*?)\s+\w+\s*\)/,
  // A handler of JavaScript names no type.
  script: /^\s*\}?\s*catch\b\s*(?:\([^()]*\)\s*)?\{()(.*)$/,
};

/** Lists the handlers in these lines. A handler's body consists of the lines with more indentation than its header. */
function handlersIn(code: Changed["code"], lines: readonly string[], first: number): Handler[] {
  const form = ofLanguage(header, code);
  if (form === undefined) return [];
  return lines.flatMap((line, index): Handler[] => {
    const found = form.exec(line);
    if (found === null) return [];
    const rest = lines.slice(index + 1);
    const end = rest.findIndex((each) => each.trim() !== "" && indentOf(each) <= indentOf(line));
    const body = [found[2] ?? "", ...(end === -1 ? rest : rest.slice(0, end))].filter(
      (each) => each.trim() !== "",
    );
    return [{ line: first + index, types: found[1] ?? "", body }];
  });
}

const every = /^$|\b(?:Base)?Exception\b(?!s)|\bThrowable\b|\bStandardError\b/;
/** True for a handler without a type, and for a type of nearly all errors, such as `Exception`. */
const takesAll = ({ types }: Handler): boolean => every.test(types.trim()) && !/\w+\.Exception\b/.test(types);

/** Code of a handler that reports the error, or re-raises it in some cases. */
const tells =
  /\b(?:log\w*|\w*logger|warn\w*|console|print\w*|puts|report\w*|capture\w*|notify\w*|traceback|raise|throw)\b/i;
const raises = /^\s*(?:raise|throw)\b|\bsys\.exit\(|\bpytest\.fail\(/;
const aboutErrors =
  /\b(?!(?:Base)?Exception\b)[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Timeout)\b|\b(?:any|all|every|other|unexpected|unknown|arbitrary|broad\w*|general|generic|more)\s+(?:\w+\s+)?(?:exceptions?|errors?|failures?)\b|\b(?:catch|swallow|crash|robust|suppress|tolera|rescue|traceback)/i;

/** `except errors` becomes `except Exception`, and the statement names no further error. */
function findWiderHandlers(change: Changed): Careless[] {
  const { code, before, subjects, compared } = change;
  if (aboutErrors.test(subjects)) return [];
  return compared.flatMap(({ own }): Careless[] => {
    const old = formerOf(before, own);
    const was = handlersIn(code, old?.lines ?? [], 0);
    if (was.length === 0 || was.some(takesAll)) return [];
    const is = handlersIn(code, own.lines, own.startLine);
    if (is.length > was.length) return [];
    const at = is.find((each) => {
      const isKept = was.some(({ types }) => types === each.types);
      const last = each.body.at(-1) ?? "";
      const indent = Math.min(...each.body.map(indentOf));
      return (
        change.added.has(each.line) &&
        takesAll(each) &&
        !isKept &&
        !(raises.test(last) && indentOf(last) === indent)
      );
    });
    if (at === undefined) return [];
    const text = `handles every error in \`${own.name}\`, which handled only some before`;
    // `except errors`: the caller chose the errors.
    const isRaised = at.body.some((line) => /\b(?:raise|throw)\b/.test(line));
    const isChosen = !isRaised && was.some(({ types }) => own.parameters.includes(types.trim()));
    return [{ line: at.line, text, isDoubt: !isChosen && at.body.some((line) => tells.test(line)) }];
  });
}

/** The lines between `try` and its handler; empty if the handler's `try` is not found. */
function triedLines(lines: readonly string[], header: number): readonly string[] {
  const head = lines[header] ?? "";
  const start = lines.findLastIndex(
    (line, index) => index < header && indentOf(line) <= indentOf(head) && /^\s*(?:try|begin)\b/.test(line),
  );
  return start === -1 || indentOf(lines[start] ?? "") !== indentOf(head)
    ? []
    : lines.slice(start + 1, header);
}

/** Statements that want a result where the base raises. */
const wantsResult =
  /\binstead of\b|\brather than\b|\bdefaults?\b|\bfall(?:s|ing)?[- ]?back\b|\binvalid|\bmalformed|\b(?:not|never|no longer|without)\b[^.\n]{0,40}\b(?:rais|throw|errors?\b|exception|crash|fail)/i;

/** `raise ValueError(text)` of the base is now within a `try` whose handler catches it and raises nothing. */
function findSwallowedRaises(change: Changed): Careless[] {
  const { code, before, subjects, compared } = change;
  return compared.flatMap(({ own }): Careless[] => {
    const old = formerOf(before, own);
    if (old === undefined || handlersIn(code, old.lines, 0).length > 0) return [];
    const former = new Set(old.lines.map((line) => line.trim()));
    return handlersIn(code, own.lines, own.startLine).flatMap((each): Careless[] => {
      if (!change.added.has(each.line) || each.body.some((line) => /\b(?:raise|throw)\b/.test(line)))
        return [];
      const lost = triedLines(own.lines, each.line - own.startLine).flatMap((line) => {
        const [, name = ""] =
          /(?:^\s*|[):{]\s*|\belse\s+)(?:raise|throw\s+new)\s+(?:\w+\.)*([A-Z]\w*)/.exec(line) ?? [];
        const isCaught = takesAll(each) || new RegExp(String.raw`\b${literally(name)}\b`).test(each.types);
        return name !== "" && isCaught && former.has(line.trim()) && !subjects.includes(name) ? [name] : [];
      });
      return lost.slice(0, 1).map((name) => ({
        line: each.line,
        text: `catches the \`${name}\` that \`${own.name}\` itself raises, so that its callers never see it`,
        isDoubt: wantsResult.test(subjects),
      }));
    });
  });
}

const demand = String.raw`(?:must|should|shall|has to|have to|needs? to)\s+(?!not\b|never\b|no longer\b)(?:\w+\s+){0,6}?(?:raise|throw|(?:rejected|refused|fail|answered)\s+(?:with|by))\s+(?:an?\s+|the\s+)?`;
/** `is an error (ValueError)`, `must be refused with a ValueError`. */
const demandedError = new RegExp(
  String.raw`(?:\b(?:is|are|counts? as)\s+(?:still\s+)?(?:an?\s+)?errors?\s*\(\s*|${demand})${"`"}?([A-Z]\w*(?:Error|Exception))\b`,
  "g",
);

/** An error that the statement demands, and the beginning of its sentence. */
interface Demanded {
  readonly error: string;
  readonly opening: string;
}

/**
 * Returns the weight of a demand that this function raises the error. The demand certainly concerns the function that
 * the statement names last before the demand. It also concerns each function that this function calls. If the patch
 * raises the error, a demand that names no function is only a doubt. A demand that names another function is then "".
 * If the patch does not raise the error, the first of these demands is an objection, and the second a doubt.
 */
function weighDemand(
  change: Changed,
  own: FunctionCode,
  { error, opening }: Demanded,
): Finding["weight"] | "" {
  const { code, added } = change;
  const names = [...opening.matchAll(/`([^`]+)`|\b(\w+)\(\)|\b([a-z]+_\w+)\b/gi)].flatMap(
    ([, ...forms]) => forms.find((each) => each !== undefined)?.match(/[\w$]+(?=\W*$|\()/)?.[0] ?? [],
  );
  const isKnown = (name: string): boolean =>
    code.functions.some((each) => each.name === name) || new RegExp(String.raw`\b${name}\(|_`).test(opening);
  const named = names.filter((name) => isKnown(name) && !own.parameters.includes(name)).at(-1);
  if (named === own.name) return "objection";
  const caller = code.functions.find(({ name }) => name === named);
  if (caller !== undefined && new RegExp(String.raw`\b${literally(own.name)}\(`).test(joinCode(caller.lines)))
    return "objection";
  const isRaised = code.lines.some(
    ({ code: line }, index) =>
      added.has(index + 1) && new RegExp(String.raw`\b(?:raise|throw)\b[^\n]*\b${error}\b`).test(line),
  );
  if (named === undefined) return isRaised ? "doubt" : "objection";
  return isRaised ? "" : "doubt";
}

/** Finds handlers that return a default instead of the error that the statement demands. */
function findReplacedErrors(change: Changed): Careless[] {
  const { code, subjects, compared } = change;
  const demanded = [...subjects.matchAll(demandedError)].map(
    ({ 0: all, 1: error = "", index }): Demanded => ({
      error,
      opening:
        (subjects
          .slice(0, index)
          .split(/[.!?;]\s|\n\s*\n/)
          .at(-1) ?? "") + all,
    }),
  );
  if (demanded.length === 0) return [];
  return compared.flatMap(({ own, is, was }): Careless[] => {
    if (/\b(?:raise|throw)\b/.test(is) || /\bexcept\b|\brescue\b|\bcatch\b/.test(was)) return [];
    const handlers = handlersIn(code, own.lines, own.startLine);
    const found = handlers.flatMap((each) => {
      if (!change.added.has(each.line)) return [];
      return demanded.flatMap((one): Careless[] => {
        if (!takesAll(each) && !new RegExp(String.raw`\b${one.error}\b`).test(each.types)) return [];
        const weight = weighDemand(change, own, one);
        const text = `hides the \`${one.error}\` that the statement demands`;
        return weight === "" ? [] : [{ line: each.line, text, isDoubt: weight === "doubt" }];
      });
    });
    return found.toSorted((one, other) => Number(one.isDoubt) - Number(other.isDoubt)).slice(0, 1);
  });
}

const ownErrors =
  /\b(?:errors?|exceptions?|rejections?|failures?)\b[^.\n]{0,60}\b(?:must|should|ha(?:s|ve) to|needs? to)\s+(?!not\b)(?:still\s+)?(?:reach|propagate|surface|pass|be\s+(?:passed|handed|forwarded|returned|re-?thrown|re-?raised|thrown|raised|visible))/i;
const stillErrors =
  /\b(?:must|should|ha(?:s|ve) to|needs? to)\s+(?:still|also|always)\s+(?:be\s+(?:an?\s+)?(?:errors?|refused|rejected)|fail|raise|throw)\b|\b(?:is|are)\s+still\s+(?:an\s+)?errors?\b|\bstill\s+(?:fails?|raises?|throws?)\b/i;
/** True if the statement demands that errors reach the caller. */
export const demandsErrors = (subjects: string): boolean =>
  ownErrors.test(subjects) || stillErrors.test(subjects);

const otherErrors =
  /\b(?:other|others|further|different|remaining)\s+(?:\w+\s+)?(?:errors?|exceptions?|failures?)\b/i;

/** The statement demands that other errors reach the caller, but a new handler takes every error. */
function findEveryError({ code, before, subjects, compared, added }: Changed): Careless[] {
  const sentences = subjects.split(/[.!?;]\s|\n\s*\n/);
  if (!sentences.some((each) => otherErrors.test(each) && demandsErrors(each))) return [];
  return compared.flatMap(({ own }): Careless[] => {
    if (handlersIn(code, formerOf(before, own)?.lines ?? [], 0).some(takesAll)) return [];
    const at = handlersIn(code, own.lines, own.startLine).find(
      (each) => added.has(each.line) && takesAll(each) && !each.body.some((line) => rethrows.test(line)),
    );
    const text = `hides in \`${own.name}\` the other errors that the statement wants to reach the caller`;
    const isNamed =
      compared.length === 1 || new RegExp(String.raw`\b${literally(own.name)}\b`).test(subjects);
    return at === undefined ? [] : [{ line: at.line, text, isDoubt: !isNamed }];
  });
}
const rethrows = /\b(?:raise|throw|reject)\b/;

/** `catch { throw new Error("timeout") }`: the caller gets another error instead of the original one. */
function findRenamedErrors({ code, subjects, compared }: Changed): Careless[] {
  if (!isScript(code) || !ownErrors.test(subjects)) return [];
  return compared.flatMap(({ own, is, was, added }): Careless[] => {
    const [found, name] = /\bcatch\b\s*(?:\(\s*([\w$]+)[^)]*\))?\s*\{/.exec(is) ?? [];
    if (found === undefined || /\bcatch\b/.test(was)) return [];
    const rest = is.slice(is.indexOf(found) + found.length);
    const body = rest.slice(0, /\}\s*(?:finally\b|\n?\s*\}|$)/.exec(rest)?.index ?? rest.length);
    const isUsed =
      name !== undefined && new RegExp(String.raw`(?<![\w$])${literally(name)}(?![\w$])`).test(body);
    const at = added.find(({ code: line }) => /\bcatch\b/.test(line));
    const isReplaced = /\bthrow\s+new\b/.test(body) || !/\bthrow\b/.test(body);
    return at === undefined || isUsed || !isReplaced
      ? []
      : [
          {
            line: at.line,
            text: `hides in \`${own.name}\` the errors that the statement wants to reach the caller`,
          },
        ];
  });
}

/** A timer that a patch starts, and the call that ends it. */
const ended: readonly { readonly opens: RegExp; readonly closes: string }[] = [
  {
    opens: /(?<![\w$])([\w$.#]+)\s*=\s*(?:\w+\.)?setTimeout\(/,
    closes: String.raw`\bclearTimeout\(\s*NAME\s*\)`,
  },
  {
    opens: /(?<![\w$])([\w$.#]+)\s*=\s*(?:\w+\.)?setInterval\(/,
    closes: String.raw`\bclearInterval\(\s*NAME\s*\)`,
  },
];
const lastly = /\bfinally\b|\busing\b/;
const aboutLeft =
  /\bleft\b(?![- ](?:side|edge|hand|column|corner|of)\b)|\bleak|\bhang|\bpending\b|\bclean(?:s|ed)?[- ]?up\b|\bclear(?:s|ed)?\b|\bdangling\b/i;
const aboutTimers = /\btimers?\b|\btimeouts?\b|\bintervals?\b|\bsetTimeout\b|\bsetInterval\b/i;

/** Finds timers that only the successful path ends, after an `await` that can fail. */
function findLeftTimers({ code, subjects, compared }: Changed): Careless[] {
  if (!isScript(code) || !aboutLeft.test(subjects)) return [];
  const isAsked = subjects
    .split(/[.!?]\s|\n\s*\n/)
    .some((sentence) => aboutLeft.test(sentence) && aboutTimers.test(sentence));
  return compared.flatMap(({ own, is, was, added }): Careless[] => {
    if (lastly.test(is)) return [];
    return ended.flatMap(({ opens, closes }) => {
      const open = added.find(({ code: line }) => opens.test(line));
      const [, name = ""] = opens.exec(open?.code ?? "") ?? [];
      if (open === undefined || opens.test(was)) return [];
      const close = new RegExp(closes.replaceAll("NAME", literally(name)), "g");
      const [end, ...others] = [...is.matchAll(close)].map(({ index }) => index);
      // The work in between must be able to fail: a debounce ends the last timer first.
      const between = end === undefined ? "" : is.slice(is.search(opens), end);
      return others.length === 0 && is.search(opens) < (end ?? -1) && /\bawait\b/.test(between)
        ? [
            {
              line: open.line,
              text: `leaves the timer in \`${own.name}\` running if an error occurs`,
              isDoubt: !isAsked,
            },
          ]
        : [];
    });
  });
}

export const hiddenErrors: readonly ((change: Changed) => Careless[])[] = [
  findWiderHandlers,
  findSwallowedRaises,
  findReplacedErrors,
  findRenamedErrors,
  findEveryError,
  findLeftTimers,
];
