/**
 * Finds out whether a patch repairs only the inputs of its tests. Runs the deciding tests with other literals, without
 * and with the patch. Most wrong patches of generated programs overfit in this way (Smith et al., FSE 2015).
 */
import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { LiteralEdit } from "../../judging/vary-tests.ts";
import { readChange } from "../code/change.ts";
import { failedLine, isInLines } from "../code/test-bodies.ts";
import type { Claim } from "../kinds/contract.ts";
import { usualTimeOf } from "../measure/measure-suite.ts";
import { describeOutcome } from "../measure/varied-tests.ts";
import { cutSchema, limitedStep, type Reached } from "../record/limited-step.ts";
import type { ProbedFunction } from "../review/careless/probed-functions.ts";
import { judgeOnThread } from "../review/judges/judge-threads.ts";
import type { NewValues } from "../review/special-cases/new-values.ts";
import { asksForClass } from "./class-variations.ts";
import { findDisturbed, findEffects } from "./find-effects.ts";
import { findReadResults } from "./find-read-results.ts";
import { doubtClass, findPoint, isPoint, type PointRepairs, showsRule } from "./judge-point-repair.ts";
import { asksForOrder, listOrders } from "./order-variations.ts";
import { type Ids, type PointContext, runSide } from "./run-side.ts";
import {
  chooseLiterals,
  type LiteralToVary,
  listVaried,
  readSides,
  type Side,
  type Sides,
} from "./varied-literals.ts";

/**
 * Limits for tests: to read, to run if the patch adds their values (`naming`), and to run otherwise (`tests`). Limits
 * for literals: of a test, fractions among them (`types`), and other values of a literal.
 */
const most = { read: 50, naming: 4, tests: 2, literals: 5, types: 2, values: 5 };
/** The time limit: a multiple of the suite's time on the base, plus milliseconds. */
const patience = { factor: 2, ms: 90_000 };

const literalSchema = z.object({
  ...{ test: z.string(), text: z.string(), start: z.int() },
  ...{ isAdded: z.boolean().default(true), isComplete: z.boolean() },
  kind: z.enum(["value", "class", "tag", "fault", "type"]).default("value"),
  runs: z.array(z.object({ value: z.string(), without: z.string(), patched: z.string() })),
});
type Literal = z.infer<typeof literalSchema>;
/** The results. `orders`, `effects`: sentences about tests that fail with another order, or with repeated calls. */
const ranSchema = z.object({
  literals: z.array(literalSchema),
  orders: z.array(z.string()).default([]),
  effects: z.array(z.object({ text: z.string(), isDoubt: z.boolean() })).default([]),
  ...cutSchema,
});
type Ran = z.infer<typeof ranSchema>;

/** A replay judges the results that the recorded run reached. */
const reached: Reached<Ran> = {
  of: (ran, isCut) => (isCut ? ran : undefined),
  only: (ran, recorded) => ranSchema.safeParse(recorded).data ?? ran,
};

/**
 * Finds the literal of a deciding test that the patch treats differently from all other values. Returns none if the
 * tests do not report results, or if the statement names the literal. Also returns none if the patch adds no value:
 * such a patch may correct a limit. Returns nothing for a candidate without code, and for a claim that lacks a side.
 * Adds objections and doubts about read results, side effects and the tested order of lists.
 */
