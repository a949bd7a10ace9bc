/** Tasks made by faults that are put into a repository with good tests: many are tried in one start, and what is kept is seen once more plainly. */
import { z } from "zod";
import { type Mutant, mutatedText } from "../../agent/mutants/list-mutants.ts";
import { runTogether } from "../../agent/mutants/run-mutants.ts";
import type { TestBench } from "../../agent/suite.ts";
import { countOf } from "../../base/count.ts";
import { MillwrightError } from "../../base/errors.ts";
import { hashData } from "../../base/hash.ts";
import { executeJob } from "../../bench/job.ts";
import { type OpenTask, openTask, withCheckout } from "../../bench/open-task.ts";
import { withTestBench } from "../../bench/protocols/measuring-bench.ts";
import type { TestPlan, TimedRun } from "../../bench/task-tests.ts";
import { formatTestKey, type TestKey, testOutcomeSchema } from "../../domain/test-outcome.ts";
import { linesOfSpans, readTestRegions } from "../../judging/test-regions.ts";
import { runGit } from "../../workspace/git.ts";
import {
  type Candidate,
  type Change,
  drop,
  keep,
  type Outcome,
  type Split,
  validationSchema,
} from "../contract.ts";
import { mainLanguage } from "../history.ts";
import type { HistoryTrees } from "../history-trees.ts";
import { judgeStates } from "../judge-states.ts";
import { readProject, readVersion } from "../project-at.ts";
import { listRecipes, type Recipe } from "../recipes.ts";
import { patchKey } from "../review/duplicates.ts";
import { judgeLeakage } from "../review/leakage.ts";
import type { MineRequest } from "../settings.ts";
import { taskOf } from "../validate.ts";
import { describeFailures } from "./describe-failure.ts";
import { hideTests } from "./hide-tests.ts";
import { listFaults } from "./list-faults.ts";

export interface SeedRequest extends Omit<MineRequest, "onStep"> {
  readonly trees: HistoryTrees;
  /** Tasks that are wanted. */
  readonly count: number;
  note(id: string, key: string, outcome: Outcome<unknown>, language: string): void;
}

interface Suite {
  readonly open: OpenTask;
  readonly recipe: Recipe;
  readonly plan: TestPlan;
  readonly run: TimedRun;
  readonly change: Change;
  readonly version: string;
}

const none: Split = {
  ...{ goldPatch: "", testPatch: "", codeFiles: [], testFiles: [], mixedFiles: [] },
  ...{ hunks: 0, lines: 0 },
};

/** The newest commit's faults that its tests catch. Throws MillwrightError, and AbortError. */
export async function seedTasks(request: SeedRequest): Promise<Candidate[]> {
  const suite = await openSuite(request);
  try {
    return await withTestBench(suite.open, (bench) => seedInto(request, suite, bench));
  } finally {
    await suite.open.close();
  }
}

/** The first recipe with which most of the newest commit's tests pass. */
async function openSuite({ settings, trees, options }: SeedRequest): Promise<Suite> {
  const { gitDirectory, repository, given } = settings;
  const head = await runGit({ gitDirectory, arguments: ["log", "-1", "--format=%H %cI", "HEAD"] });
  const [commit = "", date = ""] = head.stdout.toString("latin1").trim().split(" ");
  const project = await readProject(trees.store, await trees.treeOf(commit));
  const language = mainLanguage(project.files);
  const change: Change = {
    ...{ id: "seeded", repository, base: commit, commit, date, subject: "", foundBy: "seeded", issues: [] },
    ...{ statement: "", statementFrom: "failure", language, code: 1 },
  };
  const version = await readVersion(gitDirectory, commit);
  const isGiven = given.setup !== undefined || given.testCommand !== undefined;
  const recipes = isGiven ? [{ name: "as it was given", ...given }] : listRecipes(project, language, date);
  const told: string[] = [];
  for (const recipe of recipes) {
    const tried = await tryRecipe(recipe);
    if (typeof tried !== "string") return { ...tried, recipe, change, version };
    told.push(`${recipe.name}: ${tried}`);
  }
  throw new MillwrightError(
    "repository",
    `No environment was found in which its tests pass: ${told.join("; ")}`,
    {
      hint: "Give one with --setup and --test-command.",
    },
  );

  async function tryRecipe(recipe: Recipe): Promise<Pick<Suite, "open" | "plan" | "run"> | string> {
    let open: OpenTask | undefined;
    try {
      open = await openTask(taskOf({ change, split: none, version }, recipe), options);
      const own = open;
      const plan = await withCheckout(own, (checkout) => own.plan(checkout));
      const run = await withCheckout(own, (checkout) => own.run(checkout, own.trees.base, plan));
      const passed = run.outcomes.filter(({ status }) => status === "passed").length;
      if (passed > 0 && passed * 2 > run.outcomes.length) return { open: own, plan, run };
      await own.close();
      return `${passed} of ${countOf(run.outcomes.length, "test")} pass`;
    } catch (error) {
      await open?.close();
      if (!(error instanceof MillwrightError) || options.signal.aborted) throw error;
      return error.message.slice(0, 300);
    }
  }
}

