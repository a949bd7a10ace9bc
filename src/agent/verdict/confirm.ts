/**
 * The confirming run repeats a verdict's evidence in a different way. It uses a fresh sandbox and a fresh checkout, in
 * which no patch ran before. The deciding tests run alone, four times, next to a test that must fail and one that must
 * pass:
 *
 * 1. Without the patch: they fail. This run also builds the caches, and shows that the canaries work where no patch can
 *    reach them.
 * 2. With the patch, varied as the framework allows, and in a person's surroundings: they pass.
 * 3. Without the patch, varied and in the same surroundings as run 2: they fail. If a test began to pass at a certain
 *    time, or because of files from an earlier run, it passes here too. This exposes the test.
 * 4. With the patch, in the usual order: tests with a visible equality expect another value and must fail. The others
 *    pass.
 *
 * So each test passes and fails on the same patched tree, depending only on its expectation. A second unchanged run of
 * these tests would add little. Before run 1, they passed in the usual order, in the run that chose the patch. Passes
 * and failures therefore alternate anyway. The changed tests need a separate start, in which they replace the real
 * ones. A copy next to the real tests would leave the true value within reach of a patch that reads tests. If such a
 * start proves nothing, Millwright repeats run 4 with unchanged tests.
 *
 * If the exit code of a C or C++ program decides a test, Millwright adds two runs. The first shows that the test reaches
 * the program's end. In the other run, the program expects other values.
 */

import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import type { Predicate } from "../../domain/gate.ts";
import { formatTestKey, isFailing, passedKeys } from "../../domain/test-outcome.ts";
import { findFramework } from "../../languages/find-framework.ts";
import { isForeignFile, isSourceFile } from "../../languages/source-files.ts";
import { missingParts, surroundingsBeside } from "../../workspace/surroundings.ts";
import type { Claim } from "../kinds/contract.ts";
import { usualTimeOf } from "../measure/measure-suite.ts";
import { openTestExecutor } from "../measure/test-executor.ts";
import { cutSchema, limitedStep } from "../record/limited-step.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite, TestExecutor } from "../suite.ts";
import {
  makeWord,
  measureRound,
  type Place,
  type Round,
  runOtherwise,
  runRound,
} from "./confirming-round.ts";
import type { Failures } from "./contradict.ts";
import {
  type ConfirmingRun,
  confirmingRunSchema,
  judgeConfirmation,
  listChanges,
  listDoubts,
} from "./judge-confirmation.ts";
import { findPrograms, runContradicted, runUnfinished } from "./unfinished.ts";

export interface ConfirmContext
  extends Pick<StrategyContext, "workspace" | "frameworks" | "signal" | "recorder" | "limits"> {
  readonly suite: Pick<Suite, "command" | "outcomes" | "durationMs" | "own">;
}

const confirmationSchema = z.object({
  runs: z.array(confirmingRunSchema),
  ...cutSchema,
});

/**
 * A run's time limit: a multiple of the suite's time on the base, plus milliseconds. The first run builds everything
 * from scratch.
 */
const patience = { factor: 3, ms: 180_000 };

/**
 * Confirms a verdict, as a recorded step. No record, and thus no prompt, contains the canary tests' names. `open`
 * returns a fresh checkout that the caller closes. Without `open`, `confirm` opens and closes a checkout itself.
 */
export async function confirm(
  context: ConfirmContext,
  claim: Claim,
  open?: () => Promise<TestExecutor>,
): Promise<Confirmed> {
  const { frameworks, suite, workspace, signal } = context;
  const framework = findFramework(frameworks, suite.command);
  const trees = rounds(claim).map(({ tree }) => tree);
  const options = {
    key: `confirm:${hashText(JSON.stringify([trees, claim.tests.map(formatTestKey)]))}`,
    title: "confirm in a fresh sandbox",
    schema: confirmationSchema,
    large: true,
    usualMs: trees.length * (patience.factor * usualTimeOf(suite) + patience.ms),
  };
  const { runs, cutMs } = await limitedStep<z.infer<typeof confirmationSchema>>(
    context,
    options,
    async (timeMs) => {
      const executor = await (open?.() ?? openTestExecutor(workspace, frameworks, signal));
      try {
        const deadline = performance.now() + timeMs;
        const ran = await runRounds(context, claim, { executor, framework, deadline });
        return { result: { runs: ran }, isCut: performance.now() >= deadline };
      } finally {
        if (open === undefined) await executor.close();
      }
    },
  );
  const predicate = judgeConfirmation(claim, runs, framework.varies, framework.withoutCanary);
  const isCut = !predicate.holds && cutMs !== undefined;
  return {
    predicate: isCut ? { ...predicate, isCut } : predicate,
    hasCanaries: runs.some(({ canary }) => canary === "held"),
    exitCodeDecides: framework.exitCodeDecides === true,
    doubts: listDoubts(runs),
  };
}

