/**
 * Runs a change's tests before and after its fix in a separate environment. Ends once it is clear whether the change
 * makes a task.
 */
import { countOf } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import { layPatch } from "../bench/graded-tree.ts";
import passAndFail from "../bench/graders/pass-and-fail.ts";
import { type GradingOptions, type OpenTask, openTask, withCheckout } from "../bench/open-task.ts";
import { findTouchedTests, type RunVariation, type TestPlan, type TimedRun } from "../bench/task-tests.ts";
import type { TestOutcome } from "../domain/test-outcome.ts";
import type { ProjectView } from "../languages/contract.ts";
import {
  type Attempt,
  type Change,
  drop,
  keep,
  type Outcome,
  type Split,
  type Validation,
} from "./contract.ts";
import { type JudgedStates, judgeStates, judgeWithoutBase, type StateRuns } from "./judge-states.ts";
import { listRecipes, type Recipe } from "./recipes.ts";
import { shiftedDate } from "./shifted-date.ts";

export interface ValidateRequest {
  readonly change: Change;
  readonly split: Split;
  /** The project's files on the base. */
  readonly project: ProjectView;
  /** The project's version at the base, from its tags; "" if unknown. */
  readonly version: string;
  readonly options: GradingOptions;
  /**
   * Time limit for one run of all tests, in milliseconds. If the tests take longer, only the changed test files run.
   */
  readonly suiteLimitMs: number;
  /** The user's own environment. If it is given, Millwright tries no other. */
  readonly given: Pick<Recipe, "setup" | "testCommand">;
  /** The recipe that worked for an earlier change. Millwright tries it first. */
  readonly preferred?: string | undefined;
}

/** The states of one recipe, with their test plan. */
interface Tried {
  readonly recipe: Recipe;
  readonly outcome: Outcome<Validation>;
  /** True if tests ran on the base, and most pass with the fix. */
  readonly isHealthy: boolean;
  /** The command that ran the tests; "" if no tests ran. */
  readonly command: string;
  readonly seconds: number;
}

type Judged = Pick<Tried, "outcome" | "isHealthy" | "command">;

/**
 * Tries one environment recipe after another, until test results decide whether the change becomes a task. Skips a
 * recipe that cannot build its environment. If no recipe decides, returns the first infrastructure error: the recipe
 * may work later. Throws AbortError if the signal stops it.
 */
export async function validateChange(request: ValidateRequest): Promise<Outcome<Validation>> {
  const attempts: Attempt[] = [];
  let last: Outcome<Validation> = drop("never-built", "no recipe builds the change's environment");
  let failed: Outcome<Validation> | undefined;
  for (const recipe of orderRecipes(request)) {
    const tried = await tryRecipe(request, recipe);
    attempts.push(describeAttempt(tried));
    if (tried.outcome.verdict === "kept") return keep({ ...tried.outcome.value, attempts });
    // The first recipe with which tests ran gives the best reason.
    if (tried.isHealthy || last.verdict !== "dropped" || attempts.length === 1) last = tried.outcome;
    if (tried.isHealthy && !mayHaveRunCopy(tried)) {
      failed = undefined;
      break;
    }
    if (tried.outcome.verdict === "error") failed ??= tried.outcome;
  }
  last = failed ?? last;
  if (last.verdict === "kept") throw new Error("the loop over the recipes continued after a kept outcome");
  const told = attempts.map(({ recipe, outcome }) => `${recipe}: ${outcome}`).join("; ");
  return { ...last, detail: attempts.length > 1 ? `${last.detail} (tried: ${told})` : last.detail };
}

/**
 * Causes if the tests run an unchanged copy: the changed tests then fail with the fix. If one of them passed before,
 * the cause is `regression`.
 */
const withoutEffect = new Set(["no-fail-to-pass", "regression"]);

/** True if the fix had no effect, perhaps because the tests ran an installed copy of the project. */
function mayHaveRunCopy({ recipe, outcome, command }: Tried): boolean {
  const hasNoEffect = outcome.verdict === "dropped" && withoutEffect.has(outcome.cause);
  return hasNoEffect && recipe.mayRunCopy === true && !/\bPYTHONPATH=/.test(command);
}

