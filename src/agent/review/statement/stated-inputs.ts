/**
 * Finds inputs that a requirement of the statement names in plain English, and that no test has. Example: "Empty fields
 * are fields, too", but the tests read only full fields. Pure.
 */
import { readCode } from "../../state/assertion-text.ts";
import type { StatedPart } from "./stated-parts.ts";
import { listRequirements, obliges } from "./stated-requirements.ts";

/** The code of the tests, and its literals. */
interface Shown {
  readonly text: string;
  readonly values: readonly string[];
}

interface InputKind {
  readonly name: string;
  /** A pattern for the words of a requirement. */
  readonly named: RegExp;
  /** A pattern for the sentences whose words always mean this input. Without a pattern, no case is certain. */
  readonly certain?: RegExp;
  /** True if a test has such an input. `words`: the groups of `named`. */
  readonly isShown: (shown: Shown, words: readonly string[]) => boolean;
}

const things =
  "strings?|texts?|lists?|arrays?|dict\\w*|maps?|objects?|values?|fields?|names?|inputs?|lines?|cells?|keys?|sequences?|parts?|collections?";

const edges: Readonly<Record<string, RegExp>> = {
  zero: /(?<![\d.])0\d/,
  blank: /^\s|\s$|\\t/,
  space: /^\s|\s$|\\t/,
  white: /^\s|\s$|\\[tn]/,
  slash: /^\/|\/$/,
  comma: /^,|,$/,
  dot: /^\.|\.$/,
  newline: /^(?:\n|\\n)|(?:\n|\\n)$/,
  semicolon: /^;|;$/,
};

