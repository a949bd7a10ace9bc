/** Chooses the failing tests that a task is about. Pure. */
import { countOf, wordFor } from "../../base/count.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import { formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { needsNetwork } from "../state/needs-network.ts";
import { matchSignature, type Signature, type SignatureMatch } from "../state/statement-signature.ts";

export interface Targets {
  readonly targets: readonly TestOutcome[];
  /** Ids of failing tests that are unrelated to the task. */
  readonly others: readonly string[];
  /** The reason why the other tests are excluded, as the end of a sentence that begins with "Failed before and". */
  readonly othersBecause: string;
  readonly reason: { readonly holds: boolean; readonly evidence: string };
  /** False if only shared words link the targets to the statement: such words may match by chance. */
  readonly isCertain: boolean;
  /**
   * The targets whose code calls functions that the statement names, or contains its values; absent if the tests were
   * not compared with a statement, or if none matches.
   */
  readonly named?: readonly TestOutcome[];
}

export interface TargetRequest {
  readonly statement: string;
  readonly signature: Signature;
  /** Names, or parts of names, from the user; empty if none. */
  readonly named: readonly string[];
  /** The tests that fail in each run on the base. */
  readonly failing: readonly TestOutcome[];
  /** For each failing test, the match of its text with the statement. Absent if the text was not read. */
  readonly byText?: readonly SignatureMatch[];
}

/**
 * True if the statement names no failing test, and no failing test's output strongly matches it. The caller then reads
 * the tests' source. False without a statement, or if the user named tests.
 */
export function saysLittle({ statement, signature, named, failing }: TargetRequest): boolean {
  if (named.length > 0 || statement.trim() === "") return false;
  const tests = readTestNames(statement);
  return !failing.some(
    (outcome) => matchNamed(tests, outcome) !== undefined || matchSignature(signature, outcome).isStrong,
  );
}

/**
 * Chooses the tests that the user named, or else those that match the statement, or else all. Without a statement,
 * omits network failures if other tests fail for another reason. Fails for a name that no failing test has.
 */
export function chooseTargets(request: TargetRequest): Result<Targets, "nothing-fails"> {
  if (request.named.length > 0) return chooseNamed(request);
  return succeed(request.statement.trim() === "" ? chooseAll(request) : chooseFitting(request));
}

function chooseNamed({
  named,
  failing,
  statement,
  signature,
}: TargetRequest): Result<Targets, "nothing-fails"> {
  const chosen = new Set<TestOutcome>();
  for (const name of named) {
    const own = failing.filter((outcome) => hasName(outcome, name));
    const found = own.length > 0 ? own : brokenTargets(failing, name);
    for (const outcome of found) chosen.add(outcome);
    if (found.length > 0) continue;
    const known = failing.slice(0, 5).map((outcome) => formatTestKey(outcome.key));
    return fail(
      "nothing-fails",
      `No failing test is named ${name}. The failing tests include ${known.join(", ")}.`,
    );
  }
  const targets = failing.filter((outcome) => chosen.has(outcome));
  const fits = targets.map((outcome) => matchSignature(signature, outcome)).find(({ matches }) => matches);
  const said = statement.trim() === "" || fits === undefined ? "" : `; ${fits.evidence}`;
  return succeed({
    targets,
    others: idsOf(failing.filter((outcome) => !chosen.has(outcome))),
    othersBecause: "were not named",
    reason: {
      holds: true,
      evidence: `${countOf(targets.length, "failing test was", "failing tests were")} named in the task${said}`,
    },
    isCertain: true,
  });
}

/**
 * Returns the outcomes of targets that do not load or build. Such an outcome stands for all tests of the target. A name
 * without a path may belong to any target.
 */
function brokenTargets(failing: readonly TestOutcome[], name: string): TestOutcome[] {
  const broken = failing.filter(({ key }) => key.name === "");
  const own = broken.filter(({ key }) => name.includes(key.target));
  return own.length > 0 || /[/.]/.test(name) ? own : broken;
}

/** Matches a test's whole id, name or target, or the end of its id from the beginning of a word. */
function hasName({ key }: TestOutcome, name: string): boolean {
  const id = formatTestKey(key);
  if (id === name || key.name === name || key.target === name) return true;
  return id.endsWith(name) && /[^\w]$/.test(id.slice(0, -name.length));
}

