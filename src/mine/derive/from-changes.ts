/**
 * Makes tasks of other kinds from a mined dataset's changes. SWT-bench: the solver writes the test. Feature
 * development: the solver writes code and tests. SWETRY: the solver also gets a failed attempt.
 */
import { readChange } from "../../agent/code/change.ts";
import { listMutants, mutatedText } from "../../agent/mutants/list-mutants.ts";
import { placesOf } from "../../agent/review/measured/plan-mutants.ts";
import { countOf } from "../../base/count.ts";
import { MillwrightError } from "../../base/errors.ts";
import { type GradeResult, gradeJob } from "../../bench/grade-task.ts";
import type { GradedTask } from "../../bench/graded-task.ts";
import { executeJob } from "../../bench/job.ts";
import { openTask } from "../../bench/open-task.ts";
import { readPatches } from "../../bench/predictions.ts";
import { type RowProblem, tellProblems } from "../../bench/rows.ts";
import { sampleIds } from "../../bench/sample.ts";
import { isTestFile } from "../../languages/source-files.ts";
import { drop, keep, type Outcome } from "../contract.ts";
import { readVersion } from "../project-at.ts";
import { type Published, readPublished } from "../publish/published.ts";
import { readVersions, retiredIn } from "../publish/versions.ts";
import { listBranches, listParts } from "../review/partial-fixes.ts";
import { changedLines, changedPlaces } from "../review/patch-lines.ts";
import { taskOf } from "../validate.ts";
import { type DerivedTask, type DeriveRequest, type DeriveSource, setupRules } from "./contract.ts";

type Mined = Published["candidates"][number];

export const sweBenchTests: DeriveSource = (request) =>
  changesOf(request, {
    isWanted: ({ split }) => split.testPatch !== "",
    async rowOf({ split }) {
      return keep({ golden_code_patch: split.goldPatch, golden_test_patch: split.testPatch });
    },
  });

export const featureChanges: DeriveSource = (request) =>
  changesOf(request, {
    isWanted: ({ review, split }) => review.type === "feature" && split.testPatch !== "",
    rowOf: async (mined) => keep({ ...patchesOf(mined), task_type: "feature" }),
  });

export const failedAttempts: DeriveSource = async function* (request) {
  const given = request.attempts === undefined ? undefined : await readAttempts(request, request.attempts);
  yield* changesOf(request, {
    isWanted: ({ change }) => given === undefined || given.has(change.id),
    async rowOf(mined, version) {
      const own = given?.get(mined.change.id);
      const attempts = own === undefined ? await listAttempts(request, mined, version) : [own];
      for (const attempt of attempts) {
        const tried = judgeAttempt(
          await gradeAttempt(request, mined, version, attempt),
          mined.split,
          attempt,
        );
        if (tried.verdict !== "kept") return tried;
        if (tried.value) return keep({ ...patchesOf(mined), failed_patch: attempt });
      }
      return drop(
        "no-attempt",
        `none of ${countOf(attempts.length, "attempt")} is suitable: an attempt must build, change code of the fix, and fail the task`,
      );
    },
  });
};

/** Reads the failed attempts. Throws MillwrightError("usage") if no patch belongs to a task of the dataset. */
async function readAttempts({ folder, onProgress }: DeriveRequest, path: string) {
  const problems: RowProblem[] = [];
  const given = readPatches(path, problems);
  if (problems.length > 0)
    onProgress(`Millwright cannot use these entries of ${path}:\n  ${tellProblems(problems)}`);
  const { candidates } = await readPublished(folder);
  if (candidates.some(({ change }) => given.has(change.id))) return given;
  throw new MillwrightError("usage", `No prediction in ${path} names a task of the dataset ${folder}`);
}

interface Kind {
  isWanted(mined: Mined): boolean;
  /** Makes the fields that belong only to this format. */
  rowOf(mined: Mined, version: string): Promise<Outcome<Readonly<Record<string, unknown>>>>;
}

