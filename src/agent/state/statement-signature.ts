/**
 * What a failure must look like to be the one that a statement reports: written down from the statement before any test
 * runs, and compared by rules, never by an opinion.
 */
import { z } from "zod";
import type { StackFrame, TestOutcome } from "../../domain/test-outcome.ts";
import { isTestFile } from "../../languages/source-files.ts";

export const signatureSchema = z.object({
  /** Names of errors that the statement mentions: `TypeError`, `ParseException`. */
  errorTypes: z.array(z.string()),
  /** Quoted texts, code spans, compound identifiers and numbers, lower case: one of them is enough to match. */
  strong: z.array(z.string()),
  /** Other words of at least four letters, lower case and stemmed: several of them must match. */
  weak: z.array(z.string()),
  /** Quoted messages, with a hole (`\0`) for each value in them, lower case. Absent in runs of older versions. */
  messages: z.array(z.string()).default([]),
  /** Codes with which a program is said to end. Absent in runs of older versions. */
  exitCodes: z.array(z.string()).default([]),
  /** Errors of a compiler: its codes (`E0308`, `TS2345`) and what it says. Absent in runs of older versions. */
  compilerErrors: z.array(z.string()).default([]),
  /** What a commit's subject says that it is about (`extname` of `fix(extname): …`), and short code spans. Absent in runs of older versions. */
  subjects: z.array(z.string()).default([]),
  /** Quoted inputs, of digits and signs (`2016-03-06 15:28 +0900`), lower case. Absent in runs of older versions. */
  inputs: z.array(z.string()).default([]),
});
export type Signature = z.infer<typeof signatureSchema>;

export const leastWeakMatches = 2;
/** A long statement has many words, and some of them agree by chance: one more for each so many. */
export const wordsPerMatch = 25;
/** Words that many tests have, each by itself, tell a fault where few tests have all of them: so many more are asked for. */
const moreTogether = 2;
/** A statement with no more words is thin: one of them in the name of what is called is enough. */
const fewWords = 8;

