/**
 * Finds side effects of a patch. Runs deciding tests with repeated and watched calls, and passing tests with a further
 * call of a changed method, without and with the patch.
 */
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import { addCalls, type ObjectMethod, probeCalls } from "../../judging/probe-calls.ts";
import { textOfLines } from "../code/test-bodies.ts";
import type { ProbedFunction } from "../review/careless/probed-functions.ts";
import { type Effect, judgeDisturbed, judgeEffects, type Runs } from "./judge-effects.ts";
import { type PointContext, runSide } from "./run-side.ts";
import { readSides, type Side, type Sides } from "./varied-literals.ts";

interface Wanted {
  readonly functions: readonly ProbedFunction[];
  readonly deadline: number;
}

/** The deciding tests, and the trees without and with the patch. */
interface DecidingTests {
  readonly tests: readonly TestKey[];
  readonly without: string;
  readonly patched: string;
}

/** Limits for deciding tests to read, and for passing tests of their files: to read, and to run. */
const most = { deciding: 5, read: 40, tests: 3 };

const bodyOf = ({ text, body }: Side): string => textOfLines(text.split("\n"), body);

/** Runs a deciding test with calls that show their side effects (`probeCalls`). */
export async function findEffects(
  context: PointContext,
  { test, sides }: { readonly test: TestKey; readonly sides: Sides },
  { functions, deadline }: Wanted,
): Promise<Effect[]> {
  const body = bodyOf(sides.patched);
  const called = functions.filter(({ name }) => body.includes(`${name}(`));
  const namesOf = (isMethod: boolean) =>
    new Set(called.filter((each) => each.isMethod === isMethod).map(({ name }) => name));
  if (called.length === 0) return [];
  const edit = ({ path, text, body }: Side) => probeCalls(path, text, body, namesOf(false), namesOf(true));
  const results = await runBoth(context, { test, sides, edit, deadline });
  return results === undefined ? [] : judgeEffects(formatTestKey(test), called, results);
}

/** Runs passing tests with a further call of a changed method before other calls of the same object (`addCalls`). */
export async function findDisturbed(
  context: PointContext,
  { tests, ...trees }: DecidingTests,
  { functions, deadline }: Wanted,
): Promise<Effect[]> {
  const plain = functions.filter(({ type, hasParameters }) => type !== "" && !hasParameters);
  const changed = await listUsed(context, { tests, ...trees }, plain);
  if (changed.length === 0) return [];
  const files = new Set(tests.map(({ package: folder, target }) => `${folder}\0${target}`));
  const passing = context.suite.outcomes
    .filter(({ key, status }) => status === "passed" && files.has(`${key.package}\0${key.target}`))
    .map(({ key }) => key)
    .slice(0, most.read);
  const sidesOf = await readSides(context, trees, passing);
  let left = most.tests;
  for (const test of passing) {
    const sides = performance.now() < deadline && left > 0 ? await sidesOf(test) : undefined;
    const methods =
      sides === undefined ? [] : changed.filter(({ type }) => bodyOf(sides.patched).includes(type));
    if (sides === undefined || methods.length === 0) continue;
    const edit = ({ path, text, body }: Side) => addCalls(path, text, body, methods satisfies ObjectMethod[]);
    const results = await runBoth(context, { test, sides, edit, deadline });
    if (results === undefined) continue;
    left -= 1;
    const found = judgeDisturbed(formatTestKey(test), methods, results);
    if (found.length > 0) return found;
  }
  return [];
}

/** Lists the methods whose results the deciding tests use. The purpose of other methods may be their effect. */
async function listUsed(
  context: PointContext,
  { tests, ...trees }: DecidingTests,
  methods: readonly ProbedFunction[],
): Promise<ProbedFunction[]> {
  if (methods.length === 0) return [];
  const deciding = tests.slice(0, most.deciding);
  const sidesOf = await readSides(context, trees, deciding);
  const used = new Set<string>();
  for (const test of deciding) {
    const side = (await sidesOf(test))?.patched;
    if (side === undefined) continue;
    for (const { name } of methods) {
      const edits = await probeCalls(side.path, side.text, side.body, new Set(), new Set([name]));
      if (edits.length > 0) used.add(name);
    }
  }
  return methods.filter(({ name }) => used.has(name));
}

interface Asked {
  readonly test: TestKey;
  readonly sides: Sides;
  readonly edit: (side: Side) => ReturnType<typeof probeCalls>;
  readonly deadline: number;
}

/**
 * Runs the edited test with the patch. Only if it fails, also runs it without edits and without the patch. Undefined if
 * nothing can be edited, or if no time is left.
 */
async function runBoth(
  context: PointContext,
  { test, sides, edit, deadline }: Asked,
): Promise<{ readonly patched: Runs; readonly without: Runs } | undefined> {
  const run = async (side: Side, edits: Awaited<ReturnType<typeof probeCalls>>) =>
    (await runSide(context, side, { test, edits, ids: undefined, deadline })).outcome;
  const edits = await edit(sides.patched);
  if (edits.length === 0 || performance.now() >= deadline) return undefined;
  const probed = await run(sides.patched, edits);
  if (probed?.status !== "failed" && probed?.status !== "errored")
    return { patched: { plain: probed, probed }, without: { plain: undefined, probed: undefined } };
  return {
    patched: { plain: await run(sides.patched, []), probed },
    without: {
      plain: await run(sides.without, []),
      probed: await run(sides.without, await edit(sides.without)),
    },
  };
}
