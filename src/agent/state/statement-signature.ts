/**
 * Describes the properties of a failure that the statement reports. Millwright records this description before any test
 * runs, and compares by rules, never by an opinion.
 */

import { z } from "zod";
import type { StackFrame, TestOutcome } from "../../domain/test-outcome.ts";
import { readFunctions } from "../../graph/retrieval/read-mentions.ts";
import { isSourceFile, isTestFile } from "../../languages/source-files.ts";
import { isAboutNetwork, needsNetwork } from "./needs-network.ts";
import { readCounts } from "./stated-counts.ts";

export const signatureSchema = z.object({
  /** Names of errors that the statement mentions: `TypeError`, `ParseException`. */
  errorTypes: z.array(z.string()),
  /**
   * Quoted texts, code spans, compound identifiers and numbers, in lower case except patterns. One match is enough.
   */
  strong: z.array(z.string()),
  /** Other words of at least four letters, in lower case and stemmed. Several must match. */
  weak: z.array(z.string()),
  /** Quoted messages in lower case, with the placeholder `\0` for each value. Absent in runs of older versions. */
  messages: z.array(z.string()).default([]),
  /** Exit codes that the statement mentions. Absent in runs of older versions. */
  exitCodes: z.array(z.string()).default([]),
  /** Compiler errors: their codes (`E0308`, `TS2345`) and messages. Absent in runs of older versions. */
  compilerErrors: z.array(z.string()).default([]),
  /**
   * The subject of a commit (`extname` in `fix(extname): …`), and short code spans. Absent in runs of older versions.
   */
  subjects: z.array(z.string()).default([]),
  /** Quoted inputs of digits and signs (`2016-03-06 15:28 +0900`), in lower case. Absent in runs of older versions. */
  inputs: z.array(z.string()).default([]),
  /** Versions and dates, in lower case. They count only as literals of a test. Absent in runs of older versions. */
  dated: z.array(z.string()).default([]),
  /** Wrong counts, each with the right one. Absent in runs of older versions. */
  counts: z.array(z.object({ wrong: z.string(), right: z.string() })).default([]),
  /** True if the statement mentions a result, and no possible error. Absent in runs of older versions. */
  isAboutResult: z.boolean().default(false),
});
export type Signature = z.infer<typeof signatureSchema>;

const ofResults =
  /\b(?:wrong|incorrect|results?|returns?|gives?|yields?|values?|mean|sum|total|rounded|instead of)\b/i;
