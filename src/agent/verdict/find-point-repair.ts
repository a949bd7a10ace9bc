/**
 * Finds out whether a patch repairs only the inputs of its tests. Runs the deciding tests with other literals, without
 * and with the patch. Most wrong patches of generated programs overfit in this way (Smith et al., FSE 2015).
 */
import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { applyEdits, type LiteralEdit, listVariations } from "../../judging/vary-tests.ts";
import type { ActionContext } from "../action.ts";
import { readChange } from "../code/change.ts";
import { findTestFiles, type TestBody } from "../code/test-bodies.ts";
import type { Claim } from "../kinds/contract.ts";
import { testTimeoutOf, usualTimeOf } from "../measure/measure-suite.ts";
import { describeOutcome } from "../measure/varied-tests.ts";
import { cutSchema, limitedStep, type Reached } from "../record/limited-step.ts";
import { judgeOnThread } from "../review/judges/judge-threads.ts";
import type { NewValues } from "../review/special-cases/new-values.ts";
import { isNamed } from "../review/statement/named-values.ts";
import type { ValueKey } from "../review/texts/value-keys.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite, TestBench } from "../suite.ts";
import { findPoint, isPoint, type PointRepairs, showsRule } from "./judge-point-repair.ts";

interface PointContext
  extends Pick<StrategyContext, "workspace" | "recorder" | "limits">,
    Pick<ActionContext, "regions" | "task"> {
  readonly suite: Pick<Suite, "command" | "outcomes" | "durationMs" | "testTimeoutMs" | "part" | "own">;
  readonly bench: Pick<TestBench, "run">;
}

/** Maximum of tests, of literals of a test, and of other values of a literal. */
const most = { tests: 2, literals: 5, values: 5 };
/** The time limit: a multiple of the suite's time on the base, plus milliseconds. */
const patience = { factor: 2, ms: 90_000 };

const literalSchema = z.object({
  ...{ test: z.string(), text: z.string(), start: z.int(), isComplete: z.boolean() },
  runs: z.array(z.object({ value: z.string(), without: z.string(), patched: z.string() })),
});
type Literal = z.infer<typeof literalSchema>;
const ranSchema = z.object({ literals: z.array(literalSchema), ...cutSchema });
type Ran = z.infer<typeof ranSchema>;

/** A replay judges what the recorded run reached. */
const reached: Reached<Ran> = {
  of: (ran, isCut) => (isCut ? ran : undefined),
  only: (ran, recorded) => ranSchema.safeParse(recorded).data ?? ran,
};

/**
 * Finds the literal of a deciding test that the patch treats differently from all others. There is none if the tests do
 * not tell results, if the statement names the literal, or if the patch adds no value: then it may correct a limit.
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
  if (!read.ok) return { doubts: ["adds values that could not be listed"] };
  const { keys, prose } = read.value;
  if (keys.length === 0) return { doubts: [] };
  const options = {
    key: `points:${hashText(JSON.stringify([without, patched, tests.map(formatTestKey)]))}`,
    title: "run the deciding tests with other inputs",
    schema: ranSchema,
    usualMs: patience.factor * usualTimeOf(suite) + patience.ms,
    reached,
  };
  const ran = await limitedStep<Ran>(context, options, async (timeMs) => {
    const deadline = performance.now() + timeMs;
    const literals = await varyLiterals(context, { tests, without, patched }, { keys, prose, deadline });
    return { result: { literals }, isCut: performance.now() >= deadline };
  });
  const isCut = ran.cutMs !== undefined || ran.literals.some(({ isComplete }) => !isComplete);
  return {
    point: findPoint(ran.literals),
    doubts: isCut ? ["adds a value, and no time was left to run its tests with other inputs"] : [],
  };
}

/** The key of a literal as written: `"abc"` is `t:abc`. */
function keyOf(written: string): ValueKey {
  return /^\d[\d.]*$/.test(written) ? `n:${Number(written)}` : `t:${unquote(written)}`;
}

