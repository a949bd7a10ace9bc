/**
 * Decides if a failing test that this run wrote fails for the stated reason. The rule compares the error, its message,
 * frames in the tested code, and the test's actions before the failure. Names do not count, because the test's author
 * chooses them.
 */
import type { StackFrame, TestKey, TestOutcome } from "../../domain/test-outcome.ts";
import { isTestFile, languageOf } from "../../languages/source-files.ts";
import { authorTexts, namesOf, readCode } from "../state/assertion-text.ts";
import { isGivenProgram, raisedError, renderRaised, withoutEcho } from "../state/raised-error.ts";
import { findCounts } from "../state/stated-counts.ts";
import {
  calledName,
  hasInput,
  isCommon,
  matchCompilerError,
  matchSignature,
  type Signature,
  type SignatureMatch,
  type TestCode,
} from "../state/statement-signature.ts";
import { type FailingHelper, type HelperText, readMade } from "./shared-helpers.ts";

/**
 * Errors of a wrong test: it does not load, or uses unknown names. Common words shared with the statement do not excuse
 * these errors.
 */
const mistakes =
  /^(?:\w+\.)*(?:NameError|UnboundLocalError|ImportError|ModuleNotFoundError|SyntaxError|IndentationError|ReferenceError|CompileError|BuildError|FixtureLookupError)$/;
const unbuilt = /^(?:Compile|Build)Error$/;
/** Errors that also indicate a wrong test, if no frame is in the code: the test misuses its own value. */
const mistakesInTest = /^(?:\w+\.)*TypeError$/;
/**
 * Errors of a test that uses a result as a value although the code returned nothing. They count like a failed
 * comparison.
 */
const ofNothing = /^'NoneType' object |^Cannot read propert(?:y|ies) of (?:null|undefined)\b/;

export interface TestText {
  /** True for a line of test code: in a test file, or in tests inside a source file. */
  isTest(file: string, line: number): Promise<boolean>;
  /** Returns the statement at a frame. */
  line(file: string, line: number): Promise<string>;
  /** Returns the names of the types around a line. Absent if a class of the code does not count as evidence. */
  within?(file: string, line: number): Promise<readonly string[]>;
  /** Names that the product's own code defines, without tests; empty if unknown. */
  product(): Promise<ReadonlySet<string>>;
  /** Names of the parameters of the product's functions, for keyword arguments. */
  parameters(): Promise<ReadonlySet<string>>;
  /** The text of each test of the base, in lower case; empty if unknown. */
  tests(): Promise<readonly string[]>;
  /** Returns the product's functions that call a function of this name, directly or indirectly. Empty if unknown. */
  callers(name: string): Promise<ReadonlySet<string>>;
  /** The test's actions, without its name and comments. */
  body(key: TestKey): Promise<string>;
  /** Returns the helper functions and constants with these names, and the helpers that they use. */
  helpers(key: TestKey, names: readonly string[]): Promise<HelperText>;
  /** Returns the helper function around a line; undefined if the line is not in one. */
  around?(key: TestKey, frame: StackFrame): Promise<FailingHelper | undefined>;
  /** True for tests of the base. The words of such a test's name count, together with those of the called functions. */
  readonly isOfBase?: true;
}

/**
 * Matches a failure with the statement's reason. With `read` (the test's text), only a wrong compared value counts, not
 * an error that ended the test or its command. These parts of the text count:
 * - the product's functions that the failing statement calls, and their arguments
 * - the lines that computed the compared values
 * - helpers in the test's own file, and those of shared test files that few tests call
 *
 * The author's own text does not count: names without a definition elsewhere, and messages of assertions. Text that a
 * failure repeats from the test does not count either. If the statement quotes an input, the test or its failure must
 * contain that input. Otherwise another fault of the same function would also match.
 */
export async function matchReason(
  signature: Signature,
  outcome: TestOutcome,
  read: TestText,
): Promise<SignatureMatch> {
  const found = await compareReason(signature, outcome, read);
  if (found.matches && signature.isAboutResult && (await isRaisedInCode(outcome, read)))
    return refused("the code that it runs ends with an error, but the statement is about a wrong result");
  if (found.isByWords !== true && found.isOpen !== true) return found;
  const body = await read.body(outcome.key);
  // Without a test's text, its input is unknown.
  if (body === "" || hasInput(signature, [body, outcome.failure?.message ?? ""])) return found;
  const [input = ""] = signature.inputs;
  return refused(
    `the statement quotes an input ("${input}"), which neither the test nor its failure contains`,
  );
}