const ofErrors =
  /\b(?:errors?|except\w*|fail\w*|crash\w*|rais\w*|throw\w*|panic\w*|br[eo]ak\w*|broken?|abort\w*|trace\w*|can(?:not|'t)|unable|reject\w*|refus\w*|\w*valid\w*|works?|working|handl\w*|accept\w*|support\w*|allow\w*|miss\w*|ends?|stops?|hangs?|empty|null|none|undefined|nil|overflow\w*|types?|bug\w*)\b|[A-Z]\w*(?:Error|Exception)\b/i;

export const leastWeakMatches = 2;
/**
 * A failure must match one word per this many words of the statement, and at least `leastWeakMatches`. In long texts,
 * some words match by chance.
 */
export const wordsPerMatch = 25;
/** Number of additional words that must match. Common words identify a fault if few tests contain all of them. */
const moreTogether = 2;
/** If a statement has at most this many words, one word in the name of a called function is sufficient. */
const fewWords = 8;

/** Reads the signature of the failure from an issue's text. `modules`: names of the repository's modules. */
export function readSignature(text: string, modules: ReadonlySet<string> = new Set()): Signature {
  const statement = withoutReferences(text);
  const errorTypes = unique(statement.match(/\b[A-Z]\w*(?:Error|Exception|Panic)\b/g) ?? []);
  const quoted = [...statement.matchAll(/`([^`\n]{1,80})`|"([^"\n]{1,80})"|'([^'\n]{3,80})'/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
  const identifiers =
    statement.match(/\b(?:[A-Za-z]\w*(?:_\w+|[a-z][A-Z]\w*|\.[A-Za-z_]\w+)|__[a-z]\w*__)\b/g) ?? [];
  const numbers =
    withoutSurroundings(statement)
      .match(/\b\d+\.\d+\b|\b\d{3,}\b/g)
      ?.filter((number) => !year.test(number)) ?? [];
  // Errors often name `stdlib.ExtraAdder` without its module. Other libraries' names, as in `pd.DataFrame`, are common.
  const members = identifiers.flatMap((name) => {
    const [, head = "", member = ""] = /(\w+)\.(\w*(?:[a-z\d][A-Z]|[a-z\d]_[a-z])\w*)$/.exec(name) ?? [];
    return modules.has(head) ? [member] : [];
  });
  const strong = unique(
    [...quoted, ...identifiers, ...members, ...numbers]
      .map((term) => term.trim())
      .map((term) => (isPattern(term) ? term : term.toLowerCase())),
  );
  return {
    errorTypes,
    strong: strong.filter(
      (term) => term.length >= 3 && !plainWord.test(term) && !everywhere.test(term) && !isOfFramework(term),
    ),
    weak: wordsOf(statement),
    messages: unique(quoted.filter(isSentence).map(templateOf)),
    exitCodes: unique([...statement.matchAll(exitCode)].map((match) => match[1] ?? match[2] ?? "")),
    compilerErrors: readCompilerErrors(statement),
    subjects: unique(
      [...readScopes(statement), ...readShortNames(statement), ...readFunctions(statement)].map((name) =>
        name.toLowerCase(),
      ),
    ),
    inputs: unique(quoted.map((text) => withoutQuotes(text.trim().toLowerCase())).filter(isInput)),
    dated: unique((statement.match(versionOrDate) ?? []).map((each) => each.toLowerCase())),
    counts: readCounts(statement),
    isAboutResult: ofResults.test(statement) && !ofErrors.test(statement),
  };
}

/** Returns the names of modules: of source files, and of their folders. */
export function readModules(paths: readonly string[]): Set<string> {
  const parts = paths.filter(isSourceFile).flatMap((path) => path.replace(/\.\w+$/, "").split("/"));
  return new Set(parts);
}

/** Returns the scopes in a conventional commit's subject: `cart` and `fees` in `fix(cart, fees): …`. */
export function readScopes(statement: string): string[] {
  const [, scope = ""] = /^\s*[a-z]+\(([^()\n]{3,60})\)!?:\s/.exec(statement) ?? [];
  return unique(scope.split(/[,/\s]+/)).filter((name) => /^[A-Za-z_$][\w$.]{2,}$/.test(name));
}

/** Reads code such as `fee` and `fee(7)`, which is too short for a text search. It counts only if a test calls it. */
function readShortNames(statement: string): string[] {
  return [...statement.matchAll(/`([A-Za-z_$][\w$]{1,3})(?:\([^`\n]*\))?`/g)].map(([, name = ""]) => name);
}

/** Compiler errors at the start of a line or after a place, and codes that the statement names. */
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

/** Finds the statement's compiler error that a failed build of a test reports; undefined if there is none. */
export function matchCompilerError({ compilerErrors }: Signature, message: string): string | undefined {
  const said = message.toLowerCase();
  return compilerErrors.find((error) => error.length >= shortestError && holds(said, error));
}
const shortestError = 5;

/**
 * Removes numbers and addresses of issues and pull requests. They carry no information, and occur in names of folders
 * and branches.
 */
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

/** Removes quotes inside backticks: `'0'` is a value, which a test may write differently. */
function withoutQuotes(text: string): string {
  return /^(?:'[^']*'|"[^"]*")$/.test(text) ? text.slice(1, -1) : text;
}

/** True for a given value: digits and signs without a word. False for a bare number, a version or a commit. */
function isInput(text: string): boolean {
  const isNamed = /^[0-9a-f]{7,40}$|^[v^~=<>\s]*\d+(?:(?:\.\d+)*|(?:\.\d+){2,}[\w.+-]*)$/.test(text);
  return text.length >= 3 && /\d/.test(text) && /[^\w\s]/.test(text) && !/\b[\p{L}_]/u.test(text) && !isNamed;
}

/**
 * True if a failing test's text or output contains an input that the statement quotes. Also true if the statement
 * quotes no input.
 */
export function hasInput({ inputs }: Signature, texts: readonly string[]): boolean {
  const text = apart(texts.join("\n").toLowerCase());
  return inputs.length === 0 || inputs.some((input) => holds(text, apart(input).trim()));
}

/** Separates percent-encoded bytes from the letters around them: `a%5eb` contains `%5e`. */
function apart(text: string): string {
  return text.replaceAll(/%[\da-f]{2}/g, " $& ");
}

const versionOrDate = /(?<![\w./-])(?:\d+\.\d+\.\d+(?:[\w.+-]*\w)?|\d{4}-\d\d-\d\d)(?![\w/])/g;

function isSentence(text: string): boolean {
  return text.trim().split(/\s+/).length >= 3;
}

/** A message without its values, which are quoted texts, numbers and paths. */
function templateOf(message: string): string {
  return message
    .toLowerCase()
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|<[^<>]*>|(?<![\w.])\/[\w./-]+|\b\d+(?:\.\d+)*\b/g, hole)
    .trim();
}
const hole = "\0";
/** Minimum letters that two messages must share outside their values. */
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
 * Removes details of the test's run: folders, versions, dates, times, addresses and ports. They do not show why the
 * test fails. Keeps the last part of a path.
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

/** Parts of dates, which occur in any report or test. */
const year = /^(?:19|20)\d\d$/;

/** Names that occur in most Python packages' stack traces and files. */
const everywhere = /^__(?:init|main|name|file|all|version|dict|class|new|call)__$/;

const plainWord = /^(?:[a-z]{1,4}|true|false|null|none|undefined)$/;

/** Words and texts of test frameworks. Every failing test contains them, so they do not count as evidence. */
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

/** Messages of frameworks about their own time limits. */
const frameworkLimits =
  /Timeout of \d+ms exceeded\. For async tests and hooks[^\n]*|Exceeded timeout of \d+ ?ms for a (?:test|hook)[^\n]*|(?:Test|Hook) timed out in \d+ ?ms\.?[^\n]*|Failed: Timeout >?\(?\d+(?:\.\d+)?s\)?[^\n]*/g;

/** Text that frameworks print around differing values. */
const frameworkPhrases =
  /assertion `left (?:==|!=) right` failed|^\s*(?:left|right):|\bassertion failed\b|thread '[^'\n]*'(?: \(\d+\))? panicked at|expected values to be (?:strictly |loosely )?(?:deep-)?equal|expect\(received\)\.[\w.]+\([^)\n]*\)|^\s*(?:expected|received|actual)\b:?|expected:? <|> but was:? </gim;

export interface SignatureMatch {
  readonly matches: boolean;
  /**
   * True if an error, a message, a quoted text, an identifier or a number matches. False if only plain words, the
   * subject or several common terms match.
   */
  readonly isStrong: boolean;
  /** A clause that describes the match, or says that there is none. */
  readonly evidence: string;
  /** The reason why a match is uncertain. A match of plain words needs no reason here: see `isStrong`. */
  readonly doubt?: string;
  /** True if only plain words match. */
  readonly isByWords?: true;
  /** True without a match if the failure comes from the product and nothing contradicts the statement. */
  readonly isOpen?: boolean;
  /** True without a match if the test calls nothing of the product. */
  readonly callsNothing?: true;
}

/** The names that a failing test calls, and the values that it uses. Known only if the test's text was read. */
export interface TestCode {
  readonly called: readonly string[];
  readonly values: readonly string[];
  /** All names of the product. A word in many of them carries little information. */
  readonly product: ReadonlySet<string>;
  /** The text of each test of the repository, in lower case. Terms in many of them carry little information. */
  readonly tests: readonly string[];
}
const noCode: TestCode = { called: [], values: [], product: new Set(), tests: [] };
/** A single word is enough only if at most this many names of the product contain it. */
const fewNames = 3;

/**
 * Compares a failing test with the signature, field by field:
 * - the error's class
 * - the message as a template with values
 * - the exit code and the place in the code
 * - names and values
 * - plain words
 *
 * The test's own name counts as a place. Omit the name if the agent wrote the test.
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
    return say(`the test raises ${type}, which the statement names`);
  // A timeout, by the framework or by Millwright, does not show why the test waited.
  const printed = outcome.status === "timed-out" ? "" : (failure?.message ?? "");
  const raw = printed.replaceAll(frameworkLimits, " ").replaceAll(frameworkPhrases, " ");
  const message = withoutSurroundings(raw);
  if (signature.messages.some((template) => fitsTemplate(message.toLowerCase(), template)))
    return say("the statement quotes the failure's message");
  const ended = [...raw.matchAll(exitCode)].map((match) => match[1] ?? match[2] ?? "");
  const exited = ended.find((each) => signature.exitCodes.includes(each));
  if (exited !== undefined) return say(`the test ends with exit code ${exited}, as the statement says`);
  const own = (failure?.frames ?? []).filter(({ file }) => !outside.test(file));
  const places = own.map(
    ({ file, function: name = "" }) => `${file.slice(file.lastIndexOf("/") + 1)} ${name}`,
  );
  const files = own.map(({ file }) => file.toLowerCase());
  // A test without a network fails whatever its subject is: neither its name nor its calls are evidence.
  const isOffline = needsNetwork(outcome);
  const name =
    outcome.key.name === "" || isOffline ? "" : `${outcome.key.target.split("/").at(-1)} ${outcome.key.name}`;
  const said = { named: [name, type, ...places].join(" "), message };
  const called = code.called.map((each) => each.toLowerCase());
  const values = code.values.map((each) => each.toLowerCase());
  const strong = signature.strong.filter(
    (term) =>
      says(said, term) ||
      (term.includes("/") &&
        (raw.toLowerCase().includes(term.toLowerCase()) ||
          files.some((file) => file.endsWith(term.toLowerCase())))) ||
      isCalled(called, term.toLowerCase()) ||
      (isPattern(term) ? code.values : values).some((value) => holds(value, term)),
  );
  const rare = strong.filter((term) => !isCommon([term.toLowerCase()], code.tests, holds));
  if (rare.length > 0)
    return say(`the failure and the statement share: ${list(rare)}`, !isOffline || rare.some(isAboutNetwork));
  const lower = strong.map((term) => term.toLowerCase());
  if (strong.length > 1 && !isCommon(lower, code.tests, holds))
    return say(`together, these match the statement: ${list(strong)}`, false);
  const dated = signature.dated.filter((each) => values.includes(each));
  if (dated.length > 1 && !isCommon(dated, code.tests, holds))
    return say(`the test uses the statement's values: ${list(dated)}`, false);
  const subject = signature.subjects.find(
    (each) => called.includes(each) && !isCommon([each], code.tests, holds),
  );
  if (subject !== undefined) return say(`the test calls the statement's subject: "${subject}"`, false);
  return (
    matchWords(signature, code, { name, message, own: own.filter(isCalledBy(outcome)), places }) ?? {
      matches: false,
      isStrong: false,
      evidence: "the statement and the failure share nothing",
    }
  );
}

interface Said {
  readonly name: string;
  readonly message: string;
  /** Frames in the repository, without the test's own. */
  readonly own: readonly StackFrame[];
  /** The places of the frames in the repository. */
  readonly places: readonly string[];
}

