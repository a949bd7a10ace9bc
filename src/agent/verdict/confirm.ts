/**
 * The confirming run: what a verdict rests on, seen once more in a fresh sandbox and a fresh checkout, in which no patch ran before, and
 * in another way: the tests that tell alone, without the patch and with it in turn, the second time as the framework can vary them,
 * beside a test that must fail and one that must pass.
 */
import { randomInt } from "node:crypto";
import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import type { Predicate } from "../../domain/gate.ts";
import { findStatus, formatTestKey } from "../../domain/test-outcome.ts";
import type { Canary, CanaryRequest, TestFramework } from "../../languages/contract.ts";
import { findFramework } from "../../languages/find-framework.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { Claim } from "../kinds/contract.ts";
import { cutSchema, limitedStep } from "../measure/limited-step.ts";
import { type Suite, testTimeoutOf } from "../measure/measure-suite.ts";
import { openTestBench, type TestBench } from "../measure/test-bench.ts";
import type { StrategyContext } from "../strategy.ts";
import { contradict } from "./contradict.ts";
import {
  type ConfirmingRun,
  confirmingRunSchema,
  contradictionSchema,
  judgeConfirmation,
} from "./judge-confirmation.ts";

export interface ConfirmContext
  extends Pick<StrategyContext, "workspace" | "frameworks" | "signal" | "recorder" | "limits"> {
  readonly suite: Pick<Suite, "command" | "outcomes" | "durationMs">;
}

const confirmationSchema = z.object({
  runs: z.array(confirmingRunSchema),
  contradicted: contradictionSchema.optional(),
  ...cutSchema,
});

/** Times of the suite on the base that a run may take, and milliseconds beside them: the first one builds everything anew. */
const patience = { factor: 3, ms: 180_000 };

/**
 * A recorded step. The names of the canary's tests are in no record, and so in no prompt. `open`: gives a fresh checkout that the caller
 * closes.
 */
export async function confirm(
  context: ConfirmContext,
  claim: Claim,
  open?: () => Promise<TestBench>,
): Promise<Confirmed> {
  const { frameworks, suite, workspace, signal } = context;
  const framework = findFramework(frameworks, suite.command);
  const trees = rounds(claim).map(({ tree }) => tree);
  const options = {
    key: `confirm:${hashText(JSON.stringify([trees, claim.tests.map(formatTestKey)]))}`,
    title: "confirm in a fresh sandbox",
    schema: confirmationSchema,
    large: true,
    usualMs: trees.length * (patience.factor * suite.durationMs + patience.ms),
  };
  const { runs, contradicted } = await limitedStep<z.infer<typeof confirmationSchema>>(
    context,
    options,
    async (timeMs) => {
      const bench = await (open?.() ?? openTestBench(workspace, frameworks, signal));
      try {
        const deadline = performance.now() + timeMs;
        const ran = await runRounds(context, claim, { bench, framework, deadline });
        const holds = judgeConfirmation(claim, ran, undefined).holds;
        const { patched: tree, tests } = claim;
        const asked =
          !holds || tree === undefined
            ? undefined
            : await contradict({
                ...{ trees: workspace.trees, suite, bench, tree, tests },
                timeoutMs: Math.max(1, deadline - performance.now()),
              });
        return {
          result: { runs: ran, ...(asked === undefined ? {} : { contradicted: asked }) },
          isCut: performance.now() >= deadline,
        };
      } finally {
        if (open === undefined) await bench.close();
      }
    },
  );
  const predicate = judgeConfirmation(claim, runs, framework.varies, contradicted);
  return { predicate, hasCanaries: runs.some(({ canary }) => canary === "held") };
}

export interface Confirmed {
  readonly predicate: Predicate;
  readonly hasCanaries: boolean;
}

interface Round {
  readonly tree: string;
  readonly patched: boolean;
  readonly varied: boolean;
}

/** Without the patch, with it, and both again. */
function rounds({ without, patched }: Claim): Round[] {
  return [false, true].flatMap((varied) => [
    ...(without === undefined ? [] : [{ tree: without, patched: false, varied }]),
    ...(patched === undefined ? [] : [{ tree: patched, patched: true, varied }]),
  ]);
}

interface Place {
  readonly bench: TestBench;
  readonly framework: TestFramework;
  readonly deadline: number;
}

