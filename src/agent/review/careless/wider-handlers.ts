/** Finds handlers that hide more errors than before, or than the statement allows. Works on the text. Pure. */
import { type Careless, type Changed, formerOf } from "./careless-form.ts";

interface Handler {
  readonly line: number;
  /** What stands between the keyword and the body. */
  readonly types: string;
  readonly body: readonly string[];
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const header: Readonly<Record<string, RegExp>> = {
  python: /^\s*except\b\*?\s*(.*?)\s*(?:\bas\s+\w+\s*)?:(.*)$/,
  ruby: /^\s*rescue\b\s*(.*?)\s*(?:=>\s*\w+\s*)?$/,
  java: /^\s*\}?\s*catch\s*\(\s*(?:final\s+)?(.*?)\s+\w+\s*\)/,
};

/** The handlers of these lines. A body consists of the lines that are further to the right than its header. */
function handlersIn(language: string, lines: readonly string[], first: number): Handler[] {
  const form = header[language];
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
/** Python's bare `except`, and `rescue` without a type. */
const takesAll = ({ types }: Handler): boolean => every.test(types.trim()) && !/\w+\.Exception\b/.test(types);

const raises = /^\s*(?:raise|throw)\b|\bsys\.exit\(|\bpytest\.fail\(/;
const aboutErrors =
  /\b(?!(?:Base)?Exception\b)[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Timeout)\b|\b(?:any|all|every|other|unexpected|unknown|arbitrary|broad\w*|general|generic|more)\s+(?:\w+\s+)?(?:exceptions?|errors?|failures?)\b|\b(?:catch|swallow|crash|robust|suppress|tolera|rescue|traceback)/i;

/** `except errors` becomes `except Exception`, and the statement names no further error. */
function findWiderHandlers(change: Changed): Careless[] {
  const { code, before, subjects, compared } = change;
  if (aboutErrors.test(subjects)) return [];
  return compared.flatMap(({ own }): Careless[] => {
    const old = formerOf(before, own);
    const was = handlersIn(code.language, old?.lines ?? [], 0);
    if (was.length === 0 || was.some(takesAll)) return [];
    const is = handlersIn(code.language, own.lines, own.startLine);
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
    return at === undefined
      ? []
      : [{ line: at.line, text: `handles every error in \`${own.name}\`, which handled only some before` }];
  });
}

const demand = String.raw`(?:must|should|shall|has to|have to|needs? to)\s+(?!not\b|never\b|no longer\b)(?:\w+\s+){0,6}?(?:raise|throw|(?:rejected|refused|fail|answered)\s+(?:with|by))\s+(?:an?\s+|the\s+)?`;
/** `is an error (ValueError)`, `must be refused with a ValueError`. */
const demandedError = new RegExp(
  String.raw`(?:\b(?:is|are|counts? as)\s+(?:still\s+)?(?:an?\s+)?errors?\s*\(\s*|${demand})${"`"}?([A-Z]\w*(?:Error|Exception))\b`,
  "g",
);

/** A handler that gives a default in place of the error that the statement demands. */
function findReplacedErrors(change: Changed): Careless[] {
  const { code, subjects, compared } = change;
  const demanded = [...subjects.matchAll(demandedError)].map(([, name = ""]) => name);
  if (demanded.length === 0) return [];
  return compared.flatMap(({ own, is, was }): Careless[] => {
    if (/\b(?:raise|throw)\b/.test(is)) return [];
    const at = handlersIn(code.language, own.lines, own.startLine).find(
      (each) =>
        change.added.has(each.line) &&
        demanded.some((name) => takesAll(each) || new RegExp(String.raw`\b${name}\b`).test(each.types)),
    );
    const lost = demanded.find((name) => at !== undefined && (takesAll(at) || at.types.includes(name)));
    return at === undefined || lost === undefined || /\bexcept\b|\brescue\b|\bcatch\b/.test(was)
      ? []
      : [{ line: at.line, text: `hides the \`${lost}\` that the statement demands` }];
  });
}

const ownErrors =
  /\b(?:errors?|exceptions?|rejections?|failures?)\b[^.\n]{0,60}\b(?:must|should|ha(?:s|ve) to|needs? to)\s+(?!not\b)(?:still\s+)?(?:reach|propagate|surface|pass|be\s+(?:passed|handed|forwarded|re-?thrown|rethrown|raised|visible))/i;

/** `catch { throw new Error("timeout") }`: the caller sees another error in place of the work's own. */
function findRenamedErrors({ code, subjects, compared }: Changed): Careless[] {
  if (!/^(?:javascript|typescript|tsx|jsx)$/.test(code.language) || !ownErrors.test(subjects)) return [];
  return compared.flatMap(({ own, is, was, added }): Careless[] => {
    const [found, name] = /\bcatch\b\s*(?:\(\s*([\w$]+)[^)]*\))?\s*\{/.exec(is) ?? [];
    if (found === undefined || /\bcatch\b/.test(was)) return [];
    const rest = is.slice(is.indexOf(found) + found.length);
    const body = rest.slice(0, /\}\s*(?:finally\b|\n?\s*\}|$)/.exec(rest)?.index ?? rest.length);
    const isUsed =
      name !== undefined &&
      new RegExp(String.raw`(?<![\w$])${name.replaceAll("$", "\\$")}(?![\w$])`).test(body);
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

/** What a patch opens, and the call that ends it. */
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
  /\bleft\b|\bleak|\bhang|\bpending\b|\bclean(?:s|ed)?[- ]?up\b|\bclear(?:s|ed)?\b|\bdangling\b/i;

/** A timer that only the straight path ends, after an `await` that can fail. */
function findLeftTimers({ code, subjects, compared }: Changed): Careless[] {
  if (!/^(?:javascript|typescript|tsx|jsx)$/.test(code.language) || !aboutLeft.test(subjects)) return [];
  return compared.flatMap(({ own, is, was, added }): Careless[] => {
    if (lastly.test(is)) return [];
    return ended.flatMap(({ opens, closes }) => {
      const open = added.find(({ code: line }) => opens.test(line));
      const [, name = ""] = opens.exec(open?.code ?? "") ?? [];
      if (open === undefined || opens.test(was)) return [];
      const close = new RegExp(closes.replaceAll("NAME", name.replaceAll(/[$.]/g, String.raw`\$&`)), "g");
      const lines = is.split("\n");
      const [ends, waits] = [close, /\bawait\b/].map((form) =>
        lines.findIndex((line) => new RegExp(form.source).test(line)),
      );
      const isOnce = [...is.matchAll(close)].length === 1;
      return isOnce && waits !== -1 && waits !== undefined && ends !== undefined && ends > waits
        ? [{ line: open.line, text: `ends the timer in \`${own.name}\` only if no error occurs before` }]
        : [];
    });
  });
}

export const hiddenErrors: readonly ((change: Changed) => Careless[])[] = [
  findWiderHandlers,
  findReplacedErrors,
  findRenamedErrors,
  findLeftTimers,
];
