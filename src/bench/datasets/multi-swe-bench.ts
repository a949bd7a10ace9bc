/**
 * Multi-SWE-bench: pull requests in seven languages. A row has each test's result on the base, with the test patch, and
 * also with the fix.
 */
import { z } from "zod";
import type { TestStatus } from "../../domain/test-outcome.ts";
import multiSweBench from "../graders/multi-swe-bench.ts";
import { commitSchema, type EarlierStatuses, taskIdSchema } from "../task.ts";
import { defineDataset } from "./contract.ts";

/** Names of tests with their statuses. Millwright needs only the names. */
const classSchema = z.record(z.string(), z.unknown()).default({});
const resultSchema = z
  .object({
    passed_tests: z.array(z.string()),
    failed_tests: z.array(z.string()),
    skipped_tests: z.array(z.string()),
  })
  .default({ passed_tests: [], failed_tests: [], skipped_tests: [] });
const issueSchema = z.object({ title: z.string(), body: z.string().nullish() });
const numberSchema = z.coerce.number().int();

const rowSchema = z.object({
  org: z.string().min(1),
  repo: z.string().min(1),
  number: numberSchema,
  base: z.object({ sha: commitSchema }),
  resolved_issues: z.array(issueSchema).default([]),
  fix_patch: z.string().min(1),
  test_patch: z.string().default(""),
  p2p_tests: classSchema,
  f2p_tests: classSchema,
  s2p_tests: classSchema,
  n2p_tests: classSchema,
  run_result: resultSchema,
  test_patch_result: resultSchema,
});
type Row = z.infer<typeof rowSchema>;

/** Makes an id that is valid in file names: `org/repo:pr-7` becomes `org__repo-7`. */
function idOf({ org, repo, number }: Pick<Row, "org" | "repo" | "number">): string {
  return taskIdSchema.parse(`${org}__${repo}-${number}`);
}

function readStatuses(result: z.infer<typeof resultSchema>): ReadonlyMap<string, TestStatus> {
  const { passed_tests, failed_tests, skipped_tests } = result;
  const all: readonly (readonly [TestStatus, readonly string[]])[] = [
    ["passed", passed_tests],
    ["failed", failed_tests],
    ["skipped", skipped_tests],
  ];
  const pairs = all.flatMap(([status, names]) => names.map((name) => [name, status] as const));
  return new Map(pairs);
}

function readEarlier(row: Row): Record<string, EarlierStatuses> {
  const base = readStatuses(row.run_result);
  const tests = readStatuses(row.test_patch_result);
  const names = [...new Set([...base.keys(), ...tests.keys()])];
  return Object.fromEntries(
    names.map((name) => [name, { base: base.get(name) ?? "not-run", tests: tests.get(name) ?? "not-run" }]),
  );
}

/** Maps each class of listed tests to the tests' result with the test patch. */
const classes = {
  p2p_tests: "passed",
  f2p_tests: "failed",
  s2p_tests: "skipped",
  n2p_tests: "not-run",
} as const satisfies Partial<Record<keyof Row, TestStatus>>;

/**
 * Finds a listed test whose result in the row contradicts its class. The official report derives the class from the
 * row's results, and compares it with the lists.
 */
function findContradiction(row: Row, earlier: Readonly<Record<string, EarlierStatuses>>): string | undefined {
  for (const name of ["p2p_tests", "f2p_tests", "s2p_tests", "n2p_tests"] as const) {
    const wrong = Object.keys(row[name]).find((id) => (earlier[id]?.tests ?? "not-run") !== classes[name]);
    if (wrong !== undefined) return `${name} lists ${wrong}, which contradicts the row's test_patch_result`;
  }
  return undefined;
}

export default defineDataset({
  name: "multi-swe-bench",
  description: "Pull requests of Java, TypeScript, JavaScript, Go, Rust, C and C++ repositories",
  card: {
    home: "https://github.com/multi-swe-bench/multi-swe-bench",
    paper: "https://arxiv.org/abs/2504.02605",
  },
  recognises: (row) => "fix_patch" in row && "base" in row && "org" in row,
  row: rowSchema,
  task: (row) => ({
    id: idOf(row),
    kind: "repair",
    statement: row.resolved_issues.map(({ title, body }) => `${title}\n\n${body ?? ""}`.trim()).join("\n\n"),
    repository: `${row.org}/${row.repo}`,
    baseCommit: row.base.sha,
    version: "",
  }),
  hidden: (row) => {
    const earlier = readEarlier(row);
    return {
      goldPatch: row.fix_patch,
      testPatch: row.test_patch,
      tests: { command: undefined, files: [], limitMs: undefined, all: true },
      lists: {
        failToPass: [row.f2p_tests, row.s2p_tests, row.n2p_tests].flatMap((tests) => Object.keys(tests)),
        passToPass: Object.keys(row.p2p_tests),
        flaky: [],
      },
      earlier,
      contradiction: findContradiction(row, earlier),
    };
  },
  environment: ({ org, repo, number }) => ({
    image: { name: `mswebench/${org}_m_${repo}:pr-${number}`.toLowerCase(), root: `/home/${repo}` },
  }),
  grader: multiSweBench,
  prediction: z
    .object({ org: z.string(), repo: z.string(), number: numberSchema, fix_patch: z.string().nullish() })
    .transform((entry) => ({ id: idOf(entry), patch: entry.fix_patch ?? "" })),
  formatPrediction({ id, patch }) {
    // Owners' names on its hosts contain no underscore, and numbers no hyphen.
    const [, org = "", repo = "", number = ""] = /^(.*?)__(.*)-(\d+)$/.exec(id) ?? [];
    return { org, repo, number: Number(number), fix_patch: patch };
  },
});
