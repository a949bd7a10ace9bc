/**
 * Finds the objections that a candidate's text alone shows. These are signs of an attack, careless code, special cases,
 * and tests made for the patch. Runs on a thread.
 */
import type { Task, TaskKind } from "../../../domain/task.ts";
import type { TestKey } from "../../../domain/test-outcome.ts";
import type { ChangedFile } from "../../code/change.ts";
import { judgeAttack } from "../attacks/attack-findings.ts";
import { readAsCode } from "../attacks/loaded-code.ts";
import { judgeReadOtherwise } from "../attacks/read-otherwise.ts";
import { judgeCareless } from "../careless/careless.ts";
import type { Finding, TextContext } from "../contract.ts";
import { judgeOwnTests } from "../own-tests/judge-own-tests.ts";
import { judgeMovedGoals } from "../own-tests/moved-goals.ts";
import { judgeTestData } from "../own-tests/test-data.ts";
import { judgePlainCases, readTestFiles } from "../special-cases/plain-special-cases.ts";
import { judgeSpecialCases } from "../special-cases/special-cases.ts";
import { judgeBlamed } from "../statement/blamed-function.ts";
import { readShownKeys } from "../statement/shown-literals.ts";
import { statedSubjects } from "../statement/stated-subjects.ts";
import { baseFiles } from "../texts/base-files.ts";
import { readOwnTests } from "../texts/own-tests.ts";
import { formOfPatch } from "../texts/patch-form.ts";
import { listRead } from "../texts/too-large.ts";
import { tellUnparsed } from "../texts/unparsed.ts";

export interface JudgedTexts {
  readonly files: readonly ChangedFile[];
  readonly task: Pick<Task, "kind" | "statement">;
  /** The tests that decide whether the candidate is correct. */
  readonly tests: readonly TestKey[];
  /** The candidate's tree, followed by the trees with the run's own tests. */
  readonly within: readonly [string, ...string[]];
  /** True if a model wrote the patch or its tests. */
  readonly isWritten: boolean;
}

export interface TextObjections {
  readonly objections: readonly string[];
  /** Special cases that count only if a review calls the patch narrow. */
  readonly doubts: readonly string[];
}

/** Kinds in which code must pass tests that its author did not write. */
const fitted: ReadonlySet<TaskKind> = new Set(["repair", "partial-fix", "code-generation"]);

export async function judgeTexts(context: TextContext, given: JudgedTexts): Promise<TextObjections> {
  const unparsed = await tellUnparsed(given.files);
  if (unparsed !== "") return { objections: [unparsed], doubts: [] };
  const { task } = given;
  const base = baseFiles(context.workspace);
  const read = listRead(given.files);
  const { files, tell } = await readAsCode(read, base);
  const input = { ...given, files };
  const found = [
    // The signs of an attack also count in files that no other check reads.
    ...(await judgeAttack(given.files, base, task.statement)),
    ...(await judgeReadOtherwise(
      files.filter((file) => !given.files.includes(file)),
      statedSubjects(task.statement),
    )),
    ...(await judgeCareless(files, base, task.statement)),
    // Data may contain code: the expected results of a formatter.
    ...(await findTestData(context, { ...given, files: read })),
    ...(await findOwnTests(context, input)),
  ];
  const special = await findSpecialCases(context, input);
  const textsOf = (findings: readonly Finding[], weight: Finding["weight"]): string[] =>
    findings.flatMap((finding) => (finding.weight === weight ? [tell(finding.text)] : []));
  return {
    objections: textsOf([...found, ...special], "objection"),
    doubts: special.flatMap(({ weight, text }) => (weight === "objection" ? [] : [tell(text)])),
  };
}

async function findSpecialCases(
  { workspace, regions }: TextContext,
  { files, task: { kind, statement }, tests, within }: JudgedTexts,
): Promise<Finding[]> {
  const isFeature = kind === "feature";
  if (!fitted.has(kind) && !isFeature) return [];
  const [patched, ...written] = within;
  const trees = [workspace.base, ...written, ...(isFeature ? [patched] : [])];
  const shown = await readShownKeys(workspace.trees, trees, tests);
  const input = { files, shown, statement, base: baseFiles(workspace), regions };
  if (isFeature) return judgeSpecialCases({ ...input, isFeature });
  const plain = await readTestFiles(workspace.trees, trees, tests, files);
  return [...(await judgeSpecialCases(input)), ...judgePlainCases(files, plain, statement)];
}

/** Finds the objections to tests that the run wrote, in the patch or next to it. */
async function findOwnTests(
  { workspace }: TextContext,
  { files, task: { kind, statement }, tests, within, isWritten }: JudgedTexts,
): Promise<Finding[]> {
  const { trees, base } = workspace;
  const own = await readOwnTests(trees, base, within, tests);
  const moved = fitted.has(kind) ? judgeMovedGoals(files, own, statement) : [];
  const blamed =
    kind === "repair" && formOfPatch(files) === "deletes" ? await judgeBlamed(files, statement) : [];
  if (blamed.length > 0) return blamed;
  if (!isWritten || moved.length > 0) return moved;
  return judgeOwnTests({ kind, files, tests: own, statement, base: baseFiles(workspace) });
}

async function findTestData(
  { workspace, regions }: TextContext,
  { files, task: { kind, statement } }: JudgedTexts,
): Promise<Finding[]> {
  if (!fitted.has(kind)) return [];
  const isTest = (path: string): boolean => regions.isWhole(path);
  return judgeTestData({ files, base: baseFiles(workspace), isTest, statement });
}
