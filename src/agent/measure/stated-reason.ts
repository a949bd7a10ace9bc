/**
 * Whether a failing test that was written in this run fails for the reason that the statement gives. Who writes a test chooses its
 * name, so names say nothing; what counts is the error, its message, the frames in the code under test, and what it does up to the
 * line that fails.
 */
import type { TestKey, TestOutcome } from "../../domain/test-outcome.ts";
import { isTestFile, languageOf } from "../../languages/source-files.ts";
import { authorTexts, linesBehind, readCode } from "../state/assertion-text.ts";
import { isGivenProgram, raisedError, renderRaised, withoutEcho } from "../state/raised-error.ts";
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

/** Errors of a test that is wrong itself: it does not load, or names what there is not. Words that any text may hold excuse none. */
const mistakes =
  /^(?:\w+\.)*(?:NameError|UnboundLocalError|ImportError|ModuleNotFoundError|SyntaxError|IndentationError|ReferenceError|CompileError|BuildError|FixtureLookupError)$/;
const unbuilt = /^(?:Compile|Build)Error$/;
/** And where no frame is in the code: the test takes what it made for what it is not. */
const mistakesInTest = /^(?:\w+\.)*TypeError$/;
/** What the code returned is nothing: the test takes it for a value, as one that compares does. */
const ofNothing = /^'NoneType' object |^Cannot read propert(?:y|ies) of (?:null|undefined)\b/;

export interface TestText {
  /** True for a line of test code: in a file of tests, or of tests that stand beside code. */
  isTest(file: string, line: number): Promise<boolean>;
  /** The statement that a frame stands on. */
  line(file: string, line: number): Promise<string>;
  /** Names that the product's own code defines, tests left out; empty where that is not known. */
  product(): Promise<ReadonlySet<string>>;
  /** Names of the parameters of the product's functions: a call gives values by them. */
  parameters(): Promise<ReadonlySet<string>>;
  /** The text of each test that the base has, lower case; empty where that is not known. */
  tests(): Promise<readonly string[]>;
  /** The product's functions that call one of this name, itself or through others; empty where that is not known. */
  callers(name: string): Promise<ReadonlySet<string>>;
  /** What the test does, without its name and its comments. */
  body(key: TestKey): Promise<string>;
  /** What functions of these names do that stand in the test's own file and are no tests, and what these call there. */
  helpers(key: TestKey, names: readonly string[]): Promise<string>;
}

/**
 * `read`: counts where what the test compares is wrong, and not where an error ended it or a command that it started. Of its text that is
 * what the failing statement calls of the product and is given, and the lines that made what it compares; helpers of its
 * own file are read as a part of it. Names that are defined nowhere else and messages of assertions are its author's. What a failure repeats of the test's own text counts nowhere. Where the statement quotes
 * an input, words are no reason without one, and neither is where the patch stands: another fault of the same function has them too.
 */
export async function matchReason(
  signature: Signature,
  outcome: TestOutcome,
  read: TestText,
): Promise<SignatureMatch> {
  const found = await compareReason(signature, outcome, read);
  if (found.isByWords !== true && found.isOpen !== true) return found;
  const body = await read.body(outcome.key);
  // Of a test whose text is not known, nobody can say what it was given.
  if (body === "" || hasInput(signature, [body, outcome.failure?.message ?? ""])) return found;
  const [input = ""] = signature.inputs;
  return refused(
    `the statement quotes an input ("${input}"), which neither the test nor its failure contains`,
  );
}

async function compareReason(
  signature: Signature,
  outcome: TestOutcome,
  read: TestText,
): Promise<SignatureMatch> {
  const { failure } = outcome;
  if (failure === undefined) return refused("the failure gives no reason");
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
  // What a command was given decides how it runs; an error of the code that the test called itself is the code's.
  const isOfCommand = error.type !== failure.type;
  const isCompared = error.type === failure.type && said === failure.message;
  const body = line === "" || !isCompared ? "" : hide(await read.body(outcome.key));
  const made = linesBehind(line, body);
  const calls = body === "" ? [] : readCode([...statements, made].join("\n")).called;
  const behind = [made, hide(await read.helpers(outcome.key, calls))]
    .filter((each) => each !== "")
    .join("\n");
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
  const isUnbuilt = isInTest && unbuilt.test(error.type);
  const stated = isUnbuilt
    ? (matchCompilerError(signature, said) ?? nameIn(signature, said, product))
    : undefined;
  // A mistake of its author's would stand in the way of a patch too.
  if (stated !== undefined)
    return {
      matches: true,
      isStrong: false,
      evidence: `its build fails with "${stated}", as the statement says`,
      doubt: "its tests do not build without the patch, and so do not run",
    };
  if (isMistake) {
    const where = isInTest
      ? "in the test itself, before any code of the repository"
      : "in the code that it runs";
    return refused(`it ends with ${renderRaised(error)} ${where}, which the statement does not mention`);
  }
  if (!isCompared || line === "") return direct;
  return matchText(signature, bare, { statements, behind, codeOf, direct, isInTest }, read);
}

