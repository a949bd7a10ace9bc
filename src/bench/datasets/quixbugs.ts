/** QuixBugs: 40 small programs with one wrong line each. The solver may see the tests, as in the repair literature. */
import { z } from "zod";
import { renderDiff } from "../../edit/render-diff.ts";
import passAndFail from "../graders/pass-and-fail.ts";
import { defineDataset } from "./contract.ts";
import { hiddenOfSweBench, sweBenchRow } from "./swe-bench-rows.ts";

const rowSchema = sweBenchRow.safeExtend({
  program: z.string().min(1),
  test_file: z.string().min(1),
  ...{ buggy_file: z.string().optional(), buggy_source: z.string().optional() },
  correct_source: z.string().optional(),
});

export default defineDataset({
  name: "quixbugs",
  description: "40 small programs with one wrong line each, in SWE-bench's format, with their tests",
  card: { home: "https://github.com/jkoppel/QuixBugs", paper: "https://doi.org/10.1145/3135932.3135941" },
  recognises: (row) => "instance_id" in row && "program" in row,
  row: rowSchema,
  task: (row) => ({
    id: row.instance_id,
    kind: "repair",
    statement: row.problem_statement,
    repository: row.repo,
    baseCommit: row.base_commit,
    version: row.version,
    failingTests: [row.test_file],
  }),
  hidden: (row) => {
    const hidden = hiddenOfSweBench(row);
    return { ...hidden, goldPatch: row.patch ?? goldPatchOf(row) ?? hidden.goldPatch };
  },
  // The repository contains the answers, and other programs' tests, which all fail.
  environment: ({ program, test_file }) => ({
    remove: ["correct_*/**", "java_*/**", test_file.replace(`test_${program}.`, `test_!(${program}).`)],
  }),
  grader: passAndFail,
});

/**
 * Makes the patch that corrects the program's code. Ignores other differences of the correct program: blank lines, and
 * texts below the code (further solutions instead of the documentation). Undefined without both programs.
 */
function goldPatchOf({ buggy_file, buggy_source, correct_source }: z.infer<typeof rowSchema>) {
  if (buggy_file === undefined || buggy_source === undefined || correct_source === undefined)
    return undefined;
  const [buggy, correct] = [buggy_source, correct_source].map((source) =>
    source.split(/^"""/m, 1)[0]?.trim(),
  );
  const after = buggy_source.replace(buggy ?? "", () => correct ?? "");
  return renderDiff([{ path: buggy_file, before: buggy_source, after }]);
}
