import { z } from "zod";
import { defineDataset } from "../../src/bench/datasets/contract.ts";
import passAndFail from "../../src/bench/graders/pass-and-fail.ts";
import { commitSchema, taskIdSchema } from "../../src/bench/task.ts";

export default defineDataset({
  name: "incidents",
  description: "Faults that our users met, each with the commit that ended it",
  card: { home: "https://example.com/incidents" },
  recognises: (row) => "incident" in row && "fix" in row,
  row: z.object({
    incident: taskIdSchema,
    report: z.string(),
    project: z.string().min(1),
    commit: commitSchema,
    fix: z.string().min(1),
    tests: z.string(),
    failing: z.array(z.string()).min(1),
    passing: z.array(z.string()),
  }),
  task: (row) => ({
    id: row.incident,
    kind: "repair",
    statement: row.report,
    repository: row.project,
    baseCommit: row.commit,
    version: "",
  }),
  hidden: (row) => ({
    goldPatch: row.fix,
    testPatch: row.tests,
    tests: { command: "npm test", files: [], limitMs: undefined },
    lists: { failToPass: row.failing, passToPass: row.passing, flaky: [] },
  }),
  environment: () => ({ setup: "npm ci --ignore-scripts" }),
  grader: passAndFail,
});
