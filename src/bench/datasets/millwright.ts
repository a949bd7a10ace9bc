/** Millwright's own tasks: a file with the part for solvers, and next to it a file with the hidden part. */
import { z } from "zod";
import { taskKindSchema } from "../../domain/task.ts";
import passAndFail from "../graders/pass-and-fail.ts";
import { type PlacedRow, type RowProblem, readKeyedRows } from "../rows.ts";
import { commitSchema, discussionSchema, extraTestsSchema, taskIdSchema, testListsSchema } from "../task.ts";
import { defineDataset, hiddenFileOf, type RowSources } from "./contract.ts";

/** Kinds whose solution is graded by F2P and P2P tests. */
const gradedKinds = ["repair", "partial-fix", "feature", "code-generation"] as const;

const hiddenSchema = z.strictObject(
  {
    schema: z.literal("millwright.hidden/1"),
    id: taskIdSchema,
    goldPatch: z.string().min(1),
    testPatch: z.string().default(""),
    testCommand: z.string().optional(),
    testFiles: z.array(z.string()).default([]),
    lists: testListsSchema.optional(),
    extraTests: extraTestsSchema.optional(),
    /**
     * The patch that turns the commit into the base: injects a fault, without the tests that show it. Absent if the
     * commit is the base.
     */
    basePatch: z.string().optional(),
    discussion: discussionSchema.optional(),
    issueTypes: z.array(z.string()).optional(),
    /** A text that identifies copies of the file. */
    canary: z.string().optional(),
  },
  { error: ({ input }) => (input === undefined ? "is missing; give its file with --hidden" : undefined) },
);

const rowSchema = z.strictObject({
  schema: z.literal("millwright.task/1"),
  id: taskIdSchema,
  kind: taskKindSchema.extract(gradedKinds),
  statement: z.string(),
  repository: z.string().min(1),
  baseCommit: commitSchema,
  version: z.string().default(""),
  setup: z.string().optional(),
  target: z.string().optional(),
  partialPatch: z.string().optional(),
  /** The hidden part, which `addHidden` adds. The tasks file itself must not contain it. */
  hidden: hiddenSchema,
});

/** Pairs each task with its hidden part. */
function addHidden(given: readonly PlacedRow[], sources: RowSources, problems: RowProblem[]): PlacedRow[] {
  const path = hiddenFileOf(sources);
  const parts = path === undefined ? new Map() : readKeyedRows(path, hiddenSchema, problems);
  const rows = given.map(({ data, place }) => {
    if (data === null || typeof data !== "object") return { data, place };
    if ("hidden" in data) problems.push({ place, message: 'Unrecognized key: "hidden"' });
    const id = "id" in data ? data.id : undefined;
    return { data: { ...data, hidden: parts.get(id)?.value }, place, id };
  });
  const known = new Set(rows.map((row) => ("id" in row ? row.id : undefined)));
  for (const [id, { place }] of parts) {
    if (!known.has(id)) problems.push({ place, message: `there is no task ${id}` });
  }
  return rows;
}

export default defineDataset({
  name: "millwright",
  description: "Millwright's own format: tasks of any repository, with the hidden parts in a second file",
  card: { home: "docs/grading.md" },
  recognises: (row) => typeof row["schema"] === "string" && row["schema"].startsWith("millwright.task/"),
  completeRows: addHidden,
  row: rowSchema,
  task({ id, kind, statement, repository, baseCommit, version, target, partialPatch }) {
    return {
      id,
      kind,
      statement,
      repository,
      baseCommit,
      version,
      ...(target === undefined ? {} : { target }),
      ...(partialPatch === undefined ? {} : { partialPatch }),
    };
  },
  hidden({
    hidden: { goldPatch, testPatch, testCommand, testFiles, lists, discussion, issueTypes, extraTests },
  }) {
    const tests = { command: testCommand, files: testFiles, limitMs: undefined };
    return { goldPatch, testPatch, tests, lists, discussion, issueTypes, extra: extraTests };
  },
  environment: ({ setup, hidden: { basePatch } }) => ({
    setup,
    ...(basePatch === undefined ? {} : { basePatch }),
  }),
  grader: passAndFail,
});