export async function findPointRepair(
  context: PointContext,
  candidate: Candidate,
  claim: Claim | undefined,
): Promise<PointRepairs> {
  const { workspace, regions, task, suite } = context;
  const { tests = [], without, patched } = claim ?? {};
  if (candidate.kind !== "code" || without === undefined || patched === undefined) return { doubts: [] };
  const { files } = await readChange(workspace.trees, regions, workspace.base, candidate.tree);
  const read = await judgeOnThread("values", context, { files, statement: task.statement });
  const probed = await judgeOnThread("probed", context, { files, statement: task.statement });
  // Only a lack of time excuses a patch on which a check fails.
  for (const judged of [read, probed])
    if (!judged.ok && judged.kind === "unread") return { objections: [judged.message], doubts: [] };
  if (!read.ok) return { doubts: ["may add values, which could not be listed"] };
  const { keys, signs, asksWhole } = read.value;
  const addsValue = keys.length + signs.length > 0 || asksWhole;
  const { objections, doubts } = await findReadResults(context, { tests, patched, files, keys });
  if (objections.length > 0) return { objections, doubts: [] };
  const options = {
    key: `points:${hashText(JSON.stringify([without, patched, tests.map(formatTestKey)]))}`,
    title: "run the deciding tests with other inputs",
    schema: ranSchema,
    usualMs: patience.factor * usualTimeOf(suite) + patience.ms,
    reached,
  };
  const ran = await limitedStep<Ran>(context, options, async (timeMs) => {
    const deadline = performance.now() + timeMs;
    const functions = probed.ok ? probed.value : [];
    const wanted = { ...read.value, statement: task.statement, addsValue, deadline, functions };
    const result = await varyLiterals(context, { tests, without, patched }, wanted);
    return { result, isCut: performance.now() >= deadline };
  });
  const effects = ran.effects.filter(({ isDoubt }) => !isDoubt).map(({ text }) => text);
  if (effects.length > 0) return { objections: effects, doubts: [] };
  const isSorted = asksForOrder(read.value.prose);
  if (isSorted && ran.orders.length > 0) return { objections: ran.orders, doubts: [] };
  const isCut = addsValue && (ran.cutMs !== undefined || ran.literals.some(({ isComplete }) => !isComplete));
  const found = findPoint(ran.literals.filter(({ kind }) => kind === "value")) ?? findPoint(ran.literals);
  const isObjection = found?.kind === "value" || (found && asksForClass(found.kind, task.statement));
  return {
    point: isObjection ? found : undefined,
    doubts: [
      ...doubts,
      ...ran.effects.map(({ text }) => `may have a side effect: ${text}`),
      ...(ran.orders.length > 0 ? ["passes its tests only with the tested order of a list"] : []),
      ...(found === undefined || isObjection ? [] : doubtClass(found)),
      ...(isCut
        ? ["adds a value, and there was not enough time to run its tests with all other inputs"]
        : []),
    ],
  };
}

type Trees = Pick<Claim, "tests"> & { readonly without: string; readonly patched: string };

interface Wanted extends NewValues {
  readonly statement: string;
  readonly functions: readonly ProbedFunction[];
  readonly addsValue: boolean;
  readonly deadline: number;
}

interface Asked {
  readonly test: TestKey;
  readonly sides: Sides;
  readonly varied: readonly LiteralToVary[];
}

/**
 * Tries the tests with values that the patch adds first. Ends at a test that shows a special case, a side effect, or a
 * forbidden dependence on the order of a list.
 */
async function varyLiterals(
  context: PointContext,
  { tests, ...trees }: Trees,
  wanted: Wanted,
): Promise<Pick<Ran, "literals" | "orders" | "effects">> {
  const [literals, found]: [Literal[], string[]] = [[], []];
  const effects: Ran["effects"] = [];
  const { addsValue, deadline, prose } = wanted;
  for (const asked of await chooseTests(context, { tests, ...trees }, wanted)) {
    effects.push(...(await findEffects(context, asked, wanted)));
    if (effects.length > 0) break;
    const orders = await varyOrder(context, asked, wanted);
    found.push(...orders);
    if (orders.length > 0 && asksForOrder(prose)) break;
    if (addsValue) literals.push(...(await varyTest(context, asked, deadline)));
    if (findPoint(literals)?.isAdded === true) break;
  }
  if (effects.length === 0) effects.push(...(await findDisturbed(context, { tests, ...trees }, wanted)));
  return { literals, orders: found, effects };
}

/** Runs the test with other orders of a list that the code must sort. Each order must give the same result. */
async function varyOrder(
  context: PointContext,
  { test, sides: { patched } }: Asked,
  { prose, deadline }: Wanted,
): Promise<string[]> {
  const literals = patched.literals.filter(({ line }) => isInLines(patched.body, line));
  for (const { given, other, edit } of listOrders({ text: patched.text, literals }, prose)) {
    if (performance.now() >= deadline) break;
    const { outcome } = await runSide(context, patched, { test, edits: [edit], ids: undefined, deadline });
    if (outcome?.status === "failed")
      return [
        `The patch fits only the tested order: ${formatTestKey(test)} fails with ${other} instead of ${given}, although the expected result is a sorted list.`,
      ];
  }
  return [];
}