const errors =
  /raise|throw|reject|panic|error|exception|fail|invalid|refuse|\bErr\b|is_err|_err\(|\berr\b|\bcatch\b/i;

const types = String.raw`\b(tuple|generator|iterator|frozenset|bytes|bytearray|deque)s?\b`;
/** Not after words of a result: "must return a list or tuple". "Must return a list for tuples" names an input. */
const noResult = String.raw`(?<!\b(?:return|yield|give|raise)s? (?:(?!(?:for|from|of|on|with|in|if|when|given|also|same|accept|take|allow|support|handle|work)s?\b)[\w\`'.-]+,? ){0,6})`;

/** Literals of these types in Python. */
const shownTypes: Readonly<Record<string, RegExp>> = {
  tuple: /(?:[[(,={]|\bin|\bparametrize\()\s*\([^()\n,]*,[^()\n]*\)/,
  generator: /\(\w[^()\n]* for \w+ in |\byield\b/,
  iterator: /\b__next__|\biter\(|\byield\b|\bfunction\s?\*/,
  bytes: /\bb["']/,
};

const kinds: readonly InputKind[] = [
  {
    name: "an empty input",
    named: new RegExp(`\\bempty (?:\\w+ )?(?:${things})\\b|\\b(?:${things}) (?:is|are) empty\\b`, "i"),
    certain: /./,
    isShown: ({ text, values }) =>
      /empty|\[\s*\]|\{\s*\}|\b(?:list|dict|set|tuple|str|bytes|of)\(\)|\bnew \w+(?:<[^>]*>)?\(\)|::new\(\)|vec!\[\]|None|nil|null/i.test(
        text,
      ) || values.some((value) => value === "" || /([,;&|\t]|\\[nt])\1|\n[ \t]*\n|^[,;]|[,;]$/.test(value)),
  },
  {
    name: "a negative number",
    named:
      /(?<!false )\bnegative(?! (?:look|cach|impact|effect|consequence|side|test|match|response|feedback|performance))|\bbelow zero\b|\bless than zero\b/i,
    certain: /\bnegative (?:amount|balance|count|index|integer|number|offset|price|quantit|value)/i,
    isShown: ({ text }) => /negat|minus|below|(?<![\w)\]}.] ?)-\s?\.?\d/i.test(text),
  },
  {
    name: "zero",
    named: /\b(?:is|are|of|with|by|for) zero\b(?! (?:type|value|padd|init|or more))/i,
    certain: /\b(?:if|when)\b[^,;]*\b(?:is|are) zero\b/i,
    isShown: ({ text }) => /zero|(?<![\w.])0(?:\.0*)?(?![\w.])/i.test(text),
  },
  {
    name: "three or more levels",
    named:
      /\b(?:any|every|all|arbitrary) (?:levels?|depths?)\b|\barbitrarily (?:deep|nested)|\bnested to any\b/i,
    certain: /\b(?:clone|copie|copy|flatten|merge|nest)\w*|\bdepths?\b/i,
    isShown: ({ text }) => /deep(?!_?(?:strict_?)?equal)|level/i.test(text) || depthOf(text) !== 2,
  },
  {
    name: "an input in another letter case",
    named:
      /\(in any case\)|\bcase[- ]?insensitiv\w+|\b(?:regardless|irrespective|independent) of (?:the |their |its )?(?:letter )?case\b/i,
    certain: /\(in any case\)|\bof (?:the |their |its )?(?:letter )?case\b/i,
    isShown: ({ text, values }) =>
      /insensitiv|ignore_?case|(?:upper|lower)(?:_?case)?/i.test(text) || mixesCase(values),
  },
  {
    name: "an absolute path",
    named: /\babsolute (?:paths?|(?:file ?)?names?)\b/i,
    isShown: ({ text, values }) =>
      /abs|resolve\(|str\(tmp|tmp_?dir|temp_?dir|__dirname|cwd|realpath/i.test(text) ||
      values.some((value) => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value)),
  },
  {
    name: "a leading or trailing part",
    named:
      /\b(leading|trailing) (?:(?:and|or) (?:leading|trailing) )?(zero|blank|space|white ?space|slash|comma|dot|newline|semicolon)/i,
    isShown: ({ text, values }, [, where = "", sign = ""]) =>
      new RegExp(`${where}|strip|trim|pad`, "i").test(text) ||
      values.some(
        (value) => edges[sign.toLowerCase().replace(/ ?space$/, "") || "space"]?.test(value) ?? true,
      ),
  },
  {
    name: "an input that stays unchanged",
    named:
      /\bneither (?:argument|input|parameter)s? (?:may|must|should)\b|\b(?:arguments?|inputs?|parameters?|originals?|defaults?) (?:itself |themselves )?(?:may|must|should) (?:not|never) (?:be )?(?:chang|modif|mutat|alter)|\b(?:list|array|argument|input)\b[^.;]{0,60}\bkeep its order\b/i,
    isShown: ({ text }) =>
      /unchanged|mutat|modif|untouched|freeze|frozen|copy|original|clone|before/i.test(text) ||
      reusesInput(text),
  },
  {
    name: "an input that is an error",
    named:
      /\b(?:must|should|ha(?:s|ve) to|needs? to) (?:still |always |then |also )?(?:be (?:refused|rejected)|raise|throw)\b|\b(?:is|are) (?:still )?(?:an )?errors?(?= \(|[,.]| as before)/i,
    certain: /\b(?:raise|throw) (?:(?:an?|the) )?[\w.`]*(?:Error|Exception)|\ban error as before\b/i,
    isShown: ({ text }) => errors.test(text),
  },
  {
    name: "a leap year",
    named: /\bleap years?\b/i,
    certain: /./,
    // days(2024)
    isShown: ({ text }) => /leap|366|(?<!\d)29(?!\d)|\d\d(?:[02468][048]|[13579][26])\)/i.test(text),
  },
  {
    name: "a part within another part",
    named:
      /\b(?:spans?|ranges?|intervals?|periods?|appointments?|events?|segments?|slots?|one|that (?:is|are|lies?)) (?:with)?in(?:side)? (?:another(?: (?:one|span|range|interval|period|appointment|event|segment|slot))?(?=\s*(?:[.,;:)]|$|(?:must|should|shall|is|are|has|have|needs?)\b))|an? (?:larger|longer|bigger)\b)/i,
    certain: /\b(?:within|inside)\b|\b(?:larger|longer|bigger)\b/i,
    isShown: ({ text }) => /within|inside|contain|nest|cover|enclos/i.test(text) || nestsPairs(text),
  },
  {
    name: "an input of this type",
    named: new RegExp(`${noResult}${types}(?! (?:of|with) )`, "i"),
    certain: new RegExp(`\\b(?:and|or|,) ${types}`, "i"),
    isShown: ({ text }, [, type = ""]) =>
      new RegExp(type, "i").test(text) || (shownTypes[type.toLowerCase()]?.test(text) ?? false),
  },
  {
    name: "an input of this length",
    named: /\b(?:with|of|has|have) (\d{1,3}) (digit|letter|character)s\b/i,
    certain: /\b(?:for|of)\b[^,;]*\bwith \d/i,
    isShown: ({ text, values }, [, count = "", unit = ""]) =>
      new RegExp(`\\b${count}\\b`).test(text) ||
      values
        .flatMap((value) => [value, value.replaceAll(unit === "digit" ? /\D/g : /\P{L}/gu, "")])
        .some((value) => value.length === Number(count)),
  },
];

/** True if a pair of numbers lies within another pair of the same line: `[(1, 9), (3, 4)]`. */
function nestsPairs(text: string): boolean {
  return text.split("\n").some((line) => {
    const pairs = [...line.matchAll(/[[({]\s*(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*[\])}]/g)]
      .slice(0, 20)
      .map(([, from, to]) => [Number(from), Number(to)] as const);
    return pairs.some(([from, to]) => pairs.some(([start, end]) => start < from && to < end));
  });
}

/** Returns the depth of the deepest list or record in the text; 0 without one. */
function depthOf(text: string): number {
  let [deepest, depth, last] = [0, 0, ""];
  const open: boolean[] = [];
  for (const sign of text) {
    if (sign === "[" || sign === "{") {
      const isValue = /[[{(,:=!]/.test(last);
      open.push(isValue);
      if (isValue) depth += 1;
    }
    if ((sign === "]" || sign === "}") && open.pop() === true) depth -= 1;
    deepest = Math.max(deepest, depth);
    if (sign.trim() !== "") last = sign;
  }
  return deepest;
}

/** Matches the end of a text, if the words after it name a result, or something that must be absent. */
const before =
  /\b(?:(?:return|give|yield|be|answer|as|become|print|show|write|written)s?(?: as| with)?|no|without|(?:not|never) \w+)(?: an?| any)? $/i;

function mixesCase(values: readonly string[]): boolean {
  const words = new Set(values.flatMap((value) => value.match(/\p{L}[\p{L}\p{N}_]*/gu) ?? []));
  return words.size > new Set([...words].map((word) => word.toLowerCase())).size;
}

/** True if a variable gets a list or record, and is afterwards an argument and a part of a comparison. */
function reusesInput(text: string): boolean {
  const given = [...text.matchAll(/\b([A-Za-z_]\w*)(?:: [^=\n]{1,60})? :?= ?(?:vec!)?[[{]/g)].map(
    ([, name = ""]) => name,
  );
  return given.some((name) => (text.match(new RegExp(`\\b${name}\\b`, "g"))?.length ?? 0) > 2);
}

const longestTold = 160;
/** The size of a piece in characters, and the number of pieces to read. A longer text takes seconds. */
const read = { characters: 200_000, pieces: 5 };

/**
 * Finds the stated inputs that no test has. `tests`: the code of all tests that could have the inputs. Empty without
 * code, and for code that is too long to read.
 */
export function findUnshownInputs(statement: string, tests: string): StatedPart[] {
  const count = Math.ceil(tests.length / read.characters);
  if (tests.trim() === "" || count > read.pieces) return [];
  const named = listRequirements(statement).flatMap((sentence) =>
    kinds.flatMap(({ name, named: words, certain, isShown }) => {
      const found = words.exec(sentence);
      if (found === null) return [];
      const isCertain =
        obliges(sentence) && certain?.test(sentence) === true && !before.test(sentence.slice(0, found.index));
      return [{ name, sentence, isCertain, isShown: (shown: Shown) => isShown(shown, found) }];
    }),
  );
  if (named.length === 0) return [];
  const pieces = Array.from({ length: count }, (_, at): Shown => {
    const text = tests.slice(at * read.characters, (at + 1) * read.characters);
    return { text, values: readCode(text).values };
  });
  return named
    .filter(({ isShown }) => !pieces.some(isShown))
    .map(({ name, sentence, isCertain }) => ({ text: `${name}: ${shorten(sentence)}`, isCertain }));
}

function shorten(text: string): string {
  return text.length <= longestTold ? text : `${text.slice(0, longestTold).replace(/\s\S*$/, "")} …`;
}