function unquote(written: string): string {
  return written.replace(/^\w{0,2}(["'`])(.*)\1$/s, "$2");
}

type Trees = Pick<Claim, "tests"> & { readonly without: string; readonly patched: string };

interface Wanted extends NewValues {
  readonly deadline: number;
}

/** Tries all values of each literal only after a literal whose first values show no difference: others may show a rule. */
async function varyLiterals(
  context: PointContext,
  { tests, ...trees }: Trees,
  { keys, prose, deadline }: Wanted,
): Promise<Literal[]> {
  const found: Literal[] = [];
  for (const test of tests.slice(0, most.tests)) {
    const sides = await readSides(context, trees, test);
    if (sides === undefined) continue;
    const first = await runSide(context, sides.without, test, undefined, deadline);
    const line = failingLine(first, sides.without);
    if (line === undefined) continue;
    const varied = listVaried(sides, keys).filter(({ text }) => !isNamed(keyOf(text), prose));
    const asked = varied.slice(0, most.literals);
    const run = (literal: Varied, isWhole: boolean): Promise<Literal> =>
      runLiteral(context, { test, sides, literal, line, deadline, isWhole });
    const own: Literal[] = [];
    for (const literal of asked) own.push(await run(literal, false));
    const isSuspect = own.some(isPoint);
    for (const [at, literal] of asked.entries()) {
      const known = own[at];
      if (!isSuspect || known === undefined || isPoint(known) || showsRule(known)) continue;
      own[at] = await run(literal, true);
    }
    found.push(...own);
  }
  return found;
}

interface AskedLiteral {
  readonly test: TestKey;
  readonly sides: Sides;
  readonly literal: Varied;
  /** The line of the test at which it fails without the patch. */
  readonly line: number;
  readonly deadline: number;
  /** False: end at the first value for which the patch gives another result than the base. */
  readonly isWhole: boolean;
}

async function runLiteral(
  context: PointContext,
  { test, sides, literal, line, deadline, isWhole }: AskedLiteral,
): Promise<Literal> {
  const { text, start, edits } = literal;
  const runs: Literal["runs"] = [];
  const told = { test: formatTestKey(test), text, start, runs };
  for (const { value, without, patched } of edits.slice(0, most.values)) {
    if (performance.now() >= deadline) return { ...told, isComplete: false };
    const base = await runSide(context, sides.without, test, without, deadline);
    // The test failed elsewhere, so it tells nothing about the code that the patch changes.
    if (base?.failure !== undefined && failingLine(base, sides.without) !== line) continue;
    const other = await runSide(context, sides.patched, test, patched, deadline);
    const [one, two] = [describeOutcome(base), describeOutcome(other)];
    if (one === undefined || two === undefined) continue;
    runs.push({ value, without: one, patched: two });
    if (one !== two && !isWhole) break;
  }
  return { ...told, isComplete: performance.now() < deadline };
}

/** A test's file in a tree. */
interface Side {
  readonly tree: string;
  readonly path: string;
  readonly text: string;
  readonly body: TestBody;
  /** The variations of the test's literals: a list for each literal, in source order. */
  readonly literals: readonly (readonly LiteralEdit[])[];
}

interface Sides {
  readonly without: Side;
  readonly patched: Side;
}

/** One other value of a literal, in the test's file of each tree. */
interface Edits {
  /** The whole literal's new text, without quotes. */
  readonly value: string;
  readonly without: LiteralEdit;
  readonly patched: LiteralEdit;
}

/** Undefined if the test is not known in both trees, with the same text. */
async function readSides(
  { workspace: { trees } }: PointContext,
  { without, patched }: Omit<Trees, "tests">,
  test: TestKey,
): Promise<Sides | undefined> {
  const [base, other] = [await readSide(without), await readSide(patched)];
  if (base === undefined || other === undefined || base.path !== other.path) return undefined;
  return textOf(base) === textOf(other) ? { without: base, patched: other } : undefined;

  async function readSide(tree: string): Promise<Side | undefined> {
    const files = [...(await findTestFiles(trees, tree, [test]))];
    const [only] = files;
    const [body, more] = only?.[1].bodies ?? [];
    if (only === undefined || files.length > 1 || body === undefined || more !== undefined) return undefined;
    const [path, { text }] = only;
    const own = (await listVariations(path, text)).filter(
      ({ line }) => body.startLine <= line && line <= body.endLine,
    );
    return { tree, path, text, body, literals: [...Map.groupBy(own, ({ start }) => start).values()] };
  }
}

function textOf({ text, body: { startLine, endLine } }: Side): string {
  return text
    .split("\n")
    .slice(startLine - 1, endLine)
    .join("\n");
}

interface Varied {
  /** As written, or a part of it. */
  readonly text: string;
  /** The place of the literal in the base's file. */
  readonly start: number;
  readonly edits: readonly Edits[];
}

/** First the parts of literals that the patch names, then whole literals that it names, then the others. */
function listVaried({ without, patched }: Sides, keys: readonly ValueKey[]): Varied[] {
  const names = new Set(keys.flatMap((key) => /^[nt]:(.*)$/s.exec(key)?.[1] ?? []));
  const literals = without.literals.flatMap((own, at): Varied[] => {
    const other = patched.literals[at] ?? [];
    const edits = own.flatMap((edit, index) => {
      const same = other[index];
      return same === undefined ? [] : [{ value: unquote(edit.replacement), without: edit, patched: same }];
    });
    const [first] = own;
    if (first === undefined || edits.length === 0) return [];
    return [{ text: without.text.slice(first.start, first.end), start: first.start, edits }];
  });
  const parts = literals.flatMap((literal) => [...names].flatMap((name) => shiftPart(name, literal)));
  const isOwn = ({ text }: Varied): boolean => names.has(unquote(text));
  return [...parts, ...literals.filter(isOwn), ...literals.filter((each) => !isOwn(each))];
}

/** Letters and digits of the part move on by some places: the text keeps its form. */
const shifts = [1, 2, 3, 5];

/** Varies the part of a text that has the same letters and digits as the name, in whatever spelling: `h_t_t_p`, `HTTP`. */
function shiftPart(name: string, { text, start, edits }: Varied): Varied[] {
  const letters = name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  const from = /^\w{0,2}["'`]/.test(text) ? text.toLowerCase().indexOf(letters) : -1;
  const [first] = edits;
  if (letters.length < 2 || from < 0 || first === undefined) return [];
  const part = text.slice(from, from + letters.length);
  const shifted = shifts.map((by): Edits => {
    const replacement = shiftText(part, by);
    const place = (edit: LiteralEdit): LiteralEdit => ({
      ...{ line: edit.line, start: edit.start + from, end: edit.start + from + part.length, replacement },
    });
    const whole = text.slice(0, from) + replacement + text.slice(from + part.length);
    return { value: unquote(whole), without: place(first.without), patched: place(first.patched) };
  });
  return [{ text: part, start, edits: shifted }];
}

function shiftText(text: string, by: number): string {
  const move = (sign: string, first: string, count: number): string =>
    String.fromCharCode(first.charCodeAt(0) + ((sign.charCodeAt(0) - first.charCodeAt(0) + by) % count));
  return text.replaceAll(/[a-zA-Z0-9]/g, (sign) =>
    /[a-z]/.test(sign) ? move(sign, "a", 26) : /[A-Z]/.test(sign) ? move(sign, "A", 26) : move(sign, "0", 10),
  );
}

/** The line of the test at which it fails; undefined if it passes, or if the line is unknown. */
function failingLine(
  outcome: TestOutcome | undefined,
  { path, body: { startLine, endLine } }: Side,
): number | undefined {
  const frames = outcome?.failure?.frames ?? [];
  return frames.findLast(
    ({ file, line }) => (file === path || file.endsWith(`/${path}`)) && startLine <= line && line <= endLine,
  )?.line;
}

async function runSide(
  { workspace: { trees }, suite, bench }: PointContext,
  { tree, path, text }: Side,
  test: TestKey,
  edit: LiteralEdit | undefined,
  deadline: number,
): Promise<TestOutcome | undefined> {
  const content = edit === undefined ? text : applyEdits(text, [edit]);
  const { report } = await bench.run(suite.command, {
    tree: edit === undefined ? tree : await trees.write(tree, [{ path, content }]),
    selection: { kind: "tests", tests: [test] },
    testTimeoutMs: testTimeoutOf(suite),
    timeoutMs: Math.max(1, deadline - performance.now()),
  });
  const id = formatTestKey(test);
  return report.invalid === undefined
    ? report.outcomes.find(({ key }) => formatTestKey(key) === id)
    : undefined;
}