async function chooseTests(
  context: PointContext,
  { tests, ...trees }: Trees,
  wanted: Wanted,
): Promise<readonly Asked[]> {
  const all: Asked[] = [];
  const read = tests.slice(0, most.read);
  const sidesOf = await readSides(context, trees, read);
  for (const test of read) {
    const sides = performance.now() < wanted.deadline ? await sidesOf(test) : undefined;
    if (sides !== undefined) all.push({ test, sides, varied: listVaried(sides, test, wanted) });
  }
  const counted = all.map((asked) => ({ asked, named: countNamed(asked) }));
  const isNaming = ({ named }: (typeof counted)[number]): boolean => named > 0;
  const naming = counted.filter(isNaming).toSorted((one, other) => other.named - one.named);
  const chosen = naming.slice(0, most.naming);
  const others = counted.filter((each) => !isNaming(each)).slice(0, Math.max(0, most.tests - chosen.length));
  return [...chosen, ...others].map(({ asked }) => asked);
}

/**
 * Counts the literals that the patch adds. Counts a literal twice if the test's name contains it, as in a row of a
 * table.
 */
function countNamed({ varied }: Asked): number {
  const added = varied.filter(({ isAdded }) => isAdded);
  return added.length + added.filter(({ isInName }) => isInName).length;
}

/**
 * Varies a test that fails at a known line without the patch; returns none for another test. Tries the values of each
 * literal up to the first difference. If all values of one literal show no difference, tries the remaining values of
 * the others, because they may show a rule.
 */
async function varyTest(
  context: PointContext,
  { test, sides, varied }: Asked,
  deadline: number,
): Promise<Literal[]> {
  const first = await runSide(context, sides.without, { test, edits: [], ids: undefined, deadline });
  const line = failedLine(first.outcome?.failure, sides.without.path, sides.without.body);
  if (line === undefined) return [];
  const fault = first.outcome?.failure?.type;
  const asked: AskedLiteral[] = chooseLiterals(varied, most).map((literal) => ({
    ...{ test, sides, literal, line, fault, ids: first.ids, deadline },
    tried: 0,
    runs: [],
  }));
  const own: Literal[] = [];
  for (const each of asked) own.push(await runLiteral(context, each, false));
  const isSuspect = own.some((each) => each.kind === "value" && isPoint(each));
  for (const [at, literal] of asked.entries()) {
    const known = own[at];
    if (!isSuspect || known === undefined || isPoint(known) || showsRule(known)) continue;
    own[at] = await runLiteral(context, literal, true);
  }
  return own;
}

interface AskedLiteral {
  readonly test: TestKey;
  readonly sides: Sides;
  readonly literal: LiteralToVary;
  /** The line at which the test fails without the patch. */
  readonly line: number;
  /** The type of this failure. */
  readonly fault: string | undefined;
  readonly ids: Ids;
  readonly deadline: number;
  /** The number of values that ran, and the valid results. */
  tried: number;
  readonly runs: Literal["runs"];
}

/** Number of values with the same result after which the literal decides nothing. */
const silent = 3;

/** Runs the remaining values. Unless `isWhole`, ends at the first one for which the patch gives another result. */
async function runLiteral(context: PointContext, asked: AskedLiteral, isWhole: boolean): Promise<Literal> {
  const { test, sides, literal, line, fault, ids, deadline, runs } = asked;
  const { text, start, isAdded, kind, edits } = literal;
  const told = { test: formatTestKey(test), text, start, isAdded, kind, runs };
  for (; asked.tried < Math.min(edits.length, most.values); asked.tried += 1) {
    const edit = edits[asked.tried];
    if (edit === undefined || isSilent(runs)) break;
    if (performance.now() >= deadline) return { ...told, isComplete: false };
    const run = (side: Side, own: LiteralEdit) =>
      runSide(context, side, { test, edits: [own], ids, deadline });
    const { outcome: base } = await run(sides.without, edit.without);
    // The test failed elsewhere, so it tells nothing about the code that the patch changes.
    const at = failedLine(base?.failure, sides.without.path, sides.without.body);
    if (base?.failure !== undefined && at !== line) continue;
    if (kind === "fault" && base?.failure?.type !== fault) continue;
    const { outcome: other } = await run(sides.patched, edit.patched);
    const [one, two] = [describeOutcome(base), describeOutcome(other)];
    if (one === undefined || two === undefined) continue;
    runs.push({ value: edit.value, without: one, patched: two });
    if (one !== two && !isWhole) {
      asked.tried += 1;
      break;
    }
  }
  return { ...told, isComplete: performance.now() < deadline };
}

function isSilent(runs: Literal["runs"]): boolean {
  return runs.length >= silent && new Set(runs.flatMap((run) => [run.without, run.patched])).size === 1;
}
