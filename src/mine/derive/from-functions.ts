/**
 * Makes tasks from functions of the newest commit. In REPOTEST, the base lacks the function's tests, and the solver
 * writes tests. In REPOCOD, the base lacks the function's body, the tests are hidden, and the solver writes the
 * function. In feature development, the base lacks both, and the solver writes both.
 */
import { z } from "zod";
import { bodiesOf, listTestBodies, type TestBody } from "../../agent/code/test-bodies.ts";
import { MillwrightError } from "../../base/errors.ts";
import { hashData, hashText } from "../../base/hash.ts";
import { executeJob } from "../../bench/job.ts";
import { coverFiles, withTestExecutor } from "../../bench/protocols/measuring-executor.ts";
import { layTargetText, readTargetText } from "../../bench/target-text.ts";
import {
  type CoveredLines,
  coveredLinesSchema,
  formatTestKey,
  passedKeys,
  type TestKey,
} from "../../domain/test-outcome.ts";
import { linesOfSpans, readTestRegions } from "../../judging/test-regions.ts";
import { isDoctest } from "../../judging/whole-files.ts";
import { languageOf } from "../../languages/source-files.ts";
import { drop, idPrefix, keep, type Outcome } from "../contract.ts";
import { isDelivered } from "../delivered.ts";
import { hideTests } from "../seed/hide-tests.ts";
import { openSuite, type Suite } from "../seed/open-suite.ts";
import { checkLeft } from "./check-left.ts";
import { type DerivedTask, type DeriveRequest, type DeriveSource, setupRules } from "./contract.ts";
import { listTestedFunctions, type TestedFunction } from "./list-functions.ts";
import { promptOf } from "./prompt-of.ts";

type RowOf = (made: Removed) => Promise<Outcome<Readonly<Record<string, unknown>>>>;

/** A function whose tests are removed from a tree. */
interface Removed {
  readonly tested: TestedFunction;
  readonly suite: Suite;
  readonly repository: string;
  /** A hash of the target, as a part of the task's id. */
  readonly number: string;
  readonly id: string;
  /** The tree without the target's tests. */
  readonly tree: string;
  readonly testCommand: string;
}

export const repotest: DeriveSource = (request) => functionsOf(request, repotestRow, () => true);
export const repocod: DeriveSource = (request) => functionsOf(request, repocodRow, isPython);
export const newFunctions: DeriveSource = (request) => functionsOf(request, featureRow, isPython);

/** True for Python's functions: only they have a form without a body that still loads. */
function isPython({ language }: TestedFunction): boolean {
  return language === "python";
}

async function* functionsOf(
  request: DeriveRequest,
  rowOf: RowOf,
  isWanted: (tested: TestedFunction) => boolean,
): ReturnType<DeriveSource> {
  const { repository } = request.settings;
  const suite = await openSuite(request);
  const { change, recipe, plan, open } = suite;
  try {
    for (const tested of (await listTested(request, suite)).filter(isWanted)) {
      const number = hashText(`${change.commit} ${tested.target}`).slice(0, 10);
      const id = `${idPrefix(repository)}-${number}`;
      yield {
        ...{ id, commit: change.commit, language: tested.language },
        async derive(): Promise<Outcome<DerivedTask>> {
          const { trees } = open.workspace;
          const changes = await hideTests(trees, open.trees.base, tested.tests);
          if (changes === undefined)
            return drop("not-hidden", `Millwright cannot remove the tests of ${tested.target}`);
          const tree = await trees.write(open.trees.base, changes);
          const testCommand = recipe.testCommand ?? plan.command.command;
          const row = await rowOf({ tested, suite, repository, number, id, tree, testCommand });
          if (row.verdict !== "kept") return row;
          const left = await checkLeft(request, suite, tree, tested.tests);
          if (left.verdict !== "kept") return left;
          return keep({ row: row.value, rules: setupRules(id, recipe.setup) });
        },
      };
    }
  } finally {
    await open.close();
  }
}

async function repotestRow({ tested, suite, repository, id, tree, testCommand }: Removed) {
  const { change, open, version } = suite;
  const { target, file } = tested;
  const symbol = target.slice(file.length + 1);
  return keep({
    ...{ instance_id: id, repo: repository, base_commit: change.commit, version, target },
    problem_statement: `Write tests for \`${symbol}\` in ${file}. Together they must execute each line of this function.`,
    removal_patch: await open.workspace.trees.diff(open.trees.base, tree),
    test_cmd: testCommand,
  });
}

async function repocodRow(removed: Removed) {
  const bodiless = await withoutBody(removed);
  if (bodiless.verdict !== "kept") return bodiless;
  const { tested, suite, repository, number, testCommand } = removed;
  const { target, file, tests } = tested;
  const { prompt, whole, base, withTests } = bodiless.value;
  const { trees } = suite.open.workspace;
  return keep({
    ...{
      repository: repocodName(repository),
      repo_id: number,
      target_module_path: file,
      function_name: target.slice(file.length + 1),
    },
    ...{ base_commit: suite.change.commit, prompt, full_function: whole },
    removal_patch: await trees.diff(suite.open.trees.base, base),
    test_patch: await trees.diff(base, withTests),
    ...{ target_tests: tests.map(formatTestKey), test_cmd: testCommand },
  });
}