/** The signature of an issue's text. */
export function readSignature(text: string): Signature {
  const statement = withoutReferences(text);
  const errorTypes = unique(statement.match(/\b[A-Z]\w*(?:Error|Exception|Panic)\b/g) ?? []);
  const quoted = [...statement.matchAll(/`([^`\n]{1,80})`|"([^"\n]{1,80})"|'([^'\n]{3,80})'/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
  const identifiers = statement.match(/\b[A-Za-z]\w*(?:_\w+|[a-z][A-Z]\w*|\.[A-Za-z_]\w+)\b/g) ?? [];
  const numbers =
    withoutSurroundings(statement)
      .match(/\b\d+\.\d+\b|\b\d{3,}\b/g)
      ?.filter((number) => !year.test(number)) ?? [];
  const strong = unique([...quoted, ...identifiers, ...numbers].map((term) => term.trim().toLowerCase()));
  return {
    errorTypes,
    strong: strong.filter((term) => term.length >= 3 && !plainWord.test(term) && !isOfFramework(term)),
    weak: wordsOf(statement),
    messages: unique(quoted.filter(isSentence).map(templateOf)),
    exitCodes: unique([...statement.matchAll(exitCode)].map((match) => match[1] ?? match[2] ?? "")),
    compilerErrors: readCompilerErrors(statement),
    subjects: unique(
      [...readScopes(statement), ...readShortNames(statement)].map((name) => name.toLowerCase()),
    ),
    inputs: unique(quoted.map((text) => text.trim().toLowerCase()).filter(isInput)),
  };
}

/** The names in the brackets of a conventional commit's subject. */
export function readScopes(statement: string): string[] {
  const [, scope = ""] = /^\s*[a-z]+\(([^()\n]{3,60})\)!?:\s/.exec(statement) ?? [];
  return unique(scope.split(/[,/\s]+/)).filter((name) => /^[A-Za-z_$][\w$.]{2,}$/.test(name));
}

/** `fee`, `fee(7)`: too short to be looked for in a text, but not where a test calls it. */
function readShortNames(statement: string): string[] {
  return [...statement.matchAll(/`([A-Za-z_$][\w$]{1,3})(?:\([^`\n]*\))?`/g)].map(([, name = ""]) => name);
}

/** As compilers print them, at the start of a line or behind a place, and codes that somebody names. */
function readCompilerErrors(statement: string): string[] {
  const printed = [
    ...statement.matchAll(
      /^(?:\S+:\d+\S*\s+)?(?:fatal )?error(?:\[(\w+)\]|\s+([A-Z]+\d{4,5}))?:\s+(\S.*)$/gm,
    ),
  ];
  const codes = statement.match(/\b(?:E0\d{3}|(?:TS|CS|C)\d{4,5})\b/g) ?? [];
  const found = printed.flatMap(([, code, behind, message = ""]) =>
    code === undefined && behind === undefined ? [message] : [code ?? behind ?? ""],
  );
  return unique([...found, ...codes].map((text) => text.trim().toLowerCase()));
}

/** Of what keeps a test from being built: which of the statement's errors of a compiler it is. */
export function matchCompilerError({ compilerErrors }: Signature, message: string): string | undefined {
  const said = message.toLowerCase();
  return compilerErrors.find((error) => error.length >= shortestError && holds(said, error));
}
const shortestError = 5;

/** Numbers of issues and pull requests say nothing, and stand in names of folders and branches. */
function withoutReferences(text: string): string {
  return text
    .replaceAll(/\bhttps?:\/\/\S+\/(?:issues?|pull|commit|merge_requests)\/\S+/g, " ")
    .replaceAll(
      /(?:\b(?:issue|bug|ticket|PR|pull request|fixes|closes|see|GH)[ -/]*)*#\d+|\b(?:GH|PR|issue)[- ]\d+/gi,
      " ",
    );
}

const exitCode =
  /\bexit(?:s|ed)?(?: with)?(?: a)?(?: status)?(?: code)?:? (\d{1,3})\b|\bexit status:? (\d{1,3})\b/gi;

/** A value that somebody gave: digits and signs without a word; no number or version alone, and no commit. */
function isInput(text: string): boolean {
  const isNamed = /^[0-9a-f]{7,40}$|^[v^~=<>\s]*\d+(?:(?:\.\d+)*|(?:\.\d+){2,}[\w.+-]*)$/.test(text);
  return text.length >= 3 && /\d/.test(text) && /[^\w\s]/.test(text) && !/\b[\p{L}_]/u.test(text) && !isNamed;
}

/** Of a failing test's text and of what it printed: an input that the statement quotes stands there, where it quotes any. */
export function hasInput({ inputs }: Signature, texts: readonly string[]): boolean {
  const text = texts.join("\n").toLowerCase();
  return inputs.length === 0 || inputs.some((input) => holds(text, input));
}

function isSentence(text: string): boolean {
  return text.trim().split(/\s+/).length >= 3;
}

/** A message with its values cut out: quoted texts, numbers and paths. */
function templateOf(message: string): string {
  return message
    .toLowerCase()
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|<[^<>]*>|(?<![\w.])\/[\w./-]+|\b\d+(?:\.\d+)*\b/g, hole)
    .trim();
}
const hole = "\0";
/** Letters that two messages must share beside their values. */
const shortestTemplate = 12;

function fitsTemplate(text: string, template: string): boolean {
  const pieces = template.split(hole).map((piece) => piece.trim());
  if (pieces.join("").length < shortestTemplate) return false;
  let at = 0;
  return pieces.every((piece) => {
    const found = text.indexOf(piece, at);
    at = found + piece.length;
    return found >= 0;
  });
}

/**
 * Without what says where and when a test ran and not why it fails: folders, versions, dates, times, addresses and ports. Of a path its
 * last part is left.
 */
export function withoutSurroundings(text: string): string {
  return text
    .replaceAll(/(?<![\w.:/~])~?(?:\/[\w.@+~-]+)+\/([\w.@+~-]+)/g, " $1")
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d\S*)?|\b\d\d:\d\d(?::\d\d)?(?:\.\d+)?\b/g, " ")
    .replaceAll(/\bv?\d+\.\d+\.\d+[\w.+-]*/g, " ")
    .replaceAll(/\b0x[0-9a-f]{6,}\b|\b(?:in )?\d+\.\d+ ?s(?:econds)?\b/gi, " ")
    .replaceAll(/(?<=\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)|\[::1?\]):\d+/g, " ")
    .replaceAll(
      /(?<=\.\w{1,5}):\d+(?::\d+)?\b|\bline \d+\b|\b(?:Python|Node\.js|Java|Go|rustc|cargo|npm) v?\d+(?:\.\d+)*/gi,
      " ",
    );
}

