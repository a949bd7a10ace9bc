/**
 * Whether a failing test that was written in this run fails for the reason that the statement gives. Who writes a test chooses its
 * name, so names say nothing; what counts is the error, its message, the frames in the code under test, and the line that fails.
 */
import type { StackFrame, TestOutcome } from "../../domain/test-outcome.ts";
import { matchSignature, type Signature, type SignatureMatch } from "../state/statement-signature.ts";
import { belongsToTests } from "./changed-files.ts";

/** Errors of a test that is wrong itself, when they are raised in it: it does not load, or names what there is not. */
const ownMistakes =
  /^(?:\w+\.)*(?:NameError|UnboundLocalError|ImportError|ModuleNotFoundError|SyntaxError|IndentationError|ReferenceError|CompileError|BuildError|FixtureLookupError)$/;

export type ReadLine = (file: string, line: number) => Promise<string>;

/** `read`: the statement of a test that a frame stands on. */
export async function matchReason(
  signature: Signature,
  outcome: TestOutcome,
  read: ReadLine,
): Promise<SignatureMatch> {
  const { failure } = outcome;
  if (failure === undefined)
    return { matches: false, isStrong: false, evidence: "it does not say why it fails" };
  const names = ownNames(outcome);
  const hide = (text: string): string => names.reduce((left, name) => left.replaceAll(name, ""), text);
  const frames = failure.frames.filter(({ file }) => !belongsToTests(file));
  const bare = (message: string): TestOutcome => ({
    ...outcome,
    key: { package: "", target: "", name: "" },
    failure: { ...failure, message: hide(message), frames },
  });
  const direct = matchSignature(signature, bare(failure.message));
  const isOwnMistake = ownMistakes.test(failure.type) && frames.length === 0;
  if (direct.matches && (direct.isStrong || !isOwnMistake)) return direct;
  if (isOwnMistake) {
    const evidence = `it ends with ${failure.type} in the test itself, which the statement does not speak of`;
    return { matches: false, isStrong: false, evidence };
  }
  const last = failure.frames.findLast(({ file }: StackFrame) => belongsToTests(file));
  const line = last === undefined ? "" : await read(last.file, last.line);
  return matchSignature(signature, bare(`${failure.message}\n${line}`));
}

/** What its author called it, as messages may repeat it. */
function ownNames({ key }: TestOutcome): string[] {
  return [key.name, key.target].filter((name) => name !== "");
}