async function featureRow(removed: Removed) {
  const bodiless = await withoutBody(removed);
  if (bodiless.verdict !== "kept") return bodiless;
  const { tested, suite, repository, id, tree, testCommand } = removed;
  const { target, file, tests } = tested;
  const { prompt, base, withTests } = bodiless.value;
  const { open, run, change, version } = suite;
  const { trees } = open.workspace;
  const hidden = tests.map(formatTestKey);
  const passed = passedKeys(run.outcomes).map(formatTestKey);
  return keep({
    ...{ instance_id: id, repo: repository, base_commit: change.commit, version, task_type: "feature" },
    problem_statement: `Write \`${target.slice(file.length + 1)}\` in ${file}, and tests that execute each line of it:\n\n${prompt}`,
    removal_patch: await trees.diff(open.trees.base, base),
    patch: await trees.diff(base, tree),
    test_patch: await trees.diff(base, withTests),
    FAIL_TO_PASS: hidden,
    PASS_TO_PASS: passed.filter((test) => !hidden.includes(test)),
    test_cmd: testCommand,
  });
}

interface Bodiless {
  /** The signature and the docstring. */
  readonly prompt: string;
  readonly whole: string;
  /** The tree without the function's body and without its tests. */
  readonly base: string;
  /** The tree with the function's tests, but without its body. */
  readonly withTests: string;
}

async function withoutBody({
  tested: { target },
  suite: { open },
  tree,
}: Removed): Promise<Outcome<Bodiless>> {
  const { trees } = open.workspace;
  const read = (from: string) => async (path: string) => (await trees.read(from, path))?.toString("utf8");
  const whole = await readTargetText(target, read(open.trees.base));
  const prompt = whole === undefined ? undefined : await promptOf(whole);
  if (whole === undefined || prompt === undefined)
    return drop("no-documentation", `${target} has no docstring that describes the function`);
  const lay = async (from: string): Promise<string> => {
    const laid = await layTargetText({ target, text: prompt }, read(from));
    if (!laid.ok) throw new Error(`${target} was found before: ${laid.message}`);
    return trees.write(from, [{ path: laid.value.file, content: laid.value.text }]);
  };
  return keep({ prompt, whole, base: await lay(tree), withTests: await lay(open.trees.base) });
}

/**
 * Returns a repository's name in REPOCOD's ids, which replace only one slash: `group/sub__shop` for `group/sub/shop`.
 */
export function repocodName(repository: string): string {
  return idPrefix(repository).replace("__", "/");
}

const coverageKind = {
  schema: "millwright.mine-coverage/1",
  type: z.object({ tests: z.record(z.string(), coveredLinesSchema), because: z.string().optional() }),
};

async function listTested(request: DeriveRequest, { open, plan, run }: Suite): Promise<TestedFunction[]> {
  const { store, options, conditions, settings } = request;
  const { trees } = open.workspace;
  const tree = open.trees.base;
  const all = (await trees.list(tree)).filter(({ mode }) => mode !== "120000").map(({ path }) => path);
  const read = async (path: string) => (await trees.read(tree, path))?.toString("utf8");
  const regions = await readTestRegions({
    ...{ files: all, read, outcomes: run.outcomes, framework: plan.framework },
  });
  const files = all.filter((path) => isDelivered(path) && !regions.isWhole(path));
  const { result } = await executeJob(
    {
      key: hashData(["mine-coverage", tree, plan.command, conditions]),
      kind: coverageKind,
      async execute() {
        const selection = { kind: "all" } as const;
        const found = await withTestExecutor(open, (executor) =>
          coverFiles(executor, open, plan, { tree, selection, files }),
        );
        return { tests: found.tests, ...(found.because === undefined ? {} : { because: found.because }) };
      },
      isFinal: ({ because }) => because === undefined,
      onError: (because): { tests: Record<string, CoveredLines>; because: string } => ({
        tests: {},
        because,
      }),
    },
    store,
    options.signal,
  );
  refusePartial(result);
  const bodies = new Map<string, readonly TestBody[]>();
  for (const path of files) bodies.set(path, await listTestBodies(path, (await read(path)) ?? ""));
  const passed = run.outcomes
    .filter(({ status, key }) => status === "passed" && !isExample(key, bodies.get(key.target)))
    .map(({ key }) => key);
  return listTestedFunctions({
    ...{ files, seed: settings.seed, passed, coverage: result.tests, read },
    async isTest(path, text) {
      const lines = linesOfSpans(text, await regions.spansIn(path, text));
      return (line) => lines.has(line);
    },
  });
}

/**
 * Refuses incomplete coverage, because a function may then have unknown tests. Throws MillwrightError("repository").
 */
export function refusePartial({ tests, because }: z.infer<typeof coverageKind.type>): void {
  if (because === undefined && Object.keys(tests).length > 0) return;
  throw new MillwrightError(
    "repository",
    `The lines that the tests execute are unknown: ${because ?? "the run with coverage reported none"}`,
    { hint: "docs/mining.md (section 5) lists the frameworks that cannot report lines." },
  );
}

/**
 * Returns true for an example in documentation. Examples stay in the base, because solvers may read documentation.
 * `bodies`: the tests in the key's file, if this file is not a test file.
 */
export function isExample(key: TestKey, bodies: readonly TestBody[] | undefined): boolean {
  if (key.target.startsWith("doc:")) return true;
  if (!isDoctest(key.target, key.name)) return false;
  return languageOf(key.target) === undefined || (bodies !== undefined && bodiesOf(bodies, key).length === 0);
}