/** Returns a function that is false for the frame of the test itself, because its name is not a call. */
function isCalledBy({ key }: TestOutcome): (frame: StackFrame) => boolean {
  const lastName = (name: string): string | undefined =>
    name
      .replace(/[[(].*$/s, "")
      .match(/[\w$]+/g)
      ?.at(-1);
  const test = lastName(key.name);
  return ({ function: name = "" }) => test === undefined || lastName(name) !== test;
}

/** Compares plain words. Requires several shared words, or one word of a short statement in a called name. */
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
  const words = new Set([...wordsOf(`${name} ${message.replaceAll(usualPhrases, " ")}`), ...reached]);
  const shared = signature.weak.filter((word) => words.has(word) && !isCommon([word], code.tests));
  // Counts "pre-release" and its part "release" as one word.
  const weak = shared.filter((word) => !shared.some((other) => other !== word && other.endsWith(word)));
  const needed = Math.max(leastWeakMatches, Math.ceil(signature.weak.length / wordsPerMatch));
  if (weak.length >= needed)
    return say(
      `the failure and the statement share the words: ${list(weak.map((each) => wordWith(each, said)))}`,
    );
  const together = signature.weak.filter((word) => words.has(word));
  if (together.length >= needed + moreTogether && !isCommon(together, code.tests))
    return say(
      `together, the failure and the statement share the words: ${list(together.map((each) => wordWith(each, said)))}`,
    );
  const isRare = (word: string): boolean => countNames(code.product, word) <= fewNames;
  const thin =
    signature.weak.length > fewWords
      ? undefined
      : signature.weak.find(
          (word) => reached.includes(word) && isRare(word) && !isCommon([word], code.tests),
        );
  if (thin !== undefined)
    return say(
      `a word of the statement is in the name of a function that the test calls: ${list([wordWith(thin, said)])}`,
    );
  return undefined;
}

/**
 * Phrases that languages put into the messages of many different errors. Only the values beside them tell errors apart.
 */
const usualPhrases =
  /\bobject has no attribute\b|\bgot an unexpected keyword argument\b|\b(?:missing \d+ )?required (?:positional|keyword-only) arguments?\b|\btakes (?:from )?\d+(?: to \d+)? positional arguments? but \d+ (?:was|were) given\b|\bobject is not (?:callable|iterable|subscriptable)\b|\bcannot import name\b|\bcannot read propert(?:y|ies) of (?:undefined|null)\b|\bis not (?:a function|a constructor|defined|iterable)\b|\binvalid memory address or nil pointer dereference\b|\bindex out of (?:range|bounds)\b|\bundefined (?:local variable or )?method\b/gi;

function countNames(names: ReadonlySet<string>, word: string): number {
  let count = 0;
  for (const name of names) if (wordsOf(name).includes(word)) count += 1;
  return count;
}

/** A term is common if the number of tests that contain it exceeds both limits. */
const commonTerm = { tests: 10, share: 0.02 };
/**
 * True if many tests of the repository contain all `terms`. Such terms do not identify the fault. `has`: tests whether
 * a text contains a term, by default also inside a longer word.
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

/** True if the text contains the term as a whole word or number. */
function holds(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + term.length]];
    const isOpen = (edge: string, next: string): boolean => !letter.test(edge) || !letter.test(next);
    if (isOpen(term[0] ?? "", before) && isOpen(term.at(-1) ?? "", after)) return true;
  }
  return false;
}
const letter = /[a-z0-9]/i;