/** True for an error that the repository's own code raises outside tests: `median([])` ends with an IndexError. */
async function isRaisedInCode({ failure }: TestOutcome, read: TestText): Promise<boolean> {
  const last = failure?.frames.findLast(({ file }) => !outside.test(file) && !isGivenProgram(file));
  if (failure === undefined || last === undefined || !languageError.test(raisedError(failure).type))
    return false;
  return !(await read.isTest(last.file, last.line));
}
/**
 * Matches errors that a language raises for a wrong use of a value. Does not match assertions and the code's own
 * checks.
 */
const languageError =
  /^(?:\w+\.)*(?:TypeError|IndexError|KeyError|AttributeError|ZeroDivisionError|NoMethodError|NullPointerException|\w*IndexOutOfBoundsException|ClassCastException|DivisionByZeroError|UndefinedMethodError)$/;

async function compareReason(
  signature: Signature,
  outcome: TestOutcome,
  read: TestText,
): Promise<SignatureMatch> {
  const { failure } = outcome;
  if (failure === undefined) return refused("the report gives no reason for the failure");
  const names = ownNames(outcome);
  const hide = (text: string): string => names.reduce((left, name) => left.replaceAll(name, ""), text);
  const isOfTest = await Promise.all(failure.frames.map(({ file, line }) => read.isTest(file, line)));
  const own = failure.frames.filter((_, at) => isOfTest[at]);
  const frames = failure.frames.filter(({ file }, at) => isOfTest[at] === false && !isGivenProgram(file));
  const error = raisedError(failure);
  const said = withoutEcho(failure.message).replaceAll(/^.*\bCommand failed\b.*$/gm, "");
  const statements = await Promise.all(own.map(({ file, line }) => read.line(file, line)));
  const line = statements.at(-1) ?? "";
  const message = hide(withoutAuthor(said, statements));
  const bare: TestOutcome = {
    ...outcome,
    key: { package: "", target: "", name: "" },
    failure: { ...failure, type: error.type, message, frames },
  };
  const isInTest = !frames.some(({ file }) => !outside.test(file));
  // A wrong argument may break a command, so its error may be the test's. An error of code that the test calls directly
  // is the code's.
  const isOfCommand = error.type !== failure.type;
  const isCompared = error.type === failure.type && said === failure.message;
  const body = line === "" || !isCompared ? "" : hide(await read.body(outcome.key));
  const { behind, reached } = await readBehind(outcome.key, own, { statements, body, hide }, read);
  const product = await read.product();
  const tests = await read.tests();
  const codeOf = await codeReader(read);
  const isMistake =
    ((isInTest || isOfCommand) && mistakes.test(error.type)) ||
    (isInTest &&
      mistakesInTest.test(error.type) &&
      !(ofNothing.test(said) && codeOf(behind).called.length > 0));
  const isText = isCompared && isInTest;
  if (isText && !isMistake && isConstant(line, behind))
    return refused("it compares constants, not a result of the code");
  if (isText && readsSource([...statements, behind].join("\n"), product))
    return refused("it compares the text of a source file, not a result of the code");
  const direct = matchSignature(signature, bare, { called: [], values: [], product, tests });
  if (direct.isStrong || (direct.matches && !isMistake && (line === "" || !isCompared))) return direct;
  const unbuiltAs = isInTest && unbuilt.test(error.type) ? matchUnbuilt(signature, said, product) : undefined;
  if (unbuiltAs !== undefined) return unbuiltAs;
  if (isMistake) {
    const where = isInTest ? "in the test itself, not in code of the repository" : "in the code that it runs";
    return refused(
      `it ends with an error that the statement does not mention, ${where}: ${renderRaised(error)}`,
    );
  }
  const byClass = direct.matches ? undefined : await matchClass(signature, failure.frames, read);
  if (!isCompared || line === "") return byClass ?? direct;
  const ofTest = {
    key: outcome.key,
    statements,
    behind,
    reached,
    body,
    codeOf,
    direct,
    isInTest,
  };
  const byText = await matchText(signature, bare, ofTest, read);
  return byText.matches ? byText : (byClass ?? byText);
}

