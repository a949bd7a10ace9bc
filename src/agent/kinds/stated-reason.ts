/**
 * Whether a failing test that was written in this run fails for the reason that the statement gives. Who writes a test chooses its
 * name, so names say nothing; what counts is the error, its message, the frames in the code under test, and what it does up to the
 * line that fails.
 */
import type { StackFrame, TestKey, TestOutcome } from "../../domain/test-outcome.ts";
import { isGivenProgram, raisedError, renderRaised, withoutEcho } from "../state/raised-error.ts";
import { matchSignature, type Signature, type SignatureMatch } from "../state/statement-signature.ts";

/** Errors of a test that is wrong itself: it does not load, or names what there is not. Words that any text may hold excuse none. */
const mistakes =
  /^(?:\w+\.)*(?:NameError|UnboundLocalError|ImportError|ModuleNotFoundError|SyntaxError|IndentationError|ReferenceError|CompileError|BuildError|FixtureLookupError)$/;
/** And where no frame is in the code: the test takes what it made for what it is not. */
const mistakesInTest = /^(?:\w+\.)*TypeError$/;

export interface TestText {
  /** True for a file of tests. */
  isTest(file: string): boolean;
  /** The statement that a frame stands on. */
  line(file: string, line: number): Promise<string>;
  /** What the test does, without its name and its comments. */
  body(key: TestKey): Promise<string>;
}

/**
 * `read`: counts where what the test compares is wrong, and not where an error ended it or a command that it started; of its body only
 * what the statement quotes or names. What a failure repeats of the test's own text counts nowhere.
 */
export async function matchReason(
  signature: Signature,
  outcome: TestOutcome,
  read: TestText,
): Promise<SignatureMatch> {
  const { failure } = outcome;
  if (failure === undefined)
    return { matches: false, isStrong: false, evidence: "it does not say why it fails" };
  const names = ownNames(outcome);
  const hide = (text: string): string => names.reduce((left, name) => left.replaceAll(name, ""), text);
  const frames = failure.frames.filter(({ file }) => !read.isTest(file) && !isGivenProgram(file));
  const error = raisedError(failure);
  const said = withoutEcho(failure.message).replaceAll(/^.*\bCommand failed\b.*$/gm, "");
  const bare = (message: string): TestOutcome => ({
    ...outcome,
    key: { package: "", target: "", name: "" },
    failure: { ...failure, type: error.type, message: hide(message), frames },
  });
  const direct = matchSignature(signature, bare(said));
  const isInTest = !frames.some(({ file }) => !outside.test(file));
  // What a command was given decides how it runs; an error of the code that the test called itself is the code's.
  const isOfCommand = error.type !== failure.type;
  const isMistake =
    ((isInTest || isOfCommand) && mistakes.test(error.type)) || (isInTest && mistakesInTest.test(error.type));
  if (direct.matches && (direct.isStrong || !isMistake)) return direct;
  if (isMistake) {
    const where = isInTest ? "in the test itself, before any code of the repository" : "in what it runs";
    const evidence = `it ends with ${renderRaised(error)} ${where}, which the statement does not speak of`;
    return { matches: false, isStrong: false, evidence };
  }
  const last = failure.frames.findLast(({ file }: StackFrame) => read.isTest(file));
  const isCompared = error.type === failure.type && said === failure.message;
  const line = last === undefined || !isCompared ? "" : await read.line(last.file, last.line);
  const byLine = matchSignature(signature, bare(`${said}\n${line}`));
  if (byLine.matches || !isCompared) return byLine;
  const byBody = matchSignature(signature, bare(hide(await read.body(outcome.key))));
  return byBody.isStrong
    ? { ...byBody, evidence: `what it compares is wrong, and ${byBody.evidence}` }
    : byLine;
}

/** Of a runtime or a library. */
const outside = /^(?:\/|[a-z]+:|<)|(?:^|\/)(?:node_modules|site-packages)\//;

/** What its author called it, as messages may repeat it. */
function ownNames({ key }: TestOutcome): string[] {
  return [key.name, key.target].filter((name) => name !== "");
}