/** In dates of reports and of tests alike, so that it says nothing. */
const year = /^(?:19|20)\d\d$/;

const plainWord = /^(?:[a-z]{1,4}|true|false|null|none|undefined)$/;

/** Words and texts of test frameworks themselves: any failing test has them, so that they say nothing of its reason. */
const frameworkTerms: Readonly<Record<string, RegExp>> = {
  "the name of a failed assertion's error":
    /^(?:assertion(?:failed)?(?:error|exception)|comparisonfailure|multiplefailureserror)$/,
  "an assertion":
    /^(?:(?:self|this|t|assert|assertions|chai|unittest|std)(?:\.|::))*(?:(?:debug_)?assert(?:_\w+)?|assert(?:not)?(?:equals?|true|false|raises|that|is|in|null|same|throws)\w*|expect)!?(?:\(.*\))?(?:\.\w+)*$/,
  "what runs them": /^(?:pytest|unittest|cargo test|jest|vitest|mocha|junit|gtest|go test)$/,
  "rust's comparison": /^(?:assertion )?`?left (?:==|!=) right`?(?: failed)?$/,
};

function isOfFramework(term: string): boolean {
  return Object.values(frameworkTerms).some((form) => form.test(term));
}

/** What frameworks print of their own limits of time. */
const frameworkLimits =
  /Timeout of \d+ms exceeded\. For async tests and hooks[^\n]*|Exceeded timeout of \d+ ?ms for a (?:test|hook)[^\n]*|(?:Test|Hook) timed out in \d+ ?ms\.?[^\n]*|Failed: Timeout >?\(?\d+(?:\.\d+)?s\)?[^\n]*/g;

/** What frameworks print around the values that differ. */
const frameworkPhrases =
  /assertion `left (?:==|!=) right` failed|^\s*(?:left|right):|\bassertion failed\b|thread '[^'\n]*'(?: \(\d+\))? panicked at|expected values to be (?:strictly |loosely )?(?:deep-)?equal|expect\(received\)\.[\w.]+\([^)\n]*\)|^\s*(?:expected|received|actual)\b:?|expected:? <|> but was:? </gim;

export interface SignatureMatch {
  readonly matches: boolean;
  /** An error, a message, a quoted text, an identifier or a number agrees, and not only words that any text may hold. */
  readonly isStrong: boolean;
  /** What agreed, or that nothing did; a sentence's part. */
  readonly evidence: string;
  /** Of one that matches: what makes that less than certain, where it is not that words alone agree. */
  readonly doubt?: string;
  /** Plain words alone agree. */
  readonly isByWords?: true;
  /** Of one that does not match: the failure comes out of the product, and nothing speaks against it either. */
  readonly isOpen?: boolean;
}

/** What a failing test did, for who knows its text: names that were called, and values that were given. */
export interface TestCode {
  readonly called: readonly string[];
  readonly values: readonly string[];
  /** All names of the product: a word that stands in many of them says little. */
  readonly product: ReadonlySet<string>;
  /** The text of each test of the repository, lower case: what stands in many of them says little. */
  readonly tests: readonly string[];
}
const noCode: TestCode = { called: [], values: [], product: new Set(), tests: [] };
/** In so many names of the product a word may stand that is enough alone. */
const fewNames = 3;

/**
 * Compares a failing test with the signature, field by field: the error's class, the message as a template with values, the exit code,
 * the place in the code, names and values; and at last plain words. The test's own name counts as a place: leave it out where who wrote
 * the test chose it.
 */
