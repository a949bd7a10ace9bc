/**
 * Decides by rule if an existing test fails only because the statement demands an error for its call. The statement
 * must demand this error for exactly this call with these arguments. A test that shows the fault must make the same
 * call, and name the error. Pure.
 */
import { literally } from "../../base/literal-pattern.ts";
import { argumentsAt, readCode } from "./assertion-text.ts";

/** A failing test's text, as in `Asserting` of `asserts-fault.ts`. */
interface Failing {
  readonly line: string;
  readonly behind: string;
  readonly failure: string;
}

export interface DemandedError {
  /** The call as written: `parse("")`. */
  readonly call: string;
  /** The error's class, or the quoted part of its message. */
  readonly error: string;
}

interface Statement {
  readonly clauses: readonly string[];
  /** True if the statement contains the value. */
  readonly has: (value: string) => boolean;
}

export function findDemandedError(
  { clauses, has }: Statement,
  { line, behind, failure }: Failing,
  showing: readonly Failing[],
  isProduct: (name: string) => boolean,
): DemandedError | undefined {
  const before = readCode(behind).values;
  if (!before.every(has)) return undefined;
  const own = callsIn(line).filter(({ name }) => isProduct(name));
  for (const [at, clause] of clauses.entries()) {
    const error = demandedIn(clause, failure);
    const call = error === undefined ? undefined : own.find((each) => isMeant(each, clause, clauses[at - 1]));
    if (error === undefined || call === undefined) continue;
    const isShown = showing.some((each) => {
      const text = `${each.line}\n${each.behind}`;
      const { values } = readCode(text);
      const isSame = callsIn(text).some((other) => other.text === call.text);
      return isSame && text.includes(error) && before.every((value) => values.includes(value));
    });
    if (isShown) return { call: call.text, error };
  }
  return undefined;
}

/**
 * True if the call is the only one of its name in the clause. If the clause has none ("It must raise …"), reads the
 * clause before.
 */
function isMeant({ name, text }: Called, clause: string, former = ""): boolean {
  const own = (of: string): Called[] => callsIn(of.replaceAll("`", " ")).filter((call) => call.name === name);
  const [here, there] = [own(clause), own(former)];
  const calls = here.length > 0 ? here : there;
  return calls.length > 0 && calls.every((call) => call.text === text);
}

const demand =
  /\b(?:must|should|shall|(?:has|have|needs?|ought|is|are) to)\s+(?:(?!not\b|never\b|no\b)\w+\s+){0,2}?(?:raise|throw|fail|reject|refuse|panic|rejected|refused)\b([\s\S]*)$/i;
/** Classes that any failed assertion or crash may have. Only the message then identifies the error. */
const general = /^(?:Error|Exception|RuntimeError|panic|Failed)$/;
const ofAssertion = /^(?:Assertion\w*|\w*ComparisonFailure)$/;
const shortestQuote = 6;

/** Returns the failure's class, or a quoted part of its message, if the clause demands this error. */
function demandedIn(clause: string, failure: string): string | undefined {
  const [, type = "", message = ""] = /^([\w.$]+)(?:: ([\s\S]*))?$/.exec(failure) ?? [];
  const name = type.split(".").at(-1) ?? "";
  const [, wanted] = demand.exec(clause) ?? [];
  if (wanted === undefined || name === "" || ofAssertion.test(name)) return undefined;
  if (!general.test(name) && new RegExp(`(?<!\\w)${literally(name)}(?!\\w)`).test(wanted)) return name;
  const quoted = [...wanted.matchAll(/`([^`]+)`|"([^"]+)"/g)].map(([, code, text]) => code ?? text ?? "");
  return quoted.find((text) => text.length >= shortestQuote && message.includes(text));
}

interface Called {
  readonly name: string;
  /** The call with its object and arguments, in one spelling. */
  readonly text: string;
}

/** Lists the calls whose arguments are all literals. A variable may have another value in another test. */
function callsIn(text: string): Called[] {
  const heads = [...text.matchAll(/(?<![\w$.)])((?:[A-Za-z_$][\w$]*\.)*)([A-Za-z_$][\w$]*)\(/g)];
  const opens = heads.map(({ 0: head, index }) => index + head.length - 1);
  return argumentsAt(text, opens).flatMap((given, at) => {
    const [, object = "", name = ""] = heads[at] ?? [];
    if (readCode(given.join(", ")).plain.length > 0) return [];
    return [{ name, text: `${object}${name}(${given.map((each) => each.replaceAll("'", '"')).join(", ")})` }];
  });
}