async function* changesOf(request: DeriveRequest, { isWanted, rowOf }: Kind): ReturnType<DeriveSource> {
  const { folder, settings } = request;
  const { candidates } = await readPublished(folder);
  const retired = new Set(retiredIn(await readVersions(folder)).map(({ id }) => id));
  const byId = new Map(
    candidates.flatMap((mined) =>
      isWanted(mined) && !retired.has(mined.change.id) && mined.split.basePatch === undefined
        ? [[mined.change.id, mined] as const]
        : [],
    ),
  );
  for (const id of sampleIds([...byId.keys()], byId.size, settings.seed)) {
    const mined = byId.get(id);
    if (mined === undefined) continue;
    const { change, validation } = mined;
    yield {
      ...{ id, commit: change.commit, language: change.language },
      async derive(): Promise<Outcome<DerivedTask>> {
        const version = await readVersion(settings.gitDirectory, change.base);
        const row = await rowOf(mined, version);
        if (row.verdict !== "kept") return row;
        const shared = {
          ...{ instance_id: id, repo: change.repository, base_commit: change.base, version },
          ...{ problem_statement: change.statement, test_cmd: validation.testCommand },
        };
        return keep({ row: { ...shared, ...row.value }, rules: setupRules(id, validation.setup) });
      },
    };
  }
}

function patchesOf({ split, validation: { lists } }: Mined) {
  const { goldPatch: patch, testPatch: test_patch } = split;
  return { patch, test_patch, FAIL_TO_PASS: lists.failToPass, PASS_TO_PASS: lists.passToPass };
}

/** Maximum number of attempts for a task. */
const mostAttempts = 12;

/**
 * Lists patches that resemble failed attempts: the fix without the change of one function, without one of its branches,
 * or with a small mistake.
 */
async function listAttempts(request: DeriveRequest, mined: Mined, version: string): Promise<string[]> {
  const { change, split, validation } = mined;
  const open = await openTask(taskOf({ change, split, version }, validation), request.options);
  try {
    const { trees } = open.workspace;
    const { base, gold } = open.trees;
    const fix = await readChange(trees, { isWhole: isTestFile }, base, gold);
    const parts = [...(await listParts(fix.files)), ...(await listBranches(fix.files))];
    const mutants = await listMutants(placesOf(fix), mostAttempts);
    const patches = new Set<string>();
    for (const variant of [...parts.map((part) => part.variant), ...mutants].slice(0, mostAttempts)) {
      const tree = await trees.write(gold, [{ path: variant.file, content: mutatedText(variant) }]);
      patches.add(await trees.diff(base, tree));
    }
    return [...patches].filter((patch) => patch.trim() !== "");
  } finally {
    await open.close();
  }
}

async function gradeAttempt(
  { store, options, conditions }: DeriveRequest,
  { change, split, validation }: Mined,
  version: string,
  patch: string,
): Promise<GradeResult> {
  const task = taskOf({ change, split, version }, validation);
  const graded: GradedTask = { ...task, hidden: { ...task.hidden, lists: validation.lists } };
  const { result } = await executeJob(
    gradeJob(graded, { patch }, options, conditions),
    store,
    options.signal,
  );
  return result;
}

/**
 * Returns true for a patch that applies, builds and fails the task. It must also change a place of the fix, or repair a
 * fail-to-pass test. This is USEbench's rule for SWETRY (section 3). An infrastructure error does not count against the
 * patch.
 */
export function judgeAttempt(
  {
    outcome,
    reason,
    failToPass,
    passToPass,
  }: Pick<GradeResult, "outcome" | "reason" | "failToPass" | "passToPass">,
  { codeFiles, goldPatch }: Pick<Mined["split"], "codeFiles" | "goldPatch">,
  patch: string,
): Outcome<boolean> {
  if (outcome === "infrastructure-error")
    return { verdict: "error", cause: "infrastructure", detail: reason };
  const isBuilt = failToPass.success.length + passToPass.success.length > 0;
  const isNear = failToPass.success.length > 0 || codeFiles.some((path) => meets(patch, goldPatch, path));
  return keep(outcome === "unresolved" && isBuilt && isNear);
}

/** Maximum number of lines between two changes of one place. */
const nearLines = 3;

/** True if both patches change code at one place of the file, and the first changes more than white space there. */
function meets(patch: string, goldPatch: string, path: string): boolean {
  const gold = changedPlaces(goldPatch, path);
  const { added, removed } = changedLines(patch, [path]);
  const [after, before] = [added, removed].map((lines) => lines.join("").replaceAll(/\s/g, ""));
  return (
    after !== before &&
    changedPlaces(patch, path).some((line) => gold.some((other) => Math.abs(line - other) <= nearLines))
  );
}