export function matchSignature(
  signature: Signature,
  outcome: TestOutcome,
  code: TestCode = noCode,
): SignatureMatch {
  const { failure } = outcome;
  const type = outcome.status === "timed-out" ? "" : (failure?.type ?? "");
  const say = (evidence: string, isStrong = true): SignatureMatch => ({ matches: true, isStrong, evidence });
  if (signature.errorTypes.includes(type) && (!isOfFramework(type.toLowerCase()) || isRaisedInCode(outcome)))
    return say(`it raises ${type}, which the statement names`);
  // That a limit was met, the framework's or ours, says nothing of what the test waited for.
  const printed = outcome.status === "timed-out" ? "" : (failure?.message ?? "");
  const raw = printed.replaceAll(frameworkLimits, " ").replaceAll(frameworkPhrases, " ");
  const message = withoutSurroundings(raw);
  if (signature.messages.some((template) => fitsTemplate(message.toLowerCase(), template)))
    return say("its message is the one that the statement quotes");
  const ended = [...raw.matchAll(exitCode)].map((match) => match[1] ?? match[2] ?? "");
  const exited = ended.find((each) => signature.exitCodes.includes(each));
  if (exited !== undefined) return say(`it ends with exit code ${exited}, as the statement says`);
  const own = (failure?.frames ?? []).filter(({ file }) => !outside.test(file));
  const places = own.map(
    ({ file, function: name = "" }) => `${file.slice(file.lastIndexOf("/") + 1)} ${name}`,
  );
  const files = own.map(({ file }) => file.toLowerCase());
  const name = outcome.key.name === "" ? "" : `${outcome.key.target.split("/").at(-1)} ${outcome.key.name}`;
  const text = [name, type, message, ...places].join(" ").toLowerCase();
  const called = code.called.map((each) => each.toLowerCase());
  const values = code.values.map((each) => each.toLowerCase());
  const strong = signature.strong.filter(
    (term) =>
      holds(text, term) ||
      (term.includes("/") &&
        (raw.toLowerCase().includes(term) || files.some((file) => file.endsWith(term)))) ||
      isCalled(called, term) ||
      values.some((value) => holds(value, term)),
  );
  const rare = strong.filter((term) => !isCommon([term], code.tests, holds));
  if (rare.length > 0) return say(`the failure and the statement share: ${list(rare)}`);
  if (strong.length > 1 && !isCommon(strong, code.tests, holds))
    return say(`the failure and the statement share together: ${list(strong)}`, false);
  const subject = signature.subjects.find(
    (each) => called.includes(each) && !isCommon([each], code.tests, holds),
  );
  if (subject !== undefined) return say(`it calls what the statement is about: "${subject}"`, false);
  return (
    matchWords(signature, code, { name, message, own, places }) ?? {
      matches: false,
      isStrong: false,
      evidence: "the statement names nothing in it",
    }
  );
}

interface Said {
  readonly name: string;
  readonly message: string;
  /** Frames in the repository, and their places. */
  readonly own: readonly StackFrame[];
  readonly places: readonly string[];
}

/** Plain words, which any text may hold: several, or one of a thin statement that names what is called. */
function matchWords(
  signature: Signature,
  code: TestCode,
  { name, message, own, places }: Said,
): SignatureMatch | undefined {
  const say = (evidence: string): SignatureMatch => ({
    matches: true,
    isStrong: false,
    evidence,
    isByWords: true,
  });
  const reached = wordsOf([...code.called, ...own.map(({ function: each = "" }) => each)].join(" "));
  const said = [name, message, ...code.called, ...places].join(" ");
  const words = new Set([...wordsOf(`${name} ${message}`), ...reached]);
  const shared = signature.weak.filter((word) => words.has(word) && !isCommon([word], code.tests));
  // "pre-release" is one word, however it is written.
  const weak = shared.filter((word) => !shared.some((other) => other !== word && other.endsWith(word)));
  const needed = Math.max(leastWeakMatches, Math.ceil(signature.weak.length / wordsPerMatch));
  if (weak.length >= needed)
    return say(
      `the failure and the statement share the words: ${list(weak.map((each) => wordWith(each, said)))}`,
    );
  const together = signature.weak.filter((word) => words.has(word));
  if (together.length >= needed + moreTogether && !isCommon(together, code.tests))
    return say(
      `the failure and the statement share together the words: ${list(together.map((each) => wordWith(each, said)))}`,
    );
  const isRare = (word: string): boolean => countNames(code.product, word) <= fewNames;
  const thin =
    signature.weak.length > fewWords
      ? undefined
      : signature.weak.find(
          (word) => reached.includes(word) && isRare(word) && !isCommon([word], code.tests),
        );
  if (thin !== undefined)
    return say(`a word of the statement names what it calls: ${list([wordWith(thin, said)])}`);
  return undefined;
}

function countNames(names: ReadonlySet<string>, word: string): number {
  let count = 0;
  for (const name of names) if (wordsOf(name).includes(word)) count += 1;
  return count;
}

/** A term is common where more tests than both of these have it. */
const commonTerm = { tests: 10, share: 0.02 };
/**
 * Names, values and words that stand in many tests of the repository tell this fault from no other. `terms`: in the same test. A name
 * that is a part of a longer one is another name; a word may be.
 */
