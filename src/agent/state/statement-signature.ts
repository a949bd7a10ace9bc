/**
 * What a failure must look like to be the one that a statement reports: written down from the statement before any test
 * runs, and compared by rules, never by an opinion.
 */
import { z } from "zod";
import { formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { isTestFile } from "../../languages/source-files.ts";

export const signatureSchema = z.object({
  /** Names of errors that the statement mentions: `TypeError`, `ParseException`. */
  errorTypes: z.array(z.string()),
  /** Quoted texts, code spans, compound identifiers and numbers, lower case: one of them is enough to match. */
  strong: z.array(z.string()),
  /** Other words of at least four letters, lower case and stemmed: several of them must match. */
  weak: z.array(z.string()),
});
export type Signature = z.infer<typeof signatureSchema>;

const leastWeakMatches = 2;
/** A long statement has many words, and some of them agree by chance: one more for each so many. */
const wordsPerMatch = 25;

/** The signature of an issue's text. */
export function readSignature(statement: string): Signature {
  const errorTypes = unique(statement.match(/\b[A-Z]\w*(?:Error|Exception|Panic)\b/g) ?? []);
  const quoted = [...statement.matchAll(/`([^`\n]{2,80})`|"([^"\n]{3,80})"|'([^'\n]{3,80})'/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
  const identifiers = statement.match(/\b[A-Za-z]\w*(?:_\w+|[a-z][A-Z]\w*|\.[A-Za-z_]\w+)\b/g) ?? [];
  const numbers = (statement.match(/\b\d+\.\d+\b|\b\d{3,}\b/g) ?? []).filter((text) => !year.test(text));
  const strong = unique([...quoted, ...identifiers, ...numbers].map((text) => text.trim().toLowerCase()));
  return {
    errorTypes,
    strong: strong.filter((text) => text.length >= 3 && !plainWord.test(text) && !isOfFramework(text)),
    weak: wordsOf(statement),
  };
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

/** What frameworks print around the values that differ. */
const frameworkPhrases =
  /assertion `left (?:==|!=) right` failed|^\s*(?:left|right):|\bassertion failed\b|thread '[^'\n]*'(?: \(\d+\))? panicked at|expected values to be (?:strictly |loosely )?(?:deep-)?equal|expect\(received\)\.[\w.]+\([^)\n]*\)|^\s*(?:expected|received|actual)\b:?|expected:? <|> but was:? </gim;

export interface SignatureMatch {
  readonly matches: boolean;
  /** An error, a quoted text, an identifier or a number agrees, and not only words that any text may hold. */
  readonly isStrong: boolean;
  /** What agreed, or that nothing did; a sentence's part. */
  readonly evidence: string;
}

/** Compares a failing test with the signature: its error, message, frames and own name. */
export function matchSignature(signature: Signature, outcome: TestOutcome): SignatureMatch {
  const { failure } = outcome;
  const type = failure?.type ?? "";
  if (signature.errorTypes.includes(type) && (!isOfFramework(type.toLowerCase()) || isRaisedInCode(outcome)))
    return { matches: true, isStrong: true, evidence: `it raises ${type}, which the statement names` };
  const frames = failure?.frames.map((frame) => `${frame.file} ${frame.function ?? ""}`).join(" ") ?? "";
  const message = (failure?.message ?? "").replaceAll(frameworkPhrases, " ");
  const text = `${formatTestKey(outcome.key)} ${type} ${message} ${frames}`.toLowerCase();
  const strong = signature.strong.filter((term) => text.includes(term));
  if (strong.length > 0)
    return {
      matches: true,
      isStrong: true,
      evidence: `the failure and the statement share: ${list(strong)}`,
    };
  const words = new Set(wordsOf(splitIdentifiers(`${formatTestKey(outcome.key)} ${message}`)));
  const weak = signature.weak.filter((word) => words.has(word));
  if (weak.length >= Math.max(leastWeakMatches, Math.ceil(signature.weak.length / wordsPerMatch)))
    return {
      matches: true,
      isStrong: false,
      evidence: `the failure and the statement share the words: ${list(weak)}`,
    };
  return { matches: false, isStrong: false, evidence: "nothing in it is named by the statement" };
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

function wordsOf(text: string): string[] {
  const words =
    splitIdentifiers(text)
      .toLowerCase()
      .match(/[a-z]{4,}/g) ?? [];
  const stems = words.filter((word) => !common.has(word)).map(stem);
  return unique(stems.filter((word) => word.length >= 4));
}

/** Cuts the commonest English endings: enough to join `fails`, `failing` and `failed`, `parse` and `parsing`, `proxy` and `proxies`. */
function stem(word: string): string {
  const bare = word.replace(/(?:ing|ed|es|s)$/, "").replace(/(.)\1$/, "$1");
  return bare.replace(/(?<=\w{4})[eiy]$/, "") || word;
}

/** Words that any issue and any test name may hold. */
const common = new Set(
  (
    "that this with from have been when then than they them what which while where there these those should would could will " +
    "does doing done test tests testing should expected expect actual instead error errors fail fails failed failing issue bug " +
    "version versions code file files line lines function functions method methods class module import using used uses return " +
    "returns returned value values result results output input example examples reproduce steps behavior behaviour problem wrong " +
    "correct correctly work works working about after before also because some such only more most very just like make makes " +
    "assert asserts assertion assertions panicked call calls called into over under between same other another each every both without true false none null undefined"
  ).split(" "),
);

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
