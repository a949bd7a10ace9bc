/**
 * SWE-bench's rows (full, Lite, Verified, Multilingual, Multimodal, Live), and rows of other datasets with the same
 * fields.
 */
import failOnly from "../graders/fail-only.ts";
import passAndFail from "../graders/pass-and-fail.ts";
import { defineDataset } from "./contract.ts";
import { isRustRow } from "./rust-swe-bench.ts";
import { hiddenOfSweBench, imageOfSweBench, sweBenchRow } from "./swe-bench-rows.ts";

/** Recognise rows of other datasets with SWE-bench's fields. */
const others: readonly ((row: Readonly<Record<string, unknown>>) => boolean)[] = [
  (row) =>
    ["program", "fail_to_pass", "failed_patch", "removal_patch", "golden_test_patch"].some(
      (field) => field in row,
    ),
  (row) => row["task_type"] === "feature",
  (row) => typeof row["patch"] === "string" && row["patch"].startsWith("<patch>"),
];

/**
 * Repositories whose runners print only failing tests. Rows before SWE-bench 5 do not say so (`FAIL_ONLY_REPOS` of
 * `swebench` 5.0.2).
 */
const failOnlyRepositories: ReadonlySet<string> = new Set([
  ...["chartjs/chart.js", "processing/p5.js", "markedjs/marked", "bpmn-io/bpmn-js", "openlayers/openlayers"],
  "eslint/eslint",
]);

export default defineDataset({
  name: "swe-bench",
  description: "Issues of GitHub repositories with the patches that resolved them, in SWE-bench's format",
  card: { home: "https://www.swebench.com", paper: "https://arxiv.org/abs/2310.06770" },
  recognises: (row) =>
    "instance_id" in row &&
    "base_commit" in row &&
    !isRustRow(row) &&
    !others.some((isOther) => isOther(row)),
  row: sweBenchRow,
  task: (row) => ({
    id: row.instance_id,
    kind: "repair",
    statement: row.problem_statement,
    repository: row.repo,
    baseCommit: row.base_commit,
    version: row.version,
  }),
  hidden: (row) => hiddenOfSweBench(row),
  environment: (row) => ({ image: imageOfSweBench(row) }),
  grader: passAndFail,
  furtherGraders: [failOnly],
  graderOf({ eval_type, repo }) {
    const isFailOnly =
      eval_type == null ? failOnlyRepositories.has(repo.toLowerCase()) : eval_type === "fail_only";
    return isFailOnly ? failOnly : passAndFail;
  },
});
