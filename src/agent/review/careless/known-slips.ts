/**
 * Finds slips that linters of the languages know: calls that do something else than their names suggest. Such calls
 * give right results for the shortest inputs, which tests often have. Works on the text. Pure.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { linesOf } from "../../code/change.ts";
import { joinCode } from "../texts/code-lines.ts";
import {
  addedLinesOf,
  type Careless,
  type Changed,
  indentOf,
  isScript,
  ofLanguage,
  ownerOf,
} from "./careless-form.ts";

/** Limits the names that are searched in each function. */
const mostNames = 20;

/** Calls that remove each of the given characters, not the given text. */
const trims: Readonly<Record<string, RegExp>> = {
  python: /\.[lr]?strip\(\s*(["'])([^"'\\]{2,60})\1\s*\)/,
  php: /\b[lr]?trim\(\s*[^()]{1,80}(?:\([^()]{0,80}\))?\s*,\s*(["'])([^"'\\]{2,60})\1\s*\)/,
  go: /\bstrings\.Trim(?:Left|Right)?\([^"\n]{1,120},\s*(")([^"\\]{2,60})"\s*\)/,
};
const numeric = /\b(?:int|float|Decimal|intval|floatval|Atoi|ParseInt|ParseFloat)\(|\((?:int|float)\)/;

/** True if the text is a word with a sign, such as `www.` or `.php`, not a set of characters. */
function isWord(text: string): boolean {
  const letters = text.match(/\p{L}+/gu) ?? [];
  const [first = ""] = letters;
  const isSorted = [...first].every((sign, at) => at === 0 || sign > (first[at - 1] ?? ""));
  const hasBothCases =
    new Set(first.toLowerCase()).size < first.length && /\p{Lu}\p{Ll}|\p{Ll}\p{Lu}/u.test(first);
  const isAffix = /^[^\p{L}\p{N}\s]{1,3}\p{L}{2,}$|^\p{L}{2,}[^\p{L}\p{N}\s]{1,3}$/u.test(text);
  return isAffix && letters.length === 1 && !hasBothCases && !(isSorted && first.length > 3);
}

/** `host.lstrip("www.")` also removes the first letter of `web.org`. */
function findTrimmedWords(change: Changed): Careless[] {
  const form = trims[change.code.language];
  if (form === undefined || /\bcharacters?\b/i.test(change.subjects)) return [];
  const texts = linesOf(change.code.source.tree.text);
  return addedLinesOf(change).flatMap(({ code, line: at }): Careless[] => {
    const found = form.exec(texts[at - 1] ?? "");
    if (found === null || numeric.test(code) || !isWord(found[2] ?? "")) return [];
    if (!/trim|strip/i.test(code.slice(found.index, found.index + 30))) return [];
    return [{ line: at, text: `removes each of the characters \`${found[2] ?? ""}\`, not this text` }];
  });
}

const shared: Readonly<Record<string, RegExp>> = {
  python:
    /^\s*(?:return|([\w.]+)(?:\s*:[^=\n]*)?\s*=)\s*\[\s*(?:\[.*\]|\{.*\}|(?:set|list|dict)\(\s*\))(?:\s*\*\s*[\w.]+)?\s*\]\s*\*\s*[\w(]/,
  ruby: /\bArray\.new\([^,()]{1,60},\s*(?:\[|\{|Array\.new|Hash\.new|String\.new)/,
  script: /\bArray(?:\.from)?\([^\n]{0,80}?\)\.fill\(\s*(?:\[|\{|new\s+(?!Date\b)\w|Array\b|Object\b)/,
};

/** `[[0] * 3] * 2`: all rows are one list, so a change of one row changes them all. */
function findSharedElements(change: Changed): Careless[] {
  const { code } = change;
  const form = ofLanguage(shared, code);
  if (form === undefined) return [];
  return addedLinesOf(change).flatMap(({ code: line, line: at }): Careless[] => {
    const found = form.exec(line);
    if (found === null || /\)\s*\.map\(/.test(line) || isOnlyRead(change, at, found[1])) return [];
    return [{ line: at, text: "makes all elements of a list the same object" }];
  });
}

/** True if the code only reads this list of shared rows: it changes no row, and returns no list of them. */
function isOnlyRead(change: Changed, at: number, name: string | undefined): boolean {
  if (name === undefined) return false;
  const own = name.includes(".") ? undefined : ownerOf(change.code, at)?.lines;
  const body = joinCode(own ?? change.code.lines.map(({ code }) => code));
  const plain = literally(name);
  const changes = new RegExp(
    String.raw`(?<![\w.])${plain}\[[^\n\]]{1,80}\](?:\[[^\n=]{1,80}\]\s*(?:[-+*/|&]?=(?!=))|\.(?:append|add|update|extend|insert|setdefault)\()|\bfor\s[^\n]{1,80}\bin\s[^\n]{0,80}${plain}\b|\breturn\s[^\n]{0,80}(?<![\w.])${plain}(?![\w[])`,
  );
  return !changes.test(body);
}

/** `Hash.new([])` and `groups[key] << word`: all keys get the same list, and the hash stays empty. */
function findSharedHashValues(change: Changed): Careless[] {
  if (change.code.language !== "ruby") return [];
  return addedLinesOf(change).flatMap(({ code, line: at }): Careless[] => {
    const [, name = ""] = /(@?\w+)\s*=\s*Hash\.new\(\s*(?:\[\s*\]|\{\s*\})\s*\)/.exec(code) ?? [];
    const own = name.startsWith("@")
      ? change.code.lines.map((line) => line.code)
      : ownerOf(change.code, at)?.lines;
    const grows = new RegExp(
      String.raw`(?<![\w@])${literally(name)}\[[^\n]{1,80}?\]\s*(?:<<|\.(?:push|append|concat|unshift|store|merge!|add)\b)`,
    );
    return name !== "" && own !== undefined && grows.test(joinCode(own))
      ? [{ line: at, text: `gives all missing keys of \`${name}\` the same object, which the code changes` }]
      : [];
  });
}

/** The head of a loop over a list itself, and the changes of this list that skip its next element. */
const loops: Readonly<Record<string, { readonly head: RegExp; readonly changes: string }>> = {
  python: {
    head: /^\s*for\s+\w+\s+in\s+(\w+(?:\.\w+){0,3})\s*:\s*$/,
    changes: String.raw`(?<![\w.])NAME\.(?:remove|pop)\(|\bdel\s+NAME\[`,
  },
  script: {
    head: /^\s*(?:for\s*\(\s*(?:const|let|var)\s+[\w$]+\s+of\s+([\w$]+(?:\.[\w$]+){0,3})\s*\)|([\w$]+(?:\.[\w$]+){0,3})\.forEach\().*\{\s*$/,
    changes: String.raw`(?<![\w$.])NAME\.(?:splice|shift)\(`,
  },
};

/** `for item in items: items.remove(item)` skips the element after each removed one. */
function findSkippedElements(change: Changed): Careless[] {
  const { code, added } = change;
  const loop = ofLanguage(loops, code);
  if (loop === undefined) return [];
  return code.lines.flatMap(({ code: head }, index): Careless[] => {
    const found = loop.head.exec(head);
    const name = found?.[1] ?? found?.[2] ?? "";
    if (name === "") return [];
    const changes = new RegExp(loop.changes.replaceAll("NAME", literally(name)));
    const rest = code.lines.slice(index + 1, index + 40).map((line) => line.code);
    const end = rest.findIndex((line) => line.trim() !== "" && indentOf(line) <= indentOf(head));
    const body = end === -1 ? rest : rest.slice(0, end);
    const at = body.findIndex((line) => changes.test(line));
    const changed = index + 2 + at;
    if (at === -1 || !(added.has(changed) || added.has(index + 1))) return [];
    const after = body
      .slice(at + 1)
      .filter((line) => indentOf(line) >= indentOf(body[at] ?? "") && line.trim() !== "");
    const isLast = after.some((line) => /^\s*(?:break|return|raise|throw)\b/.test(line));
    return isLast
      ? []
      : [{ line: changed, text: `removes from \`${name}\` in a loop over it, which then skips elements` }];
  });
}

const ofStreams = /\bReadable\b|\bstreams?\b|\bAsyncIterator\b|\bBluebird\b|\bfor await\b|\brxjs\b/;
const misused = [
  {
    form: /\.map\(\s*(?:Number\.)?parseInt\s*\)/,
    excluded: /(?!)/,
    says: "gives `parseInt` the index of each element as its base",
  },
  {
    form: /\.(?:filter|some|every|find|findIndex|findLast|findLastIndex)\(\s*async\b/,
    excluded: ofStreams,
    says: "uses a promise as a condition, and a promise is always true",
  },
];

function findMisusedCallbacks(change: Changed): Careless[] {
  if (!isScript(change.code)) return [];
  return addedLinesOf(change).flatMap(({ code, line: at }) =>
    misused.flatMap(({ form, excluded, says }): Careless[] =>
      form.test(code) && !excluded.test(change.code.source.tree.text) ? [{ line: at, text: says }] : [],
    ),
  );
}

/** `const name = /^[a-z]+$/g` outside functions: a successful `name.test(text)` changes the next call. */
function findKeptMatches(change: Changed): Careless[] {
  const { code } = change;
  if (!isScript(code)) return [];
  const texts = linesOf(code.source.tree.text);
  const names = texts
    .flatMap((text) => {
      const [, name = "", flags = ""] =
        /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::\s*RegExp\s*)?=\s*\/.{1,300}\/([a-z]{1,8})\s*;?\s*$/.exec(
          text,
        ) ?? [];
      return /[gy]/.test(flags) ? [name] : [];
    })
    .slice(0, mostNames);
  return change.code.functions.flatMap((own) => {
    const body = joinCode(own.lines);
    return names.flatMap((name): Careless[] => {
      const plain = literally(name);
      const resets = new RegExp(
        String.raw`(?<![\w$.])${plain}\.lastIndex|\.(?:replace|replaceAll|match|matchAll|search|split)\(\s*${plain}\b|\bwhile\s*\([^\n]{0,200}?${plain}\.`,
      );
      const tests = new RegExp(String.raw`(?<![\w$.])${plain}\.test\(`);
      if (!tests.test(body) || resets.test(body)) return [];
      const at = own.lines.findIndex((line) => tests.test(line)) + own.startLine;
      const isNew =
        change.added.has(at) || change.before?.lines.some(({ code: line }) => line.includes(name)) !== true;
      return isNew
        ? [
            {
              line: at,
              text: `tests with \`${name}\`, whose flag \`g\` or \`y\` lets each call begin where the last one ended`,
            },
          ]
        : [];
    });
  });
}

const position = String.raw`(?:str[ri]*pos|mb_str[ri]*pos|array_search)\((?:[^()]|\([^()]*\)){1,200}\)`;
const asTruth = new RegExp(
  String.raw`(?:\(bool\)\s*|\bif\s*\(\s*|&&\s*|\|\|\s*|\breturn\s+)${position}\s*(?:\)\s*[{:]|\)\s*$|&&|\|\||\?(?![?:])|;)`,
);

/** `if (strpos($text, "@"))` is false if the text begins with `@`. */
function findPositionsAsTruth(change: Changed): Careless[] {
  if (change.code.language !== "php") return [];
  return addedLinesOf(change).flatMap(({ code, line: at }): Careless[] => {
    const found = asTruth.exec(code)?.[0] ?? "";
    const isPlain = found.startsWith("return") && !/&&|\|\||\?/.test(found);
    return found === "" || isPlain
      ? []
      : [{ line: at, text: "uses a position as a condition: the first position, 0, then counts as absent" }];
  });
}

/** `foreach ($rows as &$row)`: a later `as $row` without `unset($row)` writes into the last row. */
function findLeftReferences(change: Changed): Careless[] {
  if (change.code.language !== "php") return [];
  return addedLinesOf(change).flatMap(({ code, line: at }): Careless[] => {
    const [, name = ""] =
      /\bforeach\s*\([^()]*(?:\([^()]*\)[^()]*)?\bas\s+(?:\$\w+\s*=>\s*)?&\s*\$(\w+)\s*\)/.exec(code) ?? [];
    const owner = name === "" ? undefined : ownerOf(change.code, at);
    if (owner === undefined) return [];
    const rest = owner.lines.slice(at - owner.startLine + 1);
    const end = rest.findIndex(
      (line) => line.trim() !== "" && !/^\s*\{/.test(line) && indentOf(line) <= indentOf(code),
    );
    const later = joinCode(end === -1 ? [] : rest.slice(end));
    const again = new RegExp(
      String.raw`\bas\s+(?:\$\w+\s*=>\s*)?\$${name}\s*\)|^\s*\$${name}\s*=(?!=)`,
      "m",
    ).exec(later);
    const isUnset =
      again !== null && new RegExp(String.raw`\bunset\([^()]*\$${name}\b`).test(later.slice(0, again.index));
    return again === null || isUnset
      ? []
      : [
          {
            line: at,
            text: `leaves \`$${name}\` a reference to the last element, which later code overwrites`,
          },
        ];
  });
}

/** `[lambda value: value + number for number in numbers]`: all functions see the last `number`. */
function findLateNames(change: Changed): Careless[] {
  if (change.code.language !== "python") return [];
  return addedLinesOf(change).flatMap(({ code, line: at }): Careless[] => {
    const [, parameters = "", body = "", name = ""] =
      /(?:[[{]\s*|:\s*)lambda\b([^:\n]{0,80}):([^\n]{1,200}?)\bfor\s+(\w+)\s+in\b/.exec(code) ?? [];
    const uses = new RegExp(String.raw`(?<![\w.])${literally(name)}\b`);
    const count = (signs: RegExp): number => body.match(signs)?.length ?? 0;
    // `lambda *all: next((one for one in all))` has a loop of its own.
    const isOutside = count(/[([{]/g) === count(/[)\]}]/g);
    return name !== "" && isOutside && uses.test(body) && !uses.test(parameters)
      ? [{ line: at, text: `creates functions that all see only the last value of the loop's \`${name}\`` }]
      : [];
  });
}

/** Containers outside functions that a language can change, with their names. */
const outside: Readonly<Record<string, RegExp>> = {
  go: /^var\s+(\w+)\s*=\s*(?:map\[[^=\n]*\{\s*\}|make\(|\[\][^=\n]*\{\s*\})/,
  python:
    /^(\w+)\s*(?::[^=\n]*)?=\s*(?:\[\s*\]|\{\s*\}|(?:set|list|dict|defaultdict|Counter|deque|OrderedDict)\([^()]*\))\s*$/,
  script:
    /^(?:const|let|var)\s+([\w$]+)\s*(?::[^=\n]*)?=\s*(?:\[\s*\]|\{\s*\}|new\s+(?:Map|Set|Array)(?:<[^()]*>)?\(\s*\))\s*;?\s*$/,
};
const aboutSharing = /\b(?:cache|memo|regist|global|shared?|singleton|remember|keep|session|pool|state)/i;

/** `return counts` of a new `var counts = map[string]int{}`, which the function also fills. */
function findReturnedGlobals(change: Changed): Careless[] {
  const { code, subjects } = change;
  const form = ofLanguage(outside, code);
  if (form === undefined || aboutSharing.test(subjects)) return [];
  const names = addedLinesOf(change)
    .flatMap((line) => form.exec(line.code)?.[1] ?? [])
    .slice(0, mostNames);
  return code.functions.flatMap((own) => {
    const body = joinCode(own.lines.slice(1));
    return names.flatMap((name): Careless[] => {
      const plain = literally(name);
      const fills = new RegExp(
        String.raw`(?<![\w.$])${plain}(?:\[[^\n=]{1,80}\]\s*(?:\+\+|[-+*/|&]?=(?!=))|\.(?:append|push|add|set|extend|update|unshift)\()|\bappend\(${plain}\b`,
      );
      const at = own.lines.findIndex((line) =>
        new RegExp(String.raw`^\s*return\s+${plain}\s*;?\s*$`).test(line),
      );
      const isEmptied = new RegExp(
        String.raw`(?<![\w.$])${plain}\s*=(?!=)|(?<![\w.$])${plain}\.clear\(|\bclear\(${plain}\)`,
      ).test(body);
      // A table that the first call fills.
      const isFilledOnce = new RegExp(
        String.raw`\bif\b\s*\(?\s*(?:!|not\s|len\()?\s*${plain}(?:\.(?:length|size))?\s*(?:\)|:|[=!<>]=|\{)|\.Do\(`,
      ).test(body);
      const isMeant = aboutSharing.test(`${name} ${own.documentation}`);
      const isOwn = isEmptied || isFilledOnce || isMeant || own.parameters.includes(name);
      return at !== -1 && fills.test(body) && !isOwn
        ? [
            {
              line: own.startLine + at,
              text: `returns \`${name}\`, which all calls of \`${own.name}\` share and fill`,
            },
          ]
        : [];
    });
  });
}

/** `try { return work(); } catch {}` in an `async` function: a rejected promise leaves the handler out. */
function findUnseenRejections({ code, compared }: Changed): Careless[] {
  if (!isScript(code)) return [];
  return compared.flatMap(({ own, is, was, added }): Careless[] => {
    const [header = ""] = own.lines;
    if (!/\basync\b/.test(header) || /\bcatch\b/.test(was)) return [];
    const start = is.search(/\btry\s*\{/);
    const tried =
      start === -1 ? "" : is.slice(start, start + Math.max(0, is.slice(start).search(/\}\s*catch\b/)));
    const [call, name = ""] = /\breturn\s+(?!await\b)([\w$]+(?:\.[\w$]+){0,4})\(/.exec(tried) ?? [];
    const at = added.find(({ code: line }) => call !== undefined && line.includes(call));
    if (at === undefined || !was.includes(`${name}(`)) return [];
    const plain = literally(name);
    const file = joinCode(code.lines.map((line) => line.code));
    const isAsync =
      name === "fetch" ||
      new RegExp(
        String.raw`\basync\s+function\s+${plain}\b|\b${plain}\s*=\s*async\b|\bawait\s+${plain}\(`,
      ).test(file) ||
      (own.parameters.includes(name) &&
        /\basync\b|\bpromise/i.test(own.documentation + header.replace(/^.*?\(/, "")));
    return isAsync
      ? [
          {
            line: at.line,
            text: `returns the promise of \`${name}\` without waiting, so that its error skips the handler`,
          },
        ]
      : [];
  });
}

export const knownSlips: readonly ((change: Changed) => Careless[])[] = [
  findTrimmedWords,
  findSharedElements,
  findSharedHashValues,
  findSkippedElements,
  findMisusedCallbacks,
  findKeptMatches,
  findPositionsAsTruth,
  findLeftReferences,
  findLateNames,
  findReturnedGlobals,
  findUnseenRejections,
];