function orderRecipes({ change, project, given, preferred }: ValidateRequest): readonly Recipe[] {
  if (given.setup !== undefined || given.testCommand !== undefined)
    return [{ name: "the given environment", ...given }];
  const all = listRecipes(project, change.language, change.date);
  const plain = (name: string): string => name.replace(/ as of .*$/, "");
  const first = all.filter(({ name }) => preferred !== undefined && plain(name) === plain(preferred));
  return [...first, ...all.filter((recipe) => !first.includes(recipe))];
}

function describeAttempt({ recipe, outcome, seconds }: Tried): Attempt {
  const works = outcome.verdict === "kept";
  return {
    recipe: recipe.name,
    ...(recipe.setup === undefined ? {} : { setup: recipe.setup }),
    outcome: works ? "works" : outcome.detail,
    works,
    seconds,
  };
}

async function tryRecipe(request: ValidateRequest, recipe: Recipe): Promise<Tried> {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  try {
    const open = await openTask(taskOf(request, recipe), request.options);
    try {
      return { recipe, ...(await runStates(request, open, recipe)), seconds: seconds() };
    } finally {
      await open.close();
    }
  } catch (error) {
    request.options.signal.throwIfAborted();
    if (!(error instanceof MillwrightError)) throw error;
    const isEnvironment = error.code === "repository" || error.code === "usage";
    const detail = error.message.slice(0, 600);
    const outcome: Outcome<Validation> = isEnvironment
      ? drop("never-built", detail)
      : { verdict: "error", cause: error.code, detail };
    return { recipe, outcome, isHealthy: false, command: "", seconds: seconds() };
  }
}

/** Makes a graded task from a change, with the given setup and test command. */
export function taskOf(
  { change, split, version }: Pick<ValidateRequest, "change" | "split" | "version">,
  { setup, testCommand }: { readonly setup?: string | undefined; readonly testCommand?: string | undefined },
): GradedTask {
  return {
    dataset: "mined",
    task: {
      id: change.id,
      kind: "repair",
      statement: change.statement,
      repository: change.repository,
      baseCommit: change.base,
      version,
    },
    environment: { setup, ...(split.basePatch === undefined ? {} : { basePatch: split.basePatch }) },
    hidden: {
      goldPatch: split.goldPatch,
      testPatch: split.testPatch,
      tests: { command: testCommand, files: [], limitMs: undefined, all: true },
      lists: undefined,
    },
    grader: passAndFail,
    place: change.commit,
  };
}

/** Causes that another environment may avoid. */
const broken = new Set(["never-built", "wrong-environment"]);

/** Runs each state once, and repeats likely tasks. */
async function runStates(request: ValidateRequest, open: OpenTask, recipe: Recipe): Promise<Judged> {
  const started = performance.now();
  const laid = await layPatch(open.workspace.trees, open.trees, request.split.goldPatch);
  if (!laid.ok) return { outcome: drop("overlap", laid.message), isHealthy: false, command: "" };
  const trees = { base: open.trees.base, tests: open.trees.tests, gold: laid.value.tree };
  const found = await withCheckout(open, (checkout) => open.plan(checkout, trees.gold));
  const { plan, gold } = await narrow(request, open, found, trees.gold);
  const { command } = plan.command;
  const isUnstable = unstableIn(request.split);
  const known = {
    gold: gold ?? (await runTree(open, trees.gold, plan)),
    tests: await runTree(open, trees.tests, plan),
  };
  const early = judgeWithoutBase(known, isUnstable);
  if (early !== undefined) return { outcome: early, isHealthy: !broken.has(early.cause), command };
  const base = await runTree(open, trees.base, plan);
  const first: StateRuns = { gold: [known.gold], tests: [known.tests], base: [base] };
  const judged = judgeStates(first, isUnstable);
  if (judged.verdict !== "kept") return { outcome: judged, isHealthy: !broken.has(judged.cause), command };
  const { varies } = plan.framework;
  const date = shiftedDate();
  const vary = (variation: RunVariation) => runStatesOnce(open, trees, { ...plan, variation });
  const runs = [first, await vary({ varied: true }), await vary(date.variation)];
  const whole = judgeStates(joinRuns(runs), isUnstable);
  if (whole.verdict !== "kept") return { outcome: whole, isHealthy: true, command };
  const repeats = [
    "plain",
    varies ?? `in the same order again, because ${plan.framework.name} cannot change the order of tests`,
    date.told,
  ];
  return {
    isHealthy: true,
    command,
    outcome: keep(describeValidation(request, { recipe, plan, judged: whole.value, repeats, started })),
  };
}