async function runRounds(context: ConfirmContext, claim: Claim, place: Place): Promise<ConfirmingRun[]> {
  const words = { file: makeWord(), fails: makeWord(), passes: makeWord() };
  const runs: ConfirmingRun[] = [];
  let withCanary = place.framework.canary !== undefined;
  for (const round of rounds(claim)) {
    let run = await runRound(context, claim, round, { ...place, words: withCanary ? words : undefined });
    // One that was never seen to work may be in the way of the others. Without the patch nothing may build, whatever it is beside.
    const isUseless = run.canary === "missing" || (run.canary === "broken" && round.patched);
    if (isUseless && !runs.some(({ canary }) => canary === "held")) {
      withCanary = false;
      run = await runRound(context, claim, round, { ...place, words: undefined });
    }
    if (round.varied && !judgeConfirmation(claim, [...runs, run], undefined).holds)
      run =
        (await runInOrder(context, claim, round, { ...place, words: withCanary ? words : undefined })) ?? run;
    runs.push(run);
    if (judgeConfirmation(claim, runs, undefined).holds) continue;
    break;
  }
  return runs;
}

/** Tests beside the claimed ones that are asked whether they depend on their order. */
const mostNeighbours = 100;

/**
 * The round in the usual order, where the order is to blame for how the varied one ended: without the patch the same tests end as before,
 * or others of their files end otherwise when they are varied. Undefined where the patch is to blame.
 */
async function runInOrder(
  context: ConfirmContext,
  claim: Claim,
  round: Round,
  place: Place & { readonly words: Words | undefined },
): Promise<ConfirmingRun | undefined> {
  const run = await runRound(context, claim, { ...round, varied: false }, place);
  if (round.patched && !(await dependOnOrder(context, claim, place))) return undefined;
  return { ...run, varied: true, inOrder: true };
}

async function dependOnOrder(context: ConfirmContext, claim: Claim, place: Place): Promise<boolean> {
  const own = new Set(claim.tests.map(formatTestKey));
  const targets = new Set(claim.tests.map(({ target }) => target));
  const tests = context.suite.outcomes
    .filter(
      ({ key, status }) => status === "passed" && targets.has(key.target) && !own.has(formatTestKey(key)),
    )
    .map(({ key }) => key)
    .slice(0, mostNeighbours);
  if (tests.length === 0) return false;
  const tree = claim.without ?? context.workspace.base;
  const asked = { ...claim, tests };
  const run = (varied: boolean): Promise<ConfirmingRun> =>
    runRound(context, asked, { tree, patched: false, varied }, { ...place, words: undefined });
  const [usual, varied] = [await run(false), await run(true)];
  return usual.outcomes.some(
    ({ status }, index) => status === "passed" && varied.outcomes[index]?.status !== "passed",
  );
}

type Words = CanaryRequest["words"];

async function runRound(
  { workspace: { trees }, suite }: ConfirmContext,
  { tests }: Claim,
  { tree, patched, varied }: Round,
  { bench, framework, deadline, words }: Place & { readonly words: Words | undefined },
): Promise<ConfirmingRun> {
  const canary =
    words === undefined ? undefined : await placeCanary(trees, framework, { tree, tests, words });
  const added = canary === undefined ? [] : [canary.fails, canary.passes];
  const { report } = await bench.run(suite.command, {
    tree: canary === undefined ? tree : await trees.write(tree, [canary.file]),
    selection: { kind: "tests", tests: [...tests, ...added] },
    testTimeoutMs: testTimeoutOf(suite),
    timeoutMs: Math.max(1, deadline - performance.now()),
    varied,
  });
  const { outcomes, invalid } = report;
  return {
    patched,
    varied,
    outcomes: tests.map((key) => ({ key, status: findStatus(outcomes, key) })),
    ...(invalid === undefined ? {} : { invalid: withoutWords(invalid, words) }),
    canary:
      canary === undefined
        ? "none"
        : judgeCanary(findStatus(outcomes, canary.fails), findStatus(outcomes, canary.passes)),
  };
}

function judgeCanary(fails: string, passes: string): ConfirmingRun["canary"] {
  if (fails === "failed" && passes === "passed") return "held";
  if (fails === "not-run") return "missing";
  return fails === "failed" || fails === "errored" ? "broken" : "wrong";
}

interface Wanted {
  readonly tree: string;
  readonly tests: Claim["tests"];
  readonly words: Words;
}

async function placeCanary(
  trees: TreeStore,
  { canary }: TestFramework,
  { tree, tests, words }: Wanted,
): Promise<Canary | undefined> {
  const [beside] = tests;
  if (canary === undefined || beside === undefined) return undefined;
  const files = (await trees.list(tree)).map(({ path }) => path);
  const read = async (path: string): Promise<string | undefined> =>
    (await trees.read(tree, path))?.toString("utf8");
  return canary({ beside, files, read, words });
}

/** A letter, so that it is a name in every language, and small, so that it is one on every file system. */
function makeWord(): string {
  return Array.from({ length: 10 }, () => String.fromCharCode(97 + randomInt(26))).join("");
}

/** What is recorded, and may be shown, is the same in each run. */
function withoutWords(text: string, words: Words | undefined): string {
  if (words === undefined) return text;
  const any = new RegExp([words.file, words.fails, words.passes].join("|"), "gi");
  return text.replaceAll(any, "canary");
}
