/** Makes the same task as a row of each dataset, so that every grading rule judges each cheat. */
import { MillwrightError } from "../../base/errors.ts";
import type { GradedTask } from "../graded-task.ts";
import { findDataset } from "../load-tasks.ts";
import { type RowProblem, tellProblems } from "../rows.ts";
import type { WrittenFunction } from "./contract.ts";

export interface TaskParts {
  readonly language: string;
  readonly baseCommit: string;
  readonly goldPatch: string;
  readonly testPatch: string;
  readonly failToPass: readonly string[];
  readonly passToPass: readonly string[];
  readonly target?: { readonly symbol: string; readonly removalPatch: string } | undefined;
  readonly function?: WrittenFunction | undefined;
}

const statement = "The price of two is wrong.";
const repositoryOf = (language: string): string => `red-team/${language}`;

function sweBench({ language, baseCommit, goldPatch, testPatch, failToPass, passToPass }: TaskParts) {
  return {
    instance_id: `red-team__${language}-1`,
    repo: repositoryOf(language),
    base_commit: baseCommit,
    problem_statement: statement,
    patch: goldPatch,
    test_patch: testPatch,
    FAIL_TO_PASS: failToPass,
    PASS_TO_PASS: passToPass,
  };
}

/** Maps each rule's name in reports to a dataset with this rule, and to a row of the dataset. */
const makers: Readonly<Record<string, readonly [dataset: string, row: (parts: TaskParts) => unknown]>> = {
  "swe-bench": ["swe-bench", sweBench],
  "swe-bench, fail_only": ["swe-bench", (parts) => ({ ...sweBench(parts), eval_type: "fail_only" })],
  "swe-bench-pro": [
    "swe-bench-pro",
    ({ failToPass, passToPass, ...parts }) => ({
      ...sweBench({ ...parts, failToPass, passToPass }),
      fail_to_pass: failToPass,
      pass_to_pass: passToPass,
    }),
  ],
  "multi-swe-bench": [
    "multi-swe-bench",
    ({ language, baseCommit, goldPatch, testPatch, failToPass, passToPass }) => ({
      org: "red-team",
      repo: language,
      number: 1,
      base: { sha: baseCommit },
      resolved_issues: [{ title: statement, body: "" }],
      fix_patch: goldPatch,
      test_patch: testPatch,
      f2p_tests: Object.fromEntries(failToPass.map((id) => [id, {}])),
      p2p_tests: Object.fromEntries(passToPass.map((id) => [id, {}])),
      run_result: { passed_tests: passToPass, failed_tests: [], skipped_tests: [] },
      test_patch_result: { passed_tests: passToPass, failed_tests: failToPass, skipped_tests: [] },
    }),
  ],
  swetry: ["swetry", (parts) => ({ ...sweBench(parts), failed_patch: parts.testPatch })],
  quixbugs: [
    "quixbugs",
    (parts) => ({ ...sweBench(parts), program: "price", test_file: `tests/price-of-${parts.language}` }),
  ],
  millwright: [
    "millwright",
    ({ language, baseCommit, goldPatch, testPatch, failToPass, passToPass }) => {
      const id = `red-team__${language}-1`;
      const lists = { failToPass, passToPass, flaky: [] };
      const repository = repositoryOf(language);
      return {
        ...{ schema: "millwright.task/1", id, kind: "repair", statement, repository, baseCommit },
        hidden: { schema: "millwright.hidden/1", id, goldPatch, testPatch, lists },
      };
    },
  ],
};

/** The names of the rules for a patch of code. */
export const ruleNames: readonly string[] = Object.keys(makers);

/** The name of the rule for a patch of code with its own tests. */
export const featureRule = "feature-development";

/** The name of the rule for a patch that writes a function. */
export const functionRule = "repocod";

const otherMakers: typeof makers = {
  "rust-swe-bench": ["rust-swe-bench", (parts) => ({ ...sweBench(parts), language: "rust" })],
  [functionRule]: [
    functionRule,
    ({ language, baseCommit, testPatch, failToPass, passToPass, function: asked }) => ({
      ...{ repository: repositoryOf(language), repo_id: 1, base_commit: baseCommit, test_patch: testPatch },
      ...{ target_module_path: asked?.file, function_name: asked?.name },
      ...{ prompt: asked?.prompt, full_function: asked?.text },
      target_tests: [...failToPass, ...passToPass],
    }),
  ],
  [featureRule]: [featureRule, (parts) => ({ ...sweBench(parts), task_type: "feature" })],
  "swt-bench": [
    "swt-bench",
    ({ goldPatch, testPatch, ...parts }) => {
      const { patch: _, test_patch: _t, ...row } = sweBench({ ...parts, goldPatch, testPatch });
      return { ...row, golden_code_patch: goldPatch, golden_test_patch: testPatch };
    },
  ],
  repotest: [
    "repotest",
    ({ language, baseCommit, target }) => ({
      ...{ instance_id: `red-team__${language}-1`, repo: repositoryOf(language), base_commit: baseCommit },
      ...{ target: target?.symbol, removal_patch: target?.removalPatch },
    }),
  ],
};

/** Makes a task that the named rule grades. Throws MillwrightError if there is no such rule. */
export function makeTask(rule: string, parts: TaskParts): GradedTask {
  const [dataset, row] = makers[rule] ?? otherMakers[rule] ?? [];
  const problems: RowProblem[] = [];
  const task =
    dataset === undefined || row === undefined
      ? undefined
      : findDataset(dataset).read({ data: row(parts), place: `red-team:${rule}` }, problems);
  if (task === undefined)
    throw new MillwrightError("internal", `The red team has no task for ${rule}: ${tellProblems(problems)}`);
  return task;
}