/** Reads the lines and helpers that make the compared values. `reached`: also the helpers that many tests call. */
async function readBehind(
  key: TestKey,
  own: readonly StackFrame[],
  { hide, ...test }: { statements: readonly string[]; body: string; hide: (text: string) => string },
  read: TestText,
): Promise<{ readonly behind: string; readonly reached: string }> {
  if (test.body === "") return { behind: "", reached: "" };
  const made = hide(await readMade(key, own, test, read));
  const { text, all } = await read.helpers(key, namesOf([...test.statements, made].join("\n")));
  return { behind: [made, hide(text)].filter((each) => each !== "").join("\n"), reached: all };
}

interface OfTest {
  readonly key: TestKey;
  readonly statements: readonly string[];
  readonly behind: string;
  /** All helpers behind the compared values. */
  readonly reached: string;
  /** The test's actions. */
  readonly body: string;
  readonly codeOf: (text: string) => TestCode;
  /** The match by the failure alone. */
  readonly direct: SignatureMatch;
  readonly isInTest: boolean;
}

/** Compares the test's actions up to the failing line. */
async function matchText(
  signature: Signature,
  bare: TestOutcome,
  { key, statements, behind, reached, body, codeOf, direct, isInTest }: OfTest,
  read: TestText,
): Promise<SignatureMatch> {
  const code = codeOf([...statements, behind].join("\n"));
  const byLine = matchSignature(signature, bare, codeOf(statements.join("\n")));
  if (byLine.isStrong) return byLine;
  const byCode = matchSignature(signature, bare, code);
  if (byCode.isStrong || (byCode.matches && !byLine.matches))
    return { ...byCode, evidence: `the test's comparison fails, and ${byCode.evidence}` };
  if (byLine.matches) return byLine;
  if (direct.matches) return direct;
  const through = await matchCallers(signature, code, read);
  if (through !== undefined) return through;
  const byName = read.isOfBase && matchSignature(signature, { ...bare, key }, code);
  if (byName?.isByWords && code.called.length > 0) return byName;
  if (!isInTest || code.called.length > 0 || codeOf(reached).called.length > 0)
    return matchCounts(signature, bare, statements) ?? { ...direct, isOpen: true };
  if (codeOf(body).called.length === 0) return { ...direct, callsNothing: true };
  const given = findGiven(signature, body, code.tests);
  return given === undefined
    ? direct
    : {
        ...direct,
        evidence: `the failure shares nothing with the statement; "${given}" is only an argument of an earlier call`,
        isOpen: true,
      };
}

/** Matches a failed comparison that prints the statement's wrong count and right count. */
function matchCounts(
  { counts }: Signature,
  { failure }: TestOutcome,
  statements: readonly string[],
): SignatureMatch | undefined {
  const found = findCounts(counts, failure?.message ?? "", readCode(statements.join("\n")).values);
  return found === undefined
    ? undefined
    : {
        matches: true,
        isStrong: false,
        isByWords: true,
        evidence: `the test's comparison gives ${found.wrong} instead of ${found.right}, as the statement says`,
        doubt: "only the statement's wrong and right counts show that the tests fail for the stated reason",
      };
}

/**
 * Finds a text of the statement that the test passes to the product, for example through a called server. No name links
 * this text to the compared value, so the failure is only undecided. Ignores texts inside assertions and texts of many
 * tests.
 */
function findGiven({ strong }: Signature, body: string, tests: readonly string[]): string | undefined {
  const { values, asked } = readCode(body);
  const given = new Set(
    values.filter((value) => !asked.some((text) => text.includes(value))).map((value) => value.toLowerCase()),
  );
  return strong.find((term) => given.has(term) && !/^[\d.]+$/.test(term) && !isCommon([term], tests));
}

/** Accepts an error inside a class that the statement names: `__get__` of `_DescriptorBase`. */
async function matchClass(
  { strong }: Signature,
  frames: readonly StackFrame[],
  read: TestText,
): Promise<SignatureMatch | undefined> {
  const last = frames.findLast(({ file }) => !outside.test(file) && !isGivenProgram(file));
  if (last === undefined || read.within === undefined || (await read.isTest(last.file, last.line)))
    return undefined;
  const tests = await read.tests();
  const around = await read.within(last.file, last.line);
  const name = around.find((each) => {
    const term = each.toLowerCase();
    return strong.includes(term) && !isCommon([term], tests);
  });
  return name === undefined
    ? undefined
    : {
        matches: true,
        isStrong: false,
        evidence: `the code fails inside "${name}", which the statement names`,
        doubt: "only the class in which the code fails shows that the tests fail for the stated reason",
      };
}