export interface Confirmed {
  readonly predicate: Predicate;
  readonly hasCanaries: boolean;
  readonly exitCodeDecides: boolean;
  /** The doubts, each as the end of a sentence that begins with "the patch". */
  readonly doubts: readonly string[];
}

const surroundings = surroundingsBeside([]);

/** Lists the rounds for a claim. Omits the rounds of a side that the claim lacks. */
function rounds({ without, patched }: Claim): Round[] {
  const on = (tree: string | undefined, round: Omit<Round, "tree">): Round[] =>
    tree === undefined ? [] : [{ tree, ...round }];
  return [
    ...on(without, { patched: false, varied: false }),
    ...on(patched, { patched: true, varied: true, surroundings }),
    ...on(without, { patched: false, varied: true, surroundings }),
    ...on(patched, { patched: true, varied: false, otherwise: true }),
  ];
}

async function runRounds(
  context: ConfirmContext,
  claim: Claim,
  executor: Omit<Place, "words">,
): Promise<ConfirmingRun[]> {
  const words = { file: makeWord(), fails: makeWord(), passes: makeWord() };
  const runs: ConfirmingRun[] = [];
  let place: Place = { ...executor, words: executor.framework.canary === undefined ? undefined : words };
  let own: Promise<OwnChanges> | undefined;
  const withoutKnown = async (run: ConfirmingRun): Promise<ConfirmingRun> => {
    if (listChanges([...runs, run]).length === 0) return run;
    own ??= listOwnChanges(context, claim, place);
    return withoutOwn(run, await own);
  };
  const measure = async (round: Round): Promise<ConfirmingRun> =>
    withoutKnown(await runRound(context, claim, round, place));
  const programs = await findPrograms(context, claim, place);
  let failures: Failures = new Map();
  for (const round of rounds(claim)) {
    const asked =
      round.otherwise === true
        ? await runOtherwise(context, claim, { ...round, place, failures })
        : undefined;
    const measured = asked === undefined ? await measureRound(context, claim, round, place) : { run: asked };
    if ("failures" in measured && !round.patched && failures.size === 0) failures = measured.failures;
    let run = await withoutKnown(measured.run);
    // Canaries that never worked may disturb other tests. Without the patch, the build may fail with or without
    // canaries.
    const isUseless = run.canary === "missing" || (run.canary === "broken" && round.patched);
    if (isUseless && asked === undefined && !runs.some(({ canary }) => canary === "held")) {
      place = { ...place, words: undefined };
      run = await measure(round);
    }
    if (round.varied && !isTampered(runs, run) && !holdsAfter(claim, runs)(run))
      run = await runInOrder(context, claim, { round, place, before: runs, run, measure });
    runs.push(run);
    if (!judgeConfirmation(claim, runs, undefined).holds) return runs;
  }
  if (programs === undefined || claim.patched === undefined) return runs;
  for (const rerun of [runUnfinished, runContradicted]) {
    const last = await rerun(context, claim.patched, programs, place);
    if (last !== undefined) runs.push(await withoutKnown(last));
    if (!judgeConfirmation(claim, runs, undefined).holds) return runs;
  }
  return runs;
}

/** True if no repetition can restore the trust in a run: a test that must fail passed, or the patch changed the judges. */
function isTampered(before: readonly ConfirmingRun[], run: ConfirmingRun): boolean {
  return run.canary === "wrong" || listChanges([...before, run]).length > 0;
}

/** The project's own changes; undefined without a run to compare with. */
type OwnChanges = readonly string[] | undefined;

function withoutOwn(
  { frameworkChanges, dataChanges, ...run }: ConfirmingRun,
  own: OwnChanges,
): ConfirmingRun {
  const [framework, data] = [frameworkChanges, dataChanges].map((changes = []) =>
    own === undefined ? [] : changes.filter((change) => !own.includes(change)),
  );
  return {
    ...run,
    ...(framework?.length ? { frameworkChanges: framework } : {}),
    ...(data?.length ? { dataChanges: data } : {}),
  };
}

/**
 * Lists the changes that the project itself makes in the test framework, in the library and in the tests' data. Passing
 * tests of the base, or else failing ones, show these changes in a separate checkout, in which no patch ran, in both
 * conditions of the rounds. Chooses at most `mostNeighbours` tests, those in the deciding tests' files first. Runs only
 * if the rounds without the patch do not explain a change, for example because their code fails early or does not build.
 */