export function isCommon(
  terms: readonly string[],
  tests: readonly string[],
  has: (text: string, term: string) => boolean = (text, term) => text.includes(term),
): boolean {
  const most = Math.max(commonTerm.tests, commonTerm.share * tests.length);
  let count = 0;
  for (const text of tests) {
    if (terms.every((term) => has(text, term))) count += 1;
    if (count > most) return true;
  }
  return false;
}

/** In a text, and no part of a longer word or number. */
function holds(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + term.length]];
    const isOpen = (edge: string, next: string): boolean => !letter.test(edge) || !letter.test(next);
    if (isOpen(term[0] ?? "", before) && isOpen(term.at(-1) ?? "", after)) return true;
  }
  return false;
}
const letter = /[a-z0-9]/;

/** `a.b.parse` is called where `parse` is, and `parse(x)` too. */
function isCalled(called: readonly string[], term: string): boolean {
  const name = calledName(term);
  return name !== undefined && called.includes(name);
}

/** Of a term: the name that a call of it has. */
export function calledName(term: string): string | undefined {
  const name = /([a-z_$][\w$]*)!?(?:\(.*)?$/s.exec(term)?.[1];
  return name !== undefined && name.length >= 3 && !plainWord.test(name) ? name : undefined;
}

/** Files of libraries. */
const outside = /^(?:\/|[a-z]+:)|(?:^|\/)(?:node_modules|site-packages)\//;

/** An assertion that the code under test makes itself, and not the test. */
function isRaisedInCode({ failure }: TestOutcome): boolean {
  const last = failure?.frames.at(-1)?.file;
  return last !== undefined && !outside.test(last) && !isTestFile(last);
}

function list(terms: readonly string[]): string {
  // What stands within another says nothing more: of `shop/cart.py`, `cart.py`.
  return terms
    .filter((term) => !terms.some((other) => other !== term && other.includes(term)))
    .slice(0, 4)
    .map((term) => `"${term}"`)
    .join(", ");
}

function splitIdentifiers(text: string): string {
  return text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}

/** The words of a text or of names that may tell something, stemmed. */
export function wordsOf(text: string): string[] {
  const plain = splitIdentifiers(text).toLowerCase();
  // Joined to a short first part, as names are: `prerelease` of "pre-release".
  const joined = [...plain.matchAll(/(?<![\w-])([a-z]{2,3})-([a-z]{3,})(?![\w-])/g)].map(
    ([, first = "", rest = ""]) => `${first}${rest}`,
  );
  const words = [...(plain.match(/[a-z]{4,}/g) ?? []), ...joined];
  const stems = words.filter((word) => !common.has(word)).map(stem);
  return unique(stems.filter((word) => word.length >= 4));
}

/** The word of a text that a stem stands for, as people read it. */
function wordWith(stemmed: string, text: string): string {
  const words =
    splitIdentifiers(text)
      .toLowerCase()
      .match(/[a-z]{4,}/g) ?? [];
  return words.find((word) => stem(word) === stemmed) ?? stemmed;
}

/**
 * Cuts the commonest English endings: enough to join `fails`, `failing` and `failed`, `parse`, `parser` and `parsing`, `validate` and
 * `validation`, `proxy` and `proxies`.
 */
function stem(word: string): string {
  const bare = word
    .replace(/(?:ing|ed|es|s)$/, "")
    .replace(/(?<=\w{4})(?:er|or)$|(?<=\w{5})ion$/, "")
    .replace(/(?<=\w{3})(.)\1$/, "$1");
  return bare.replace(/(?<=\w{4})[eiy]$/, "") || word;
}

/** Words that any issue and any test name may hold. */
const common = new Set(
  (
    "that this with from have been when then than they them what which while where there these those should would could will " +
    "does doing done test tests testing should expected expect actual instead error errors fail fails failed failing issue bug " +
    "version versions code file files line lines function functions method methods class module import using used uses return " +
    "returns returned value values result results output input example examples reproduce steps behavior behaviour problem wrong " +
    "correct correctly work works working about after before also because some such only more most very just were found here seen has had was got get gets instead since still like make makes " +
    "assert asserts assertion assertions panicked call calls called into over under between same other another each every both without true false none null undefined " +
    // The kind of a failure, which others have too; its class is compared by itself.
    "panic panics panicking crash crashes crashed crashing exception exceptions raise raises raised raising throw throws thrown throwing cause causes caused causing"
  ).split(" "),
);

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