/** True for a regular expression with a range or an escape, such as `^[a-z]+$`: the case of its letters matters. */
function isPattern(term: string): boolean {
  return /\[[^\]\s]*\w-\w[^\]\s]*\]|\\[a-z]/i.test(term) && !/\s/.test(term);
}

/**
 * True if the failure contains the term. A plain word counts in the message only as a word of its own: code in a
 * traceback, such as `error_message`, says nothing about `error`.
 */
function says(
  { named, message }: { readonly named: string; readonly message: string },
  term: string,
): boolean {
  const [names, text] = isPattern(term) ? [named, message] : [named.toLowerCase(), message.toLowerCase()];
  const isWord = /^[a-z]+$/.test(term);
  return holds(names, term) || holds(isWord ? text.replaceAll(/\w+/g, keepPlain) : text, term);
}

function keepPlain(word: string): string {
  return word.includes("_") ? " " : word;
}

/**
 * True if the test calls the term's function. A call of `parse` also counts for the terms `a.b.parse` and `parse(x)`.
 */
function isCalled(called: readonly string[], term: string): boolean {
  const name = calledName(term);
  return name !== undefined && called.includes(name);
}

/** Returns the function that a term calls or names; undefined for a short or plain word. */
export function calledName(term: string): string | undefined {
  const name = /([a-z_$][\w$]*)!?(?:\(.*)?$/s.exec(term)?.[1];
  return name !== undefined && name.length >= 3 && !plainWord.test(name) ? name : undefined;
}

/** Matches files of libraries. */
const outside = /^(?:\/|[a-z]+:)|(?:^|\/)(?:node_modules|site-packages)\//;

/** True for an assertion in the code under test, not in the test. */
function isRaisedInCode({ failure }: TestOutcome): boolean {
  const last = failure?.frames.at(-1)?.file;
  return last !== undefined && !outside.test(last) && !isTestFile(last);
}

function list(terms: readonly string[]): string {
  // Omits terms inside other terms, such as `cart.py` in `shop/cart.py`.
  return terms
    .filter((term) => !terms.some((other) => other !== term && other.includes(term)))
    .slice(0, 4)
    .map((term) => `"${term}"`)
    .join(", ");
}

function splitIdentifiers(text: string): string {
  return text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}

/** Returns the informative words of a text or of names, stemmed. */
export function wordsOf(text: string): string[] {
  const plain = splitIdentifiers(text).toLowerCase();
  // Joins a short first part to its word, as names do: `prerelease` from "pre-release".
  const joined = [...plain.matchAll(/(?<![\w-])([a-z]{2,3})-([a-z]{3,})(?![\w-])/g)].map(
    ([, first = "", rest = ""]) => `${first}${rest}`,
  );
  const words = [...(plain.match(/[a-z]{4,}/g) ?? []), ...joined];
  const stems = words.filter((word) => !common.has(word)).map(stem);
  return unique(stems.filter((word) => word.length >= 4));
}

/** Returns the first word of the text with this stem, because people cannot read a stem. */
function wordWith(stemmed: string, text: string): string {
  const words =
    splitIdentifiers(text)
      .toLowerCase()
      .match(/[a-z]{4,}/g) ?? [];
  return words.find((word) => stem(word) === stemmed) ?? stemmed;
}

/**
 * Removes the most common English endings. This suffices to match `fails`, `failing` and `failed`, `parse`, `parser`
 * and `parsing`, `validate` and `validation`, `proxy` and `proxies`.
 */
function stem(word: string): string {
  const bare = word
    .replace(/(?:ing|ed|es|s)$/, "")
    .replace(/(?<=\w{4})(?:er|or)$|(?<=\w{5})ion$/, "")
    .replace(/(?<=\w{3})(.)\1$/, "$1");
  return bare.replace(/(?<=\w{4})[eiy]$/, "") || word;
}

/** Words that any issue and any test name may contain. */
const common = new Set(
  (
    "that this with from have been when then than they them what which while where there these those should would could will " +
    "does doing done test tests testing should expected expect actual instead error errors fail fails failed failing issue bug " +
    "version versions code file files line lines function functions method methods class module import using used uses return " +
    "returns returned value values result results output input example examples reproduce steps behavior behaviour problem wrong " +
    "correct correctly work works working about after before also because some such only more most very just were found here seen has had was got get gets instead since still like make makes " +
    "assert asserts assertion assertions panicked call calls called into over under between same other another each every both without true false none null undefined " +
    // The kind of a failure, which others share; its class is compared separately.
    "args kwargs argv params " + // the usual names of parameters
    "panic panics panicking crash crashes crashed crashing exception exceptions raise raises raised raising throw throws thrown throwing cause causes caused causing"
  ).split(" "),
);

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
