import { countOf } from "../../../base/count.ts";
import type { TaskKind } from "../../../domain/task.ts";
import { runsInBuild } from "../../../languages/judging-files.ts";
import { type ChangedFile, linesOf, readSource, removedLines } from "../../code/change.ts";
import { listTestBodies } from "../../code/test-bodies.ts";
import { listAssertions, listSkips, type Marked } from "../../code/test-strength.ts";
import { defineReviewCheck, type Finding } from "../contract.ts";

const mostNamed = 4;
const bound: ReadonlySet<TaskKind> = new Set(["repair", "partial-fix", "code-generation"]);

export default defineReviewCheck({
  name: "edited-tests",
  description:
    "Finds repository tests that the change removes, weakens or disables, and changes to files that configure the tests or run in the build.",
  async run(context, _, { tree }) {
    const { change, task, executor, suite } = context;
    const { laid } = await executor.judged(suite.command, tree);
    const mayChange = !bound.has(task.kind);
    const findings: Finding[] = [];
    for (const file of change.files) {
      findings.push(...touchesConfiguration(laid, file));
      if (file.before !== undefined && file.isTest) findings.push(...(await compareTests(file)));
    }
    // A feature may change what a test rightly asked for, and if tests are the result they may be rewritten.
    return findings.map((finding) =>
      mayChange && finding.weight === "refuted" ? { ...finding, weight: "doubt" } : finding,
    );
  },
});

/**
 * Finds tests and assertions that the change removes, rewrites or disables in a test file of the base. Without such a
 * finding, reports other rewritten lines as a doubt.
 */
export async function compareTests(file: ChangedFile): Promise<Finding[]> {
  const { path, before, after } = file;
  if (after === undefined) return [{ weight: "refuted", text: `The change deletes the test file ${path}.` }];
  const gone = await findLostTests(file);
  const weaker = await findLostAssertions(file);
  const known = new Set(listSkips(before ?? "").map(({ text }) => text));
  const skipped = listSkips(after).filter(({ text }) => !known.has(text));
  const findings: Finding[] = [
    ...refute(gone, (names) => `The change removes tests from ${path}: ${names}.`),
    ...refute(weaker, (texts) => `The change removes or rewrites assertions of ${path}: ${texts}.`),
    ...refute(skipped.map(showMarked), (texts) => `The change disables tests of ${path}: ${texts}.`),
  ];
  if (findings.length > 0) return findings;
  const touched = removedLines(file).filter((line) => (linesOf(before)[line - 1] ?? "").trim() !== "");
  return touched.length === 0
    ? []
    : [
        {
          weight: "doubt",
          text: `In the tests of ${path}, the change rewrites ${countOf(touched.length, "line")} without an assertion.`,
        },
      ];
}

function refute(found: readonly string[], say: (list: string) => string): Finding[] {
  if (found.length === 0) return [];
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more` : "";
  return [{ weight: "refuted", text: say(`${found.slice(0, mostNamed).join(", ")}${more}`) }];
}

async function findLostTests({ path, before, after }: ChangedFile): Promise<string[]> {
  const still = new Set((await listTestBodies(path, after)).map((body) => body.path));
  return (await listTestBodies(path, before)).map((body) => body.path).filter((name) => !still.has(name));
}

/** Lists the assertions on removed lines that the new text does not contain. */
async function findLostAssertions(file: ChangedFile): Promise<string[]> {
  const [before, after] = [await readSource(file.path, file.before), await readSource(file.path, file.after)];
  if (before === undefined || after === undefined) return findLostLines(file);
  const removed = new Set(removedLines(file));
  const still = countTexts(listAssertions(after));
  return listAssertions(before)
    .filter(({ line, text }) => {
      const left = still.get(text) ?? 0;
      still.set(text, left - 1);
      return left <= 0 && isNear(removed, line);
    })
    .map(showMarked);
}

/** True if the assertion on this line is removed. A multi-line assertion begins above the changed line. */
function isNear(removed: ReadonlySet<number>, line: number): boolean {
  return Array.from({ length: 12 }, (_, more) => line + more).some((each) => removed.has(each));
}

/** For languages without a dialect: finds the lost assertions by the words on the lines. */
function findLostLines(file: ChangedFile): string[] {
  const lines = linesOf(file.before);
  const still = new Set(linesOf(file.after).map((line) => line.trim()));
  return removedLines(file)
    .map((line) => (lines[line - 1] ?? "").trim())
    .filter((text) => /assert|expect|should|require|check|\bEQ\b|verify/i.test(text) && !still.has(text))
    .map((text) => `\`${text.slice(0, 120)}\``);
}

function countTexts(marked: readonly Marked[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of marked) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function showMarked({ line, text }: Marked): string {
  return `\`${text}\` (line ${line})`;
}

/**
 * Reports changed configuration that decides which tests run and how, and changed code that runs unnoticed. The gate
 * judges without such configuration.
 */
function touchesConfiguration(laid: readonly string[], { path }: ChangedFile): Finding[] {
  if (laid.includes(path))
    return [
      { weight: "doubt", text: `The change touches ${path}, which can decide which tests run, and how.` },
    ];
  return runsInBuild.test(path)
    ? [{ weight: "doubt", text: `The change touches ${path}, which runs during the project's build.` }]
    : [];
}