interface OfTest {
  readonly statements: readonly string[];
  readonly behind: string;
  readonly codeOf: (text: string) => TestCode;
  /** What its failure alone says. */
  readonly direct: SignatureMatch;
  readonly isInTest: boolean;
}

/** By what the test does up to the line that fails. */
async function matchText(
  signature: Signature,
  bare: TestOutcome,
  { statements, behind, codeOf, direct, isInTest }: OfTest,
  read: TestText,
): Promise<SignatureMatch> {
  const code = codeOf([...statements, behind].join("\n"));
  const byLine = matchSignature(signature, bare, codeOf(statements.join("\n")));
  if (byLine.isStrong) return byLine;
  const byCode = matchSignature(signature, bare, code);
  if (byCode.isStrong || (byCode.matches && !byLine.matches))
    return { ...byCode, evidence: `its comparison fails, and ${byCode.evidence}` };
  if (byLine.matches) return byLine;
  if (direct.matches) return direct;
  const through = await matchCallers(signature, code, read);
  if (through !== undefined) return through;
  return !isInTest || code.called.length > 0 ? { ...direct, isOpen: true } : direct;
}

/** How a text is read as code of a test: of the names that it calls, the product's own. */
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

/** What the compiler names of the product, and the statement too: what is there does not take what the test asks. */
function nameIn({ strong }: Signature, said: string, product: ReadonlySet<string>): string | undefined {
  const terms = new Set(strong);
  return said
    .split(/[^\w$]+/)
    .find((word) => word.length >= shortestPrinted && product.has(word) && terms.has(word.toLowerCase()));
}

function refused(evidence: string): SignatureMatch {
  return { matches: false, isStrong: false, evidence };
}

/** Names of the statement that are asked for. */
const mostNames = 12;

/** What the test calls leads to a function that the statement names; a function that many tests call leads to everything. */
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
        evidence: `its compared value comes from ${caller}, which calls "${name}", which the statement names`,
        doubt: "its tests call what the statement names only through other functions",
      };
  }
  return undefined;
}

/** Without the messages of its author, and without the code that some frameworks print of a condition. */
function withoutAuthor(said: string, statements: readonly string[]): string {
  const printed = statements.flatMap((statement) => [
    ...authorTexts(statement),
    ...readCode(statement).asked.filter((text) => text.length >= shortestPrinted && !/^["'`\d]/.test(text)),
  ]);
  return printed.reduce((left, text) => left.replaceAll(text, " "), said);
}
const shortestPrinted = 6;

/** Nothing of the repository is called, and no variable stands in it. */
function isConstant(statement: string, behind: string): boolean {
  if (statement === "") return false;
  const { called, plain, isPlainFailure } = readCode(statement);
  return called.length === 0 && plain.length === 0 && (isPlainFailure ? behind === "" : true);
}

/** It reads source code, and calls nothing else of the product: what it prints has all words of the file. */
function readsSource(text: string, product: ReadonlySet<string>): boolean {
  if (!reading.test(text)) return false;
  const { called, values } = readCode(text);
  const isSource = (value: string): boolean => languageOf(value) !== undefined && !isTestFile(value);
  return values.some(isSource) && !called.some((name) => product.has(name) && !reading.test(name));
}
const reading = /(?<![A-Za-z])(?:open|read|include_str)|[rR]ead(?:File|Text|All)/;

/** Of a runtime or a library. */
const outside = /^(?:\/|[a-z]+:|<)|(?:^|\/)(?:node_modules|site-packages)\//;

/** What its author called it, as messages may repeat it. */
function ownNames({ key }: TestOutcome): string[] {
  return [key.name, key.target].filter((name) => name !== "");
}
