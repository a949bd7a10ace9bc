/** Checks whether the tests pass with wrong variants of the fix. */

import { readChange } from "../../agent/code/change.ts";
import { bodiesOf, findTestFiles } from "../../agent/code/test-bodies.ts";
import { listAssertions } from "../../agent/code/test-strength.ts";
import { type Strength, weighMutants } from "../../agent/kinds/target-strength.ts";
import { listMutants, type Mutant } from "../../agent/mutants/list-mutants.ts";
import { type MutantVerdicts, type MutationExecutor, runMutantsOn } from "../../agent/mutants/run-mutants.ts";
import { placesOf } from "../../agent/review/measured/plan-mutants.ts";
import { countOf } from "../../base/count.ts";
import { withTestExecutor } from "../../bench/protocols/measuring-executor.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import { isTestFile, languageOf } from "../../languages/source-files.ts";
import { readSource } from "../../syntax/read-source.ts";
import type { Finding } from "../contract.ts";
import { jaccard } from "./jaccard.ts";
import { wordOf } from "./new-names.ts";
import { type FixBranch, type FixPart, listBranches, listOtherResults, listParts } from "./partial-fixes.ts";
import { chooseTests, type Place } from "./place.ts";

const mostMutants = 12;
/** Time limit for all variants, in milliseconds. */
const budgetMs = 240_000;
/** Minimum share of wrong variants that the tests must detect. */
const leastNoticed = 0.5;
/**
 * Minimum share that the fail-to-pass tests must detect, if there are enough variants. The other tests judge no part of
 * the issue.
 */
const leastByOwn = 0.2;
const enoughVariants = 4;

type Verdict = MutantVerdicts[number];

export async function judgeWeakness(place: Place): Promise<Finding> {
  const { asked, open, plan, gold, run } = place;
  const { trees } = open.workspace;
  const change = await readChange(trees, { isWhole: isTestFile }, open.trees.tests, gold);
  const mutants = await listMutants(placesOf(change), mostMutants);
  const parts = await listParts(change.files);
  const branches = await listBranches(change.files);
  const variants = [...mutants, ...[...parts, ...branches].map(({ variant }) => variant)];
  const { failToPass, passToPass } = chooseTests(asked.validation, run);
  const durationMs = run.outcomes.reduce((sum, outcome) => sum + outcome.durationMs, 0);
  // The test patch may change the test configuration, such as a test file with `TestMain`.
  return withTestExecutor({ ...open, configuration: gold }, async (executor) => {
    const on: MutationExecutor = {
      ...{ executor, trees, durationMs, command: plan.command, framework: plan.framework },
      testTimeoutMs: Math.min(open.limits.testLimitMs, open.limits.limitMs),
    };
    const ask = (tests: readonly TestKey[], list: readonly Mutant[]): Promise<MutantVerdicts> =>
      list.length === 0 || tests.length === 0
        ? Promise.resolve(list.map((): Verdict => "survives"))
        : runMutantsOn(on, { tree: gold, tests, mutants: list }, budgetMs / 3);
    const own = await ask(failToPass, variants);
    const others = (
      await ask(
        passToPass,
        variants.filter((_, at) => own[at] === "survives"),
      )
    ).values();
    const all = own.map((told) => (told === "survives" ? (others.next().value ?? told) : told));
    const [of, end] = [mutants.length, mutants.length + parts.length];
    // A variant without time to run says nothing about the tests.
    const known = mutants.flatMap((mutant, at) => (all[at] === "unknown" ? [] : [{ mutant, at }]));
    const list = known.map(({ mutant }) => mutant);
    const counted = weighVariants(
      weighMutants(
        list,
        known.map(({ at }) => own[at] ?? "unknown"),
      ),
      weighMutants(
        list,
        known.map(({ at }) => all[at] ?? "unknown"),
      ),
    );
    const against =
      weighParts(parts, all.slice(of, end), asked.change.statement) ??
      weighBranches(branches, all.slice(end), asked.split.lines) ??
      (counted.isBad ? undefined : await findLooseTests(place, ask, await listOtherResults(change.files)));
    const late = all.filter((told) => told === "unknown").length;
    const left = late === 0 ? "" : `; there was no time for ${countOf(late, "variant")}`;
    const ran = `Millwright ran the fix without ${countOf(parts.length, "changed function")} and ${countOf(branches.length, "new branch", "new branches")}${left}`;
    if (against === undefined) return { ...counted, reason: `${counted.reason}; ${ran}` };
    return { ...counted, score: Math.min(counted.score, 0.25), isBad: true, reason: `${against}; ${ran}` };
  });
}

