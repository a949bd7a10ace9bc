/**
 * Runs the calls of examples on a candidate, in tests of the project's framework next to the deciding ones. Each such
 * test reports its value by failing, so a passing test does not count as evidence. Runs the examples on the base only
 * if a value contradicts an example.
 */
import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey, passedKeys, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { PlaceExamples } from "../../languages/contract.ts";
import { findFramework } from "../../languages/find-framework.ts";
import type { ActionContext } from "../action.ts";
import { readChange } from "../code/change.ts";
import { testTimeoutOf } from "../measure/measure-suite.ts";
import { cutSchema, limitedStep } from "../record/limited-step.ts";
import type { Example } from "../review/examples/collect-examples.ts";
import { judgeOnThread } from "../review/judges/judge-threads.ts";
import { readLiteral, type Value } from "../review/texts/literal-values.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite, TestExecutor } from "../suite.ts";
import { makeWord, placeFirst } from "./confirming-round.ts";
import { contradicts, type JudgedExamples, judgeExamples } from "./judge-examples.ts";

export interface ExamplesContext
  extends Pick<StrategyContext, "workspace" | "frameworks" | "recorder" | "limits">,
    Pick<ActionContext, "regions" | "task"> {
  readonly suite: Pick<Suite, "command" | "outcomes" | "testTimeoutMs" | "part">;
}

/** Literals by the example's number; null if the call returned no literal. */
const valuesSchema = z.array(z.string().nullable());
const ranSchema = z.object({ patched: valuesSchema, base: valuesSchema, ...cutSchema });
type Ran = z.infer<typeof ranSchema>;

/** Milliseconds for all runs. */
const usualMs = 120_000;
const none: JudgedExamples = { objections: [], doubts: [], held: 0 };

/**
 * Runs the documented and stated examples with the candidate, next to the first test whose file can take them. Tries
 * the deciding tests (`tests`) first, then tests that pass on the base; at most `mostPlaces` files.
 */
export async function runExamples(
  context: ExamplesContext,
  candidate: Candidate,
  tests: readonly TestKey[],
  open: () => Promise<TestExecutor>,
): Promise<JudgedExamples> {
  const { workspace, regions, task } = context;
  const { trees, base } = workspace;
  if (candidate.kind !== "code") return none;
  const { files } = await readChange(trees, regions, base, candidate.tree);
  const { kind, statement, target } = task;
  const found = await judgeOnThread("examples", context, { files, task: { kind, statement, target } });
  if (!found.ok) return { ...none, objections: [found.message] };
  const examples = found.value;
  const place = findFramework(context.frameworks, context.suite.command).examples;
  if (examples.length === 0 || place === undefined) return none;
  const calls = examples.map(({ file, call }) => [file, call.text]);
  const options = {
    key: `examples:${hashText(JSON.stringify([candidate.tree, calls, tests.map(formatTestKey)]))}`,
    title: "run documented and stated examples",
    schema: ranSchema,
    usualMs,
  };
  const beside = [...tests, ...passedKeys(context.suite.outcomes)];
  const ran = await limitedStep<Ran>(context, options, async (timeMs) => {
    const deadline = performance.now() + timeMs;
    const executor = await open();
    const ask = (tree: string): Promise<Values> =>
      askValues(context, { executor, place, tree, beside, examples, deadline });
    const result = await askBoth(examples, base, candidate.tree, ask);
    return { result, isCut: performance.now() >= deadline };
  });
  const judged = judgeExamples(
    examples.map((example, at) => ({
      ...example,
      patched: readValue(ran.patched[at]),
      base: readValue(ran.base[at]),
    })),
  );
  const isOpen = ran.cutMs !== undefined && examples.some((_, at) => typeof ran.patched[at] !== "string");
  return isOpen ? { ...judged, doubts: [...judged.doubts, untried] } : judged;
}

const untried = "was not tried with each documented or stated example, because no time was left";

type Values = readonly (string | null)[];

/**
 * Runs the examples, and repeats them if a value contradicts one. The value does not count if the second run gives
 * another. A second run without a value, for example without time, leaves the first value.
 */
export async function askBoth(
  examples: readonly Example[],
  base: string,
  patched: string,
  ask: (tree: string) => Promise<Values>,
): Promise<Ran> {
  const first = await ask(patched);
  const isWrong = (at: number): boolean => {
    const [example, value] = [examples[at], readValue(first[at])];
    return example !== undefined && value !== undefined && contradicts(example, value);
  };
  if (!examples.some((_, at) => isWrong(at))) return { patched: [...first], base: [] };
  const without = await ask(base);
  const again = await ask(patched);
  return {
    patched: first.map((value, at) => (isWrong(at) && (again[at] ?? value) !== value ? null : value)),
    base: [...without],
  };
}

function readValue(text: string | null | undefined): Value | undefined {
  const read = typeof text === "string" ? readLiteral(text, 0) : undefined;
  return read?.end === text?.length ? read?.value : undefined;
}

interface Asked {
  readonly executor: TestExecutor;
  readonly place: PlaceExamples;
  readonly tree: string;
  readonly beside: readonly TestKey[];
  readonly examples: readonly Example[];
  readonly deadline: number;
}

async function askValues(
  { workspace: { trees }, suite }: ExamplesContext,
  { executor, place, tree, beside, examples, deadline }: Asked,
): Promise<Values> {
  const words = { file: makeWord(), mark: makeWord() };
  const files = (await trees.list(tree)).map(({ path }) => path);
  const read = async (path: string): Promise<string | undefined> =>
    (await trees.read(tree, path))?.toString("utf8");
  const calls = examples.map(({ file, call: { name, text } }) => ({ file, name, text }));
  const placed = await placeFirst(beside, (each) => place({ beside: each, files, read, calls, words }));
  if (placed === undefined) return [];
  const { report } = await executor.run(suite.command, {
    tree: await trees.write(tree, [...placed.files]),
    selection: { kind: "tests", tests: placed.tests },
    testTimeoutMs: testTimeoutOf(suite),
    timeoutMs: Math.max(1, deadline - performance.now()),
  });
  const told = new Map(report.outcomes.map((outcome) => [formatTestKey(outcome.key), outcome]));
  return placed.tests.map((key) => valueIn(told.get(formatTestKey(key)), words.mark));
}

function valueIn(outcome: TestOutcome | undefined, mark: string): string | null {
  const { failure } = outcome ?? {};
  const [, hex] = new RegExp(`${mark}:([\\da-f]*):`).exec(`${failure?.message}\n${failure?.text}`) ?? [];
  return hex === undefined ? null : Buffer.from(hex, "hex").toString("utf8");
}