/** Faults that are looked at for each task that is wanted: many are noticed by no test. */
const faultsPerTask = 4;
const chunkSize = 40;
/** Milliseconds for a chunk. */
const chunkMs = 10 * 60_000;
const mostTests = 2000;

const noticedSchema = z.array(
  z.object({ at: z.int(), told: z.enum(["noticed", "unbuildable"]), failing: z.array(testOutcomeSchema) }),
);
type Noticed = z.infer<typeof noticedSchema>;

async function seedInto(request: SeedRequest, suite: Suite, bench: TestBench): Promise<Candidate[]> {
  const { count, settings } = request;
  const { trees } = suite.open.workspace;
  const tree = suite.open.trees.base;
  const files = (await trees.list(tree)).map(({ path }) => path);
  const read = async (path: string) => (await trees.read(tree, path))?.toString("utf8");
  const { run, plan } = suite;
  const regions = await readTestRegions({ files, read, outcomes: run.outcomes, framework: plan.framework });
  const isTest = async (path: string, text: string) => {
    const lines = linesOfSpans(text, await regions.spansIn(path, text));
    return (line: number): boolean => lines.has(line);
  };
  const faults = await listFaults({ store: trees, tree, isTest }, count * faultsPerTask, settings.seed);
  const kept: Candidate[] = [];
  for (let start = 0; start < faults.length && kept.length < count; start += chunkSize) {
    const chunk = faults.slice(start, start + chunkSize);
    for (const { at, told, failing } of await observe(request, suite, bench, chunk)) {
      const fault = chunk[at];
      if (fault === undefined || told !== "noticed" || kept.length >= count) continue;
      const candidate = await makeTask(request, suite, fault, failing);
      if (candidate !== undefined) kept.push(candidate);
    }
  }
  return kept;
}

/** What tests say of the faults of a chunk, all in one start. */
async function observe(
  { store, options, conditions }: SeedRequest,
  { open, plan, run }: Suite,
  bench: TestBench,
  chunk: readonly Mutant[],
): Promise<Noticed> {
  const tests = run.outcomes
    .filter(({ status }) => status === "passed")
    .slice(0, mostTests)
    .map(({ key }) => key);
  const {
    trees: { base: tree },
    workspace,
  } = open;
  const { batch } = plan.framework;
  const { result } = await executeJob<Noticed>(
    {
      key: hashData([
        "mine-faults",
        tree,
        chunk.map((each) => [each.file, each.start, each.end, each.replacement]),
        conditions,
      ]),
      kind: { schema: "millwright.mine-faults/1", type: noticedSchema },
      async execute() {
        if (batch === undefined) return chunk.map((_, at) => ({ at, told: "noticed" as const, failing: [] }));
        const on = {
          ...{ bench, trees: workspace.trees, command: plan.command, framework: plan.framework },
          ...{ testTimeoutMs: faultTimeoutOf(run), durationMs: run.seconds * 1000 },
        };
        const found = await runTogether(
          on,
          { tree, tests, mutants: chunk },
          batch,
          performance.now() + chunkMs,
        );
        return [...found].map(([id, { told, failing }]) => ({ at: id - 1, told, failing: [...failing] }));
      },
      isFinal: () => true,
      onError: () => [],
    },
    store,
    options.signal,
  );
  return result;
}

/** Many faults make a loop endless: each test gets what it needed, ten times over, and a few seconds. */
function faultTimeoutOf({ outcomes }: TimedRun): number {
  return 3_000 + 10 * Math.max(0, ...outcomes.map(({ durationMs }) => durationMs));
}

const seededSchema = z.object({
  statement: z.string(),
  basePatch: z.string(),
  goldPatch: z.string(),
  testPatch: z.string(),
  testFiles: z.array(z.string()),
  validation: validationSchema,
});
type Seeded = z.infer<typeof seededSchema>;

