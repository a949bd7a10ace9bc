/**
 * The anti-overfitting battery: computed checks of a patch that passes the tests shown to its author. The most common
 * wrong patch fits its tests but not the behaviour (Qi et al., ISSTA 2015; Smith et al., FSE 2015).
 */
import type { Candidate } from "../../../domain/candidate.ts";
import type { JudgeContext } from "../../action.ts";
import { readChange } from "../../code/change.ts";
import type { Review, ReviewFinding, TaskState } from "../../state/task-state.ts";
import { checks } from "../checks/index.generated.ts";
import type { Finding, ReviewContext } from "../contract.ts";
import { judgeOnThread } from "../judges/judge-threads.ts";
import { judgeSize, listRead, listUnread } from "../texts/too-large.ts";

/**
 * Runs all checks on the candidate, and returns their findings, the most serious first. If the checks cannot read the
 * change, for example because of its size, returns only this objection.
 */
export async function runBattery(
  context: JudgeContext,
  state: TaskState,
  candidate: Candidate,
): Promise<Review> {
  const { trees, base } = context.workspace;
  const change = await readChange(trees, context.regions, base, candidate.tree);
  const unread = judgeSize(change.files);
  if (unread.length > 0)
    return { candidate: candidate.id, findings: unread.map((finding) => ({ check: "size", ...finding })) };
  const unparsed = await judgeOnThread("reading", context, change);
  const refusal = unparsed.ok ? unparsed.value : unparsed.message;
  if (refusal !== "")
    return {
      candidate: candidate.id,
      findings: [{ check: "size", weight: "objection", text: refusal }],
    };
  const findings: ReviewFinding[] = listUnread(change.files).map(({ path }) => ({
    check: "size",
    weight: "note",
    text: `Not judged: ${path}, which is too large for the checks. The verdict measures whether the tests need the change in this file.`,
  }));
  const read = { ...context, change: { files: listRead(change.files) } };
  for (const check of checks) {
    const { name } = check;
    const found =
      "run" in check
        ? await check.run(read, state, candidate)
        : await readTexts(name, { ...context, change }, state, candidate);
    findings.push(...found.map((finding) => ({ check: name, ...finding })));
    context.signal.throwIfAborted();
  }
  return { candidate: candidate.id, findings: sortFindings(findings) };
}

async function readTexts(
  check: string,
  context: ReviewContext,
  { candidates, codePlaces, fault, testPlaces }: TaskState,
  candidate: Candidate,
): Promise<readonly Finding[]> {
  const { kind, statement } = context.task;
  const found = await judgeOnThread("check", context, {
    ...{ check, candidate, files: context.change.files, task: { kind, statement } },
    state: { candidates, codePlaces, fault, testPlaces },
  });
  return found.ok ? found.value : [{ weight: "objection", text: found.message }];
}

const order: readonly ReviewFinding["weight"][] = ["refuted", "objection", "doubt", "note"];
/** The order of findings of equal weight: the reviewer's, then those about the place, then the rest. */
const firstChecks = ["reviewer", "reach"];

export function sortFindings(findings: readonly ReviewFinding[]): ReviewFinding[] {
  const rank = ({ check }: ReviewFinding): number =>
    firstChecks.includes(check) ? firstChecks.indexOf(check) : firstChecks.length;
  return [...findings].sort((a, b) => order.indexOf(a.weight) - order.indexOf(b.weight) || rank(a) - rank(b));
}

export function isRefuted({ findings }: Review): boolean {
  return findings.some(({ weight }) => weight === "refuted");
}
