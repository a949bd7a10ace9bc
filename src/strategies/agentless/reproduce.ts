/**
 * Samples of tests that show the fault: those that fail on the base are kept, and the vote over their normal forms takes one. Ours
 * are tests in the repository's own framework, not scripts that print what they saw; that a failure is the stated one is computed.
 */
import type { ActionContext } from "../../agent/action.ts";
import { keepCandidate } from "../../agent/keep-candidate.ts";
import { renderSpans } from "../../agent/place-text.ts";
import { runOn } from "../../agent/run-candidate.ts";
import { sampleModel } from "../../agent/sampling.ts";
import { performStage, type StagedRun } from "../../agent/stages.ts";
import { matchSignature } from "../../agent/statement-signature.ts";
import type { TaskState } from "../../agent/task-state.ts";
import { voteCandidates } from "../../agent/vote.ts";
import { applyWrittenEdits } from "../../agent/written-edits.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { findStatus, formatTestKey, isFailing, type TestOutcome } from "../../domain/test-outcome.ts";
import { findRelatedTests } from "../../graph/retrieval/related-tests.ts";
import { pathOfPiece } from "../../graph/retrieval/search-index.ts";
import { isTestFile } from "../../languages/source-files.ts";
import { sampledTemperature } from "./numbers.ts";

const longestExample = 150;

const system = `You are given a statement about a repository, and tests of it as an example. Write one new file of tests in the same framework and style, beside the others and named as they are, with one small test that fails now because of what the statement reports, and would pass once it is done. Check what the statement says, and nothing else. Write the file as one block with an empty original part:
path/of/the/new/file
<<<<<<< ORIGINAL
=======
the whole file
>>>>>>> UPDATED`;

interface Shown {
  readonly candidate: Candidate;
  readonly failing: readonly TestOutcome[];
  readonly evidence: string;
}

/** Nothing where a test of the repository shows the fault already: it is taken as the reproduction. */
export async function reproduce(run: StagedRun, files: readonly string[], count: number): Promise<void> {
  const { context, work } = run;
  if ((work.state.fault?.targets ?? []).length > 0) return;
  const example = await exampleOf(context, files);
  await performStage(run, {
    name: "reproduce",
    intent: `a test that shows the fault, ${count} times`,
    run: async (state) => {
      const text = `# Statement\n\n${context.task.statement}\n\n# Tests as they are\n\n${example}`;
      const { answers, stopped } = await sampleModel(
        context,
        { role: "reproduction", system, messages: [{ role: "user", text }] },
        { count, temperature: sampledTemperature, greedyFirst: true },
      );
      const shown: Shown[] = [];
      for (const [index, answer] of answers.entries()) {
        const each = await showOn(context, answer.text, `sample ${index + 1} of the tests`);
        if (each !== undefined) shown.push(each);
      }
      const { winner, groups } = await voteCandidates(
        context,
        shown.map(({ candidate }) => candidate),
        { ignorePaths: true },
      );
      const chosen = shown.find(({ candidate }) => candidate === winner);
      if (chosen === undefined) return { value: undefined, stopped };
      const votes = `${groups[0]?.candidates.length ?? 1} of ${shown.length} tests that failed`;
      return { value: chosen, state: await keep(context, state, chosen, votes), stopped };
    },
  });
}

/** The tests nearest to the first file, or any. */
async function exampleOf(context: ActionContext, files: readonly string[]): Promise<string> {
  const { view, workspace } = context;
  await view.lay(workspace.base);
  const searcher = await view.context.searcher();
  const [related] = files.flatMap((path) => findRelatedTests(searcher, { path }, 1));
  const all = (await workspace.trees.list(workspace.base)).map(({ path }) => path).filter(isTestFile);
  const file = related === undefined ? all[0] : pathOfPiece(searcher.index, related.piece);
  if (file === undefined) return "(there are none)";
  const span = { file, startLine: 1, endLine: longestExample };
  return renderSpans(view, [span], { around: 0, numbered: false, mostLines: longestExample });
}

/** Undefined where the answer is no new file of tests, or nothing in it fails for the stated reason. */
async function showOn(context: ActionContext, text: string, origin: string): Promise<Shown | undefined> {
  const { workspace, suite, signature } = context;
  const { trees, base } = workspace;
  const made = await applyWrittenEdits(context, base, text, {
    refuse: (path) => (isTestFile(path) ? undefined : `${path} is no file of tests`),
  });
  if (!made.ok) return undefined;
  const files = (await trees.stat(base, made.value)).map(({ path }) => path);
  const { outcomes, invalid } = await runOn(context, made.value, { kind: "files", files });
  if (invalid !== undefined) return undefined;
  const known = new Set(suite.outcomes.map(({ key }) => formatTestKey(key)));
  const failing = outcomes.filter(({ key, status }) => isFailing(status) && !known.has(formatTestKey(key)));
  const match = failing.map((each) => matchSignature(signature, each)).find(({ matches }) => matches);
  if (match === undefined) return undefined;
  const candidate: Candidate = { id: origin, tree: made.value, kind: "reproduction", origin };
  return { candidate, failing, evidence: match.evidence };
}

async function keep(
  context: ActionContext,
  state: TaskState,
  { candidate, failing, evidence }: Shown,
  votes: string,
): Promise<TaskState> {
  const { tree } = candidate;
  const keys = failing.map(({ key }) => key);
  const second = await runOn(context, tree, { kind: "tests", tests: keys }, 2);
  const targets = keys.filter((key) => isFailing(findStatus(second.outcomes, key)));
  if (targets.length === 0) return state;
  const kept = keepCandidate(context, state, { tree, kind: "reproduction", origin: `chosen by ${votes}` });
  return {
    ...kept.state,
    fault: {
      targets,
      heldBack: [],
      baseRuns: [failing, second.outcomes],
      reason: { holds: true, evidence: `a test was written that fails without a patch: ${evidence}` },
    },
  };
}