function chooseAll({ failing }: TargetRequest): Targets {
  const own = failing.filter((outcome) => !needsNetwork(outcome));
  const targets = own.length === 0 ? failing : own;
  const evidence = "without a statement, the task is to make the failing tests pass";
  return {
    targets,
    others: idsOf(failing.filter((outcome) => !targets.includes(outcome))),
    othersBecause: "need the network",
    reason: { holds: true, evidence },
    isCertain: true,
  };
}

function chooseFitting({ statement, failing, signature, byText = [] }: TargetRequest): Targets {
  const tests = readTestNames(statement);
  const matches = failing.map((outcome, at) => {
    const printed = matchNamed(tests, outcome) ?? matchSignature(signature, outcome);
    const read = byText[at];
    // The called code does not prove why a test fails: the machine may lack a requirement.
    const isRead = read?.matches === true && !printed.matches;
    const isNamed = read?.matches === true && read.isByWords !== true && !needsNetwork(outcome);
    return { outcome, match: isRead ? { ...read, isStrong: false } : printed, isNamed };
  });
  const fitting = matches.filter(
    ({ outcome, match }) => match.isStrong || (match.matches && !needsNetwork(outcome)),
  );
  const othersBecause = "do not match the statement";
  const [first] = fitting;
  if (first === undefined) {
    const evidence = "no failing test shows an error, text or name from the statement";
    const reason = { holds: false, evidence };
    return { targets: failing, others: [], othersBecause, reason, isCertain: false };
  }
  const others = matches.filter((each) => !fitting.includes(each)).map(({ outcome }) => outcome);
  const evidence = `${fitting.length} of ${countOf(failing.length, "failing test")} ${wordFor(fitting.length, "fits", "fit")} the statement: ${formatTestKey(first.outcome.key)}: ${first.match.evidence}`;
  return {
    targets: fitting.map(({ outcome }) => outcome),
    others: idsOf(others),
    othersBecause,
    reason: { holds: true, evidence },
    isCertain: fitting.some(({ match }) => match.isStrong),
    named: fitting.filter(({ isNamed }) => isNamed).map(({ outcome }) => outcome),
  };
}

/**
 * Returns the quoted names after "the test", "the check" or "the spec": `a` and `b` in "The tests `a` and `b` fail".
 * Omits names that the statement excludes: "ignore it", "is unrelated", "passes".
 */
function readTestNames(statement: string): string[] {
  const lists = statement.matchAll(
    /\b(?:[Tt]h(?:e|is|ese|ose)(?: \w+)? (?:tests?|checks?|specs?)|[Tt]ests)(?: (?:case|named|called)s?)?:? ((?:(?:, | and |, and )?[`"][^`"\n]{1,120}[`"])+)/g,
  );
  return [...lists].flatMap(({ 0: { length }, 1: list = "", index }) => {
    const before = statement.slice(0, index).replace(/^[\s\S]*(?:[.!?]\s|\n)/, "");
    const [after = ""] = /^[\s\S]*?(?=[.!?](?:\s|$)|\n|$)/.exec(statement.slice(index + length)) ?? [];
    const [clause = ""] = after.split(/[,;]/);
    const isAside = setAside.test(`${before} ${after}`) || passing.test(clause);
    return isAside ? [] : [...list.matchAll(/[`"]([^`"\n]+)[`"]/g)].map(([, name = ""]) => name);
  });
}
const setAside = /\b(?:ignor\w+|unrelated|irrelevant|skip\w*)\b/i;
const passing = /(?<!\b(?:not|never|longer) )\b(?:passes|passed|fine)\b/i;

/**
 * Matches tests that the statement names by their whole name, which may be as short as a function's. A network failure
 * still does not count as a sign of the fault.
 */
function matchNamed(names: readonly string[], outcome: TestOutcome): SignatureMatch | undefined {
  if (needsNetwork(outcome)) return undefined;
  const id = formatTestKey(outcome.key);
  const isWhole = (name: string): boolean => /(?:::|[.#/]|> )$/.test(id.slice(0, -name.length));
  const name = names.find(
    (each) => hasName(outcome, each) && (id === each || outcome.key.target === each || isWhole(each)),
  );
  return name === undefined
    ? undefined
    : { matches: true, isStrong: true, evidence: `the statement names the test "${name}"` };
}

function idsOf(outcomes: readonly TestOutcome[]): string[] {
  return outcomes.map((outcome) => formatTestKey(outcome.key));
}