async function listOwnChanges(context: ConfirmContext, claim: Claim, place: Place): Promise<OwnChanges> {
  const { workspace, frameworks, suite, signal } = context;
  const targets = new Set(claim.tests.map(({ target }) => target));
  const passed = passedKeys(suite.outcomes);
  const failing = suite.outcomes.flatMap(({ key, status }) =>
    isFailing(status) && key.name !== "" ? [key] : [],
  );
  const tests = (passed.length > 0 ? passed : failing)
    .sort((one, other) => Number(targets.has(other.target)) - Number(targets.has(one.target)))
    .slice(0, mostNeighbours);
  if (tests.length === 0) return claim.without === undefined ? undefined : [];
  const asked = { ...claim, tests };
  const round = { tree: workspace.base, patched: false, own: true } as const;
  const executor = await openTestExecutor(workspace, frameworks, signal);
  const changes: string[] = [];
  try {
    for (const conditions of [{ varied: false }, { varied: true, surroundings }]) {
      const own = { ...round, ...conditions };
      const run = await runRound(context, asked, own, { ...place, executor, words: undefined });
      changes.push(...(run.frameworkChanges ?? []), ...(run.dataChanges ?? []));
    }
    return changes;
  } finally {
    await executor.close();
  }
}

/** Maximum number of other tests to check for dependence on their order, or for changes that they make. */
const mostNeighbours = 100;

interface Ended {
  readonly round: Round;
  readonly place: Place;
  readonly before: readonly ConfirmingRun[];
  readonly run: ConfirmingRun;
  /** Runs a round. Omits the project's own changes. */
  readonly measure: (round: Round) => Promise<ConfirmingRun>;
}

/** Tells whether the runs so far and a further run do not contradict the verdict. */
const holdsAfter =
  (claim: Claim, before: readonly ConfirmingRun[]) =>
  (run: ConfirmingRun): boolean =>
    judgeConfirmation(claim, [...before, run], undefined).holds;

/**
 * Repeats the round in the usual order and in a bare environment. Returns the repetition if it contradicts the verdict,
 * too. If only the surroundings make the difference, repeats the round in fewer surroundings. Otherwise the repetition
 * replaces the round, because the tests depend on their order. With the patch, this requires that other tests of the
 * same files depend on the order without the patch; otherwise the round counts as it is.
 */
async function runInOrder(context: ConfirmContext, claim: Claim, ended: Ended): Promise<ConfirmingRun> {
  const { round, place, before, run, measure } = ended;
  const { surroundings: _, ...bare } = round;
  const holds = holdsAfter(claim, before);
  const usual = await measure({ ...bare, varied: false });
  if (!holds(usual)) return usual;
  if (round.patched && round.surroundings !== undefined && holds(await measure(bare)))
    return runElsewhere(context, claim, ended);
  if (round.patched && !(await dependOnOrder(context, claim, place))) return run;
  return { ...usual, varied: true, inOrder: true };
}

/**
 * Repeats the round without the surroundings that the base's own files or the command mention, if any: those may
 * decide. If the round still fails, runs it once more, because the failure may be chance.
 */
async function runElsewhere(
  context: ConfirmContext,
  claim: Claim,
  { round, before, run, measure }: Ended,
): Promise<ConfirmingRun> {
  const left = surroundingsBeside(await readBase(context, claim));
  const excused = missingParts(surroundings, left);
  const holds = holdsAfter(claim, before);
  const repeat = () => measure({ ...round, surroundings: left });
  const less = excused.length > 0 ? await repeat() : run;
  if (holds(less)) return { ...less, excused };
  const again = await repeat();
  return holds(again) ? { ...less, byChance: true } : { ...again, elsewhere: true };
}

/** Maximum number of files, and of bytes in a file. */
const most = { files: 2_000, bytes: 200_000 };
/** Documents for people. A word in them does not show that code uses it. */
const document =
  /\.(?:md|markdown|rst|adoc|txt|html?|svg|po|lock)$|(?:^|\/)(?:LICEN[CS]E|CHANGES|CHANGELOG|NEWS|README)$/i;

/**
 * Returns the command and the base's text files, except documents and foreign files: first the deciding tests, then
 * sources.
 */
async function readBase({ workspace, suite }: ConfirmContext, { tests }: Claim): Promise<string[]> {
  const { trees, base } = workspace;
  const targets = new Set(tests.map(({ target }) => target));
  const rank = (path: string): number => (targets.has(path) ? 0 : isSourceFile(path) ? 1 : 2);
  const files = (await trees.list(base))
    .map(({ path }) => path)
    .filter((path) => targets.has(path) || !(isForeignFile(path) || document.test(path)))
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, most.files);
  const texts = [suite.command.command];
  for (const path of files) {
    const content = await trees.read(base, path);
    if (content !== undefined && content.length <= most.bytes && !content.includes(0))
      texts.push(content.toString("utf8"));
  }
  return texts;
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
    ({ status }, index) =>
      status === "passed" && ["failed", "errored"].includes(varied.outcomes[index]?.status ?? ""),
  );
}