async function makeTask(
  request: SeedRequest,
  suite: Suite,
  fault: Mutant,
  failing: Noticed[number]["failing"],
): Promise<Candidate | undefined> {
  const { store, options, conditions, settings } = request;
  const { change } = suite;
  const { file, start, end, replacement } = fault;
  const name = settings.repository.replaceAll("/", "__").replaceAll(/[^\w.+@-]/g, "-");
  const id = `${name}-fault-${hashData([change.commit, file, start, end, replacement]).slice(0, 10)}`;
  const key = hashData(["mine-seeded", change.commit, file, start, end, replacement, conditions]);
  const { result } = await executeJob<Outcome<Seeded>>(
    {
      key,
      kind: { schema: "millwright.mine-seeded/1", type: seededOutcome },
      execute: () => trySeed(suite, fault, failing),
      isFinal: ({ verdict }) => verdict !== "error",
      onError: (detail) => ({ verdict: "error", cause: "infrastructure", detail }),
    },
    store,
    options.signal,
  );
  const language = change.language;
  request.note(id, key, result, language);
  if (result.verdict !== "kept") return undefined;
  const { statement, validation, basePatch, goldPatch, testPatch, testFiles } = result.value;
  const split: Split = {
    ...{ basePatch, goldPatch, testPatch, testFiles, codeFiles: [file], mixedFiles: [], hunks: 1, lines: 2 },
  };
  const own: Change = { ...change, id, statement, subject: statement.split("\n")[0] ?? "" };
  const leakage = judgeLeakage(own, split);
  if (leakage.isBad) {
    request.note(id, `${key} review`, drop("leakage", leakage.reason), language);
    return undefined;
  }
  const review = {
    type: "bug-fix" as const,
    score: leakage.score,
    findings: [leakage],
    patchKey: patchKey(split),
  };
  return { change: own, split, validation, review };
}

const seededOutcome = z.union([
  z.object({ verdict: z.literal("kept"), value: seededSchema }),
  z.object({ verdict: z.enum(["dropped", "error"]), cause: z.string(), detail: z.string() }),
]);

/** A fault that fails more of the tests than this breaks the program, and is found at once. */
const mostShare = 0.3;

/** The whole suite with the fault, plainly: its lists are what was seen then. */
async function trySeed(
  { open, plan, run, recipe }: Suite,
  fault: Mutant,
  failing: Noticed[number]["failing"],
): Promise<Outcome<Seeded>> {
  const started = performance.now();
  const { trees } = open.workspace;
  const clean = open.trees.base;
  if (failing.length > Math.max(5, mostShare * run.outcomes.length))
    return drop("breaks-most", `${countOf(failing.length, "test")} fail with it`);
  const faulty = await trees.write(clean, [{ path: fault.file, content: mutatedText(fault) }]);
  const limitMs = Math.max(30_000, run.seconds * 5000);
  const withFault = await withCheckout(open, (checkout) => open.run(checkout, faulty, plan));
  if (withFault.seconds * 1000 > limitMs) return drop("hangs", "its tests take more than five times as long");
  const judged = judgeStates({ base: [run], tests: [withFault], gold: [run] }, () => false);
  if (judged.verdict !== "kept") return judged;
  const { lists, failures } = judged.value;
  if (Object.values(failures).every((kind) => kind === "does-not-build"))
    return drop("does-not-build", "its tests do not load or build");
  const caught = new Set(lists.failToPass);
  const outcomes = withFault.outcomes.filter(({ key }) => caught.has(formatTestKey(key)));
  const statement = await describeFailures(trees, clean, outcomes);
  if (statement === undefined) return drop("says-nothing", "no failure tells what was expected");
  if (tellsPlace(statement, fault)) return drop("tells-place", "its statement names the file");
  const keys: TestKey[] = outcomes.map(({ key }) => key);
  const hidden = await hideTests(trees, clean, keys);
  if (hidden === undefined) return drop("not-hidden", "the tests that catch it cannot be taken out");
  const base = await trees.write(faulty, hidden);
  const fixed = await trees.write(clean, hidden);
  const left = await withCheckout(open, (checkout) => open.run(checkout, base, plan));
  if (left.invalid !== undefined && left.outcomes.some(({ key }) => key.name === ""))
    return drop("not-hidden", `without its tests the suite does not load: ${left.invalid}`);
  return keep({
    statement,
    basePatch: await trees.diff(clean, base),
    goldPatch: await trees.diff(base, fixed),
    testPatch: await trees.diff(base, faulty),
    testFiles: hidden.map(({ path }) => path),
    validation: {
      ...(recipe.setup === undefined ? {} : { setup: recipe.setup }),
      testCommand: recipe.testCommand ?? plan.command.command,
      framework: plan.framework.name,
      ...{ runFiles: [], lists, failures: { ...failures }, attempts: [], repeats: ["plain"], notes: [] },
      seconds: (performance.now() - started) / 1000,
    },
  });
}

function tellsPlace(statement: string, { file }: Mutant): boolean {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return statement.includes(name);
}
