/** A reviewer's own tests: run without the patch and with it, and kept where they say something that holds. */
import { z } from "zod";
import { findStatus, formatTestKey, isFailing, type TestKey } from "../../domain/test-outcome.ts";
import { isTestFile } from "../../languages/source-files.ts";
import type { ActionContext } from "../action.ts";
import { renderFailures } from "../render-state.ts";
import { composeTree, runOn } from "../run-candidate.ts";
import type { ThinkTool } from "../think.ts";
import { countOf, keepWritten, runWritten, type WrittenTests } from "../written-tests.ts";
import type { ReviewWork } from "./verdict.ts";

const input = z.object({
  path: z.string().min(1).describe("a new file of tests, named and placed as the repository's own are"),
  content: z.string().min(1).describe("the whole file"),
});

/** More files of tests than this are not taken in one review. */
const mostFiles = 3;

export function tryTestsTool(context: ActionContext, work: ReviewWork): ThinkTool<never> {
  let files = 0;
  return {
    name: "try-tests",
    description:
      "Runs a new file of tests without the patch and with it. A test that fails without it for the stated reason is kept as one that shows the fault, held back from who writes patches; one that passes both times is kept as a guard; others are told and not kept.",
    input,
    async run(asked) {
      const { path, content } = input.parse(asked);
      files += 1;
      if (files > mostFiles) return { text: "Enough tests were tried: give the verdict.", isError: true };
      return tryTests(context, work, path, content);
    },
  };
}

async function tryTests(context: ActionContext, work: ReviewWork, path: string, content: string) {
  const { trees, base } = context.workspace;
  const problem = await findProblem(context, work, path);
  if (problem !== undefined) return { text: problem, isError: true };
  const tree = await trees.write(base, [{ path, content }]);
  const onBase = await runWritten(context, tree, [path]);
  if (!onBase.ok)
    return { text: `The run without the patch cannot be trusted: ${onBase.message}`, isError: true };
  const { failing, strangers, guards } = onBase.value;
  if (failing.length + strangers.length + guards.length === 0)
    return {
      text: `No test of ${path} was reported: it is not among those that the command runs.`,
      isError: true,
    };
  const composed = await composeTree(context, work.state, work.candidate);
  if (!composed.ok) return { text: composed.message, isError: true };
  const withPatch = await runOn(context, await trees.write(composed.value, [{ path, content }]), {
    kind: "files",
    files: [path],
  });
  const passes = (key: TestKey): boolean => findStatus(withPatch.outcomes, key) === "passed";
  const broken = guards.filter(({ key }) => !passes(key));
  for (const { key } of broken)
    work.added.push(`An added test passes without the patch and fails with it: ${formatTestKey(key)}.`);
  const told = [
    describe(onBase.value, passes),
    await keep(context, work, { ...onBase.value, guards: guards.filter(({ key }) => passes(key)) }),
    ...renderFailures(withPatch.outcomes.filter(({ status }) => isFailing(status))),
  ];
  return { text: told.filter((text) => text !== "").join("\n\n") };
}

async function findProblem(
  { workspace }: ActionContext,
  { state }: ReviewWork,
  path: string,
): Promise<string | undefined> {
  if (!isTestFile(path)) return `${path} is not named as a file of tests.`;
  const reproductions = state.candidates
    .filter(({ kind }) => kind === "reproduction")
    .map(({ tree }) => tree);
  for (const tree of [workspace.base, ...reproductions])
    if ((await workspace.trees.read(tree, path)) !== undefined)
      return `There is a file ${path} already: take another name.`;
  return undefined;
}

function describe({ failing, strangers, guards }: WrittenTests, passes: (key: TestKey) => boolean): string {
  const passing = (of: WrittenTests["failing"]): string =>
    `${of.filter(({ key }) => passes(key)).length} of ${of.length}`;
  return [
    `Without the patch ${failing.length} fail for the stated reason, ${strangers.length} for another, and ${guards.length} pass.`,
    `With it ${passing(failing)}, ${passing(strangers)} and ${passing(guards)} of these pass.`,
  ].join(" ");
}

async function keep(context: ActionContext, work: ReviewWork, written: WrittenTests): Promise<string> {
  if (written.failing.length + written.guards.length === 0) return "None is kept.";
  const kept = await keepWritten(context, work.state, written, "all");
  if (!kept.ok) return `None is kept: ${kept.message}`;
  work.state = kept.value.state;
  const { id, targets, heldBack } = kept.value;
  return `Kept as ${id}: ${countOf(targets.length, "test")} that ${targets.length === 1 ? "shows" : "show"} the fault (${heldBack.length} held back), ${countOf(written.guards.length, "guard")}.`;
}