/** Returns a function that reads a text as test code, and keeps the called names that belong to the product. */
async function codeReader(
  read: Pick<TestText, "product" | "parameters" | "tests">,
): Promise<(text: string) => TestCode> {
  const product = await read.product();
  const parameters = await read.parameters();
  const tests = await read.tests();
  const isOwn = (name: string): boolean => product.size === 0 || product.has(name) || parameters.has(name);
  return (text) => {
    const { called, values } = readCode(text);
    return { called: called.filter(isOwn), values, product, tests };
  };
}

/** Matches a test that does not build. A mistake in the test would also affect a patched version. */
function matchUnbuilt(
  signature: Signature,
  said: string,
  product: ReadonlySet<string>,
): SignatureMatch | undefined {
  const stated = matchCompilerError(signature, said) ?? nameIn(signature, said, product);
  return stated === undefined
    ? undefined
    : {
        matches: true,
        isStrong: false,
        evidence: `the test's build fails with "${stated}", as the statement says`,
        doubt: "the patch's tests do not build without the patch, so they do not run",
      };
}

/**
 * Finds a product name in both the compiler's message and the statement. The existing code then rejects the test's
 * usage.
 */
function nameIn({ strong }: Signature, said: string, product: ReadonlySet<string>): string | undefined {
  const terms = new Set(strong);
  return said
    .split(/[^\w$]+/)
    .find((word) => word.length >= shortestPrinted && product.has(word) && terms.has(word.toLowerCase()));
}

function refused(evidence: string): SignatureMatch {
  return { matches: false, isStrong: false, evidence };
}

/** Maximum number of the statement's names to look up. */
const mostNames = 12;

/**
 * Accepts a test whose call reaches a function that the statement names. Ignores functions that many tests call,
 * because they reach all code.
 */
async function matchCallers(
  { strong }: Signature,
  { called, product, tests }: TestCode,
  read: TestText,
): Promise<SignatureMatch | undefined> {
  const telling = called.filter((name) => !isCommon([name.toLowerCase()], tests));
  const terms = new Set(strong.slice(0, mostNames).map(calledName));
  const names = telling.length === 0 ? [] : [...product].filter((name) => terms.has(name.toLowerCase()));
  for (const name of names) {
    const callers = await read.callers(name);
    const caller = telling.find((each) => callers.has(each));
    if (caller !== undefined)
      return {
        matches: true,
        isStrong: false,
        evidence: `the compared value comes from ${caller}, which calls "${name}", a name from the statement, directly or through other functions`,
        doubt: "the tests call the named code only through other functions",
      };
  }
  return undefined;
}

/** The failure without the author's messages, and without source code that some frameworks print for a condition. */
function withoutAuthor(said: string, statements: readonly string[]): string {
  const printed = statements.flatMap((statement) => [
    ...authorTexts(statement),
    ...readCode(statement).asked.filter((text) => text.length >= shortestPrinted && !/^["'`\d]/.test(text)),
  ]);
  return printed.reduce((left, text) => left.replaceAll(text, " "), said);
}
const shortestPrinted = 6;

/**
 * True if the failing statement calls nothing and uses no variable. For a plain failure, `behind` must also be empty.
 */
function isConstant(statement: string, behind: string): boolean {
  if (statement === "") return false;
  const { called, plain, isPlainFailure } = readCode(statement);
  return called.length === 0 && plain.length === 0 && (isPlainFailure ? behind === "" : true);
}

/** True if the test only reads source code of the product. Its output then contains all words of the file. */
function readsSource(text: string, product: ReadonlySet<string>): boolean {
  if (!reading.test(text)) return false;
  const { called, values } = readCode(text);
  const isSource = (value: string): boolean => languageOf(value) !== undefined && !isTestFile(value);
  return values.some(isSource) && !called.some((name) => product.has(name) && !reading.test(name));
}
const reading = /(?<![A-Za-z])(?:open|read|include_str)|[rR]ead(?:File|Text|All)/;

/** Matches the files of runtimes and libraries. */
const outside = /^(?:\/|[a-z]+:|<)|(?:^|\/)(?:node_modules|site-packages)\//;

/** The names that the author gave to the test. Messages may repeat these names. */
function ownNames({ key }: TestOutcome): string[] {
  return [key.name, key.target].filter((name) => name !== "");
}