/**
 * Judges the tests by the share of wrong variants of the fix that they detect. `own`: the counts of only the
 * fail-to-pass tests. The second argument: the counts of all listed tests.
 */
export function weighVariants(
  own: Pick<Strength, "noticed" | "tried">,
  { noticed, tried, missing }: Pick<Strength, "noticed" | "tried" | "missing">,
): Finding {
  const [first] = missing;
  const score = tried === 0 ? 0.5 : noticed / tried;
  const isBlind = own.tried >= enoughVariants && own.noticed / own.tried < leastByOwn;
  return {
    check: "weak-tests",
    score: isBlind ? Math.min(score, own.noticed / own.tried) : score,
    isBad: isBlind || (tried > 1 && score < leastNoticed),
    reason: `the tests detect ${noticed} of ${countOf(tried, "wrong variant")} of the fix; without the other tests, the fail-to-pass tests detect ${own.noticed}${first === undefined ? "" : `; ${first}`}`,
  };
}

type Part = Pick<FixPart, "name" | "callers" | "code" | "lines">;

/** Minimum share of equal tokens of two changes that repeat one change in two places. */
const leastAlike = 0.6;
/** Maximum share of the fix that no test needs. */
const mostNeedless = 2 / 3;

/**
 * Returns the reason why changes of functions that no test needs make the tests weak. A single such change may be
 * cosmetic. It counts if the statement names its function, or callers of several such functions. It also counts if such
 * changes form most of the fix: repetitions of a needed change, or several changes. Undefined without such a reason.
 */
export function weighParts(
  parts: readonly Part[],
  verdicts: readonly Verdict[],
  statement: string,
): string | undefined {
  const having = (wanted: Verdict): Part[] => parts.filter((_, at) => verdicts[at] === wanted);
  const [needless, needed] = [having("survives"), having("noticed")];
  const named = needless.find(({ name }) => isNamed(statement, name));
  if (named !== undefined)
    return `the tests pass without the change of ${named.name}, which the statement names`;
  // Two needless ones: a single one may be tidying.
  const called = needless.filter(({ callers }) => callers.some((name) => isNamed(statement, name)));
  if (called.length > 1 && called.length === needless.length)
    return `the tests pass without the changes of ${called.map(({ name }) => name).join(", ")}, although functions that the statement names call them`;
  const sum = (list: readonly Part[]): number => list.reduce((total, { lines }) => total + lines, 0);
  const whole = sum(parts);
  const isTwin = (one: Part): boolean => needed.some((other) => likeness(one.code, other.code) >= leastAlike);
  const twins = needless.filter(isTwin);
  const told = `the tests pass without the changes of ${needless.map(({ name }) => name).join(", ")}`;
  if (twins.length > 0 && sum(twins) >= mostNeedless * whole)
    return `${told}; these changes repeat another change of the fix`;
  return needless.length > 1 && sum(needless) >= mostNeedless * whole ? told : undefined;
}

/** True if the statement names the function as code. An ordinary word may have another meaning. */
function isNamed(statement: string, name: string): boolean {
  if (name.length < 4 || !wordOf(name).test(statement)) return false;
  if (/[a-z][A-Z]|\w_\w|\d/.test(name)) return true;
  const word = wordOf(name).source;
  return new RegExp(String.raw`\`[^\`\n]*${word}[^\`\n]*\`|[.#:]${word}|${word}\(`).test(statement);
}

function likeness(one: string, other: string): number {
  const [a, b] = [tokensOf(one), tokensOf(other)];
  return a.size < 4 ? 0 : jaccard([...a], [...b]);
}

function tokensOf(code: string): Set<string> {
  return new Set(code.match(/\w+|[^\w\s]+/g) ?? []);
}