async function runStatesOnce(
  open: OpenTask,
  trees: Readonly<Record<keyof StateRuns, string>>,
  plan: TestPlan,
): Promise<StateRuns> {
  return {
    gold: [await runTree(open, trees.gold, plan)],
    base: [await runTree(open, trees.base, plan)],
    tests: [await runTree(open, trees.tests, plan)],
  };
}

/**
 * Runs the tests on a tree in a new checkout. Files that a run leaves in ignored folders then do not reach the next
 * run.
 */
function runTree(open: OpenTask, tree: string, plan: TestPlan): Promise<TimedRun> {
  return withCheckout(open, (checkout) => open.run(checkout, tree, plan));
}

function joinRuns(runs: readonly StateRuns[]): StateRuns {
  return {
    base: runs.flatMap(({ base }) => base),
    tests: runs.flatMap(({ tests }) => tests),
    gold: runs.flatMap(({ gold }) => gold),
  };
}

/** Chooses all tests if they are fast. Otherwise chooses the test files that the change touches, if any. */
async function narrow(
  { suiteLimitMs }: ValidateRequest,
  open: OpenTask,
  plan: TestPlan,
  tree: string,
): Promise<{ plan: TestPlan; gold: TimedRun | undefined }> {
  const gold = await runTree(open, tree, plan);
  if (gold.seconds * 1000 <= suiteLimitMs) return { plan, gold };
  const files = await findTouchedTests(open.workspace, open.trees.base, open.trees.tests);
  if (files.length === 0) return { plan, gold };
  return { plan: { ...plan, selection: { kind: "files", files } }, gold: undefined };
}

/**
 * Returns a function that recognises rustdoc examples in files that the fix changes. rustdoc names examples by their
 * lines, so a fix can change the name.
 */
export function unstableIn({ goldPatch }: Pick<Split, "goldPatch">): (test: TestOutcome) => boolean {
  const changed = new Set([...goldPatch.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, path]) => path));
  return ({ key }) => {
    const file = /^(.*?) - .*\(line \d+\)/.exec(key.name)?.[1];
    return file !== undefined && changed.has(file);
  };
}

interface Described {
  readonly recipe: Recipe;
  readonly plan: TestPlan;
  readonly judged: JudgedStates;
  readonly repeats: readonly string[];
  readonly started: number;
}

function describeValidation(
  { split }: ValidateRequest,
  { recipe, plan, judged, repeats, started }: Described,
): Validation {
  const { selection, command, framework } = plan;
  const { lists, failures, notes } = judged;
  const mixed = split.mixedFiles.length;
  return {
    ...(recipe.setup === undefined ? {} : { setup: recipe.setup }),
    testCommand: recipe.testCommand ?? commandText(command),
    framework: framework.name,
    runFiles: selection.kind === "files" ? [...selection.files] : [],
    lists,
    failures: { ...failures },
    attempts: [],
    repeats: [...repeats],
    seconds: (performance.now() - started) / 1000,
    notes: [
      ...notes,
      ...(mixed === 0 ? [] : [`${countOf(mixed, "file")} with code and tests: ${split.mixedFiles[0]}`]),
    ],
  };
}

/** Renders the command in the form of `--test-command`, for the root. */
function commandText({ directory, command }: TestPlan["command"]): string {
  return directory === "" || command.startsWith("cd ") ? command : `cd ${directory} && ${command}`;
}
