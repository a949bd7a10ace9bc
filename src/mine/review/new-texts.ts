/**
 * Finds messages that a fix adds and its tests expect, but that neither the statement nor the changed files contain.
 * Pure.
 */
export interface Literal {
  /** The offset of the first character after the quote. */
  readonly at: number;
  /** The literal's text in the source, without quotes. */
  readonly text: string;
}

/** Lists string literals that are on one line. */
export function literalsIn(code: string): Literal[] {
  const quoted = code.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\\n]|\\.)*)`/g);
  return [...quoted].map(({ index, 1: a, 2: b, 3: c }) => ({ at: index + 1, text: a ?? b ?? c ?? "" }));
}

export interface FixTexts {
  /** The lines that the fix adds, without their indentation. */
  readonly added: readonly string[];
  /** The lines that the tests add. */
  readonly asked: string;
  readonly statement: string;
  /** The changed files before the fix. */
  readonly before: string;
}

/** Minimum number of words. Fewer words are a value, which a statement may give by example. */
const least = { message: 3, error: 2, piece: 2 };

/**
 * Returns the constant parts of the fix's messages that the tests contain, alone or as the whole message, but neither
 * the statement nor the changed files contain.
 */
export function findNewTexts({ added, asked, statement, before }: FixTexts): string[] {
  const tests = asked.replaceAll(/(["'`])\s*\+?\s*\n\s*\+?\s*[a-z]{0,2}\1/g, "");
  const told = statement.replaceAll(/\s+/g, " ");
  const found = messagesIn(added).flatMap(({ pieces, isError }) => {
    const needed = isError ? least.error : least.message;
    if (countWords(pieces.join(" ")) < needed) return [];
    const isWhole = holdsInOrder(tests, pieces.map(plainOf));
    return pieces.filter((piece) => {
      const isKnown = told.includes(plainOf(piece)) || before.includes(piece);
      if (isKnown || countWords(piece) < least.piece) return false;
      return isWhole || (countWords(piece) >= needed && tests.includes(plainOf(piece)));
    });
  });
  return [...new Set(found)];
}

interface Message {
  /** The texts between the variable parts. */
  readonly pieces: readonly string[];
  readonly isError: boolean;
}

const comment = /^(?:#(?![[{])|\/\/|\*|\/\*)/;
/** Matches lines that make an error. */
const failing = /\b(?:raise|throw|fail|panic!?|Err|bail!|errors\.New|Errorf|\w*(?:Error|Exception))\b/;
const plus = String.raw`(?:\+|\.{1,2}|<>|~|&)\s*`;
/** Code between two literals of one message: `"a" + b + "c"`, or nothing. */
const joint = new RegExp(
  String.raw`^["'\`]\s*\\?\s*(?:${plus}(?:[\w.$()[\]]+\s*${plus})?)?[a-zA-Z]{0,2}["'\`]$`,
);
/** Matches variable parts: `{name}`, `${name}`, `#{name}`, `$name`, `\(name)`, `%s`, `%(name)s`, `%5.2f`. */
const variable = /[$#]?\{[^}]*\}|\$\w+|\\\([^)]*\)|%(?:\(\w+\))?[-+#\d.$[\]]*[a-zA-Z]|\\n/;

function messagesIn(added: readonly string[]): Message[] {
  const lines = added.filter((line) => !comment.test(line));
  const code = lines.join("\n");
  const runs: Literal[][] = [];
  for (const literal of literalsIn(code)) {
    const last = runs.at(-1)?.at(-1);
    const gap = last === undefined ? "" : code.slice(last.at + last.text.length, literal.at);
    if (joint.test(gap)) runs.at(-1)?.push(literal);
    else runs.push([literal]);
  }
  return runs.map((run) => {
    const at = code.slice(0, run[0]?.at).split("\n").length - 1;
    const [above = "", own = ""] = [lines[at - 1], lines[at]];
    const pieces = run.flatMap(({ text }) => text.split(variable)).map((piece) => piece.trim());
    return {
      pieces: pieces.filter((piece) => /\w/.test(piece)),
      isError: failing.test(own) || (/[([{,]$/.test(above) && failing.test(above)),
    };
  });
}

/** Maximum number of characters of a variable part. */
const longestPart = 120;

/**
 * True if the pieces follow each other with variable parts between them. Takes linear time, because tests may repeat a
 * piece often.
 */
function holdsInOrder(text: string, pieces: readonly string[]): boolean {
  let ends: readonly number[] | undefined;
  for (const piece of pieces) {
    const next: number[] = [];
    let at = 0;
    for (let start = text.indexOf(piece); start !== -1; start = text.indexOf(piece, start + 1)) {
      while (ends !== undefined && (ends[at] ?? start) < start - longestPart) at += 1;
      if (ends === undefined || (ends[at] ?? Number.POSITIVE_INFINITY) <= start)
        next.push(start + piece.length);
    }
    ends = next;
  }
  return ends === undefined || ends.length > 0;
}

/** Returns the text without the escapes of quotes. */
function plainOf(piece: string): string {
  return piece.replaceAll(/\\(["'`])/g, "$1");
}

function countWords(text: string): number {
  return (text.match(/\w+/g) ?? []).length;
}