const mostFree = 0.5;
const leastLines = 0.4;

/**
 * Returns the reason why new branches that no test needs make the tests weak. They count if they are at least half of
 * the new branches, and a large part of the fix. Otherwise undefined. `lines`: number of lines of the fix.
 */
export function weighBranches(
  branches: readonly Pick<FixBranch, "lines" | "variant">[],
  verdicts: readonly Verdict[],
  lines: number,
): string | undefined {
  const free = branches.filter((_, at) => verdicts[at] === "survives");
  const tried = branches.filter((_, at) => verdicts[at] !== "unbuildable" && verdicts[at] !== "unknown");
  const size = free.reduce((sum, branch) => sum + branch.lines, 0);
  const [first] = free;
  if (first === undefined || tried.length < 2) return undefined;
  if (free.length < mostFree * tried.length || size < leastLines * lines) return undefined;
  return `the tests check only ${tried.length - free.length} of ${tried.length} new branches: for example, they still pass if ${first.variant.description}`;
}

const mostLoose = 8;
/** Matches assertions that ask only for the type or presence of a value. */
const loose =
  /assert_?(?:kind_of|instance_of|respond_to|is_?instance|is_?not_?none|not_?nil|not_?null|not_?empty)|refute_(?:nil|empty)|\bassert(?:True|_true|\.ok)?[ (]+(?:not )?(?:isinstance|hasattr|callable|type)\b|\bassert(?:\.ok|True)?[ (]+[\w.[\]'":]+\)?$|is not None\)?$|> 0\)?$|(?:be|must_be)_(?:a|an|kind_of|an?_instance_of|instance_of|truthy|present)\b|(?:not_to|wont)[_ ]be_nil|\.to(?:BeDefined|BeTruthy|BeInstanceOf|BeTypeOf)\b|\.not\.(?:toBeNull|toBeUndefined|toThrow|to\.throw)|expect\(typeof|\.to\.(?:exist|be\.ok|be\.an?\b)|doesNotThrow/i;

export function isLoose(assertion: string): boolean {
  return loose.test(assertion);
}

type Ask = (tests: readonly TestKey[], list: readonly Mutant[]) => Promise<MutantVerdicts>;

/**
 * Tells why fail-to-pass tests are weak if they ask only for the type or presence of a result. These tests pass with
 * wrong results that the other tests detect.
 */
async function findLooseTests(
  { asked, open, gold, run }: Place,
  ask: Ask,
  results: readonly Mutant[],
): Promise<string | undefined> {
  const { failToPass, passToPass } = chooseTests(asked.validation, run);
  if (results.length === 0) return undefined;
  const judged = failToPass.slice(0, mostLoose);
  const files = await findTestFiles(open.workspace.trees, gold, judged);
  const suspects: TestKey[] = [];
  for (const key of judged) if (await asksLoosely(files, key)) suspects.push(key);
  if (suspects.length < judged.length / 2) return undefined;
  const ids = new Set(suspects.map(formatTestKey));
  const others = [...failToPass.filter((key) => !ids.has(formatTestKey(key))), ...passToPass];
  const byOthers = await ask(others, results);
  const wrong = results.filter((_, at) => byOthers[at] === "noticed");
  if (others.length === 0 || wrong.length === 0) return undefined;
  const end = performance.now() + budgetMs / 3;
  for (const key of suspects) {
    if (performance.now() > end) break;
    const told = await ask([key], wrong);
    if (told.every((verdict) => verdict === "survives"))
      return `${formatTestKey(key)} checks no value: for example, it still passes if ${wrong[0]?.description}`;
  }
  return undefined;
}

async function asksLoosely(files: Awaited<ReturnType<typeof findTestFiles>>, key: TestKey): Promise<boolean> {
  for (const [path, { text, bodies }] of files) {
    const [body] = bodiesOf(bodies, key);
    const source = body === undefined ? undefined : await readSource(path, text, languageOf);
    if (body === undefined || source === undefined) continue;
    const asserted = listAssertions(source).filter(
      ({ line }) => body.startLine <= line && line <= body.endLine,
    );
    return asserted.length > 0 && asserted.every((each) => isLoose(each.text));
  }
  return false;
}
