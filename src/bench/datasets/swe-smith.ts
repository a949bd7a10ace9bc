/**
 * SWE-smith: faults injected into real projects. A row's patch introduces the fault, so the gold patch is its reverse.
 */
import { z } from "zod";
import passAndFail from "../graders/pass-and-fail.ts";
import { taskIdSchema } from "../task.ts";
import { defineDataset } from "./contract.ts";
import { reversiblePatch } from "./reversible-patch.ts";
import { idListSchema } from "./swe-bench-rows.ts";

/** `swesmith/oauthlib__oauthlib.1fd52536`: a mirror of oauthlib/oauthlib at that commit. Owners have no underscore. */
const mirrorForm = /^swesmith\/([^_/]+)__([^/]+)\.([0-9a-f]{7,40})$/;

const mirror = z.string().transform((name, context) => {
  const [, owner, project, commit] = mirrorForm.exec(name) ?? [];
  if (owner !== undefined && project !== undefined && commit !== undefined) {
    return { repository: `${owner}/${project}`, commit };
  }
  context.addIssue("is not a mirror's name: swesmith/OWNER__NAME.COMMIT");
  return z.NEVER;
});

/** Returns the row's image. All tasks of a mirror share one image, so it contains the project without the fault. */
function imageOf({ repository, commit }: z.infer<typeof mirror>): string {
  const name = repository.replace("/", "_1776_").toLowerCase();
  return `swebench/swesmith.x86_64.${name}.${commit.slice(0, 8)}`;
}

const sweSmithPlace = { root: "/testbed", path: ["/opt/miniconda3/envs/testbed/bin"] };

export default defineDataset({
  name: "swe-smith",
  description:
    "Faults inserted into real projects (SWE-smith): the base is a commit with the row's patch, and the fix reverses this patch",
  card: {
    home: "https://huggingface.co/datasets/SWE-bench/SWE-smith",
    paper: "https://arxiv.org/abs/2504.21798",
  },
  recognises: ({ repo }) => typeof repo === "string" && mirrorForm.test(repo),
  row: z.object({
    instance_id: taskIdSchema,
    repo: mirror,
    patch: reversiblePatch,
    problem_statement: z.string().nullish(),
    image_name: z.string().min(1).nullish(),
    FAIL_TO_PASS: idListSchema,
    PASS_TO_PASS: idListSchema,
  }),
  task: (row) => ({
    id: row.instance_id,
    kind: "repair",
    statement: row.problem_statement ?? "",
    repository: row.repo.repository,
    baseCommit: row.repo.commit,
    version: "",
  }),
  hidden: (row) => ({
    goldPatch: row.patch.reversed,
    testPatch: "",
    tests: { command: undefined, files: [], limitMs: undefined },
    lists:
      row.FAIL_TO_PASS.length === 0
        ? undefined
        : { failToPass: row.FAIL_TO_PASS, passToPass: row.PASS_TO_PASS, flaky: [] },
  }),
  environment: (row) => ({
    basePatch: row.patch.given,
    image: { name: row.image_name ?? imageOf(row.repo), ...sweSmithPlace },
  }),
  grader: passAndFail,
});
