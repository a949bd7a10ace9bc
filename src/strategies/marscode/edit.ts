/**
 * Static repair: the Editor writes several candidates in one request. Candidates with the same normal form count as
 * one. Then the model votes.
 */
import { z } from "zod";
import { applyWrittenEdits } from "../../agent/code/written-edits.ts";
import { performStage, type StagedRun, type Stop } from "../../agent/control/stages.ts";
import { keepCandidate } from "../../agent/state/keep-candidate.ts";
import type { TaskState } from "../../agent/state/task-state.ts";
import { type VoteGroup, voteCandidates } from "../../agent/state/vote.ts";
import { askModel } from "../../agent/think/sampling.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Message } from "../../llm/contract.ts";
import { describeTask } from "./plan.ts";
import { editorPrompt, votePrompt } from "./roles.prompt.ts";

/** Number of candidates to request; `--samples` sets another. The original number is not published. */
const usual = 4;
/** Maximum number of requests. Millwright repeats the request if no candidate applies. */
const tries = 2;

const choiceSchema = z.object({
  candidate: z.string().describe("the chosen candidate's id, such as c1"),
  why: z.string(),
});

export async function repairByReading(run: StagedRun): Promise<Candidate | undefined> {
  const made = (await writeCandidates(run, run.context.samples ?? usual)) ?? [];
  const { groups, winner } = await voteCandidates(run.context, made);
  if (groups.length < 2) return winner ?? made[0];
  return (await voteByModel(run, groups)) ?? winner;
}

async function writeCandidates(run: StagedRun, count: number): Promise<readonly Candidate[] | undefined> {
  return performStage(run, {
    name: "edit",
    intent: `write ${count} candidate repairs in one request`,
    run: async (state) => {
      const messages: Message[] = [{ role: "user", text: await describeTask(run, state) }];
      let stop: Stop | undefined;
      for (let attempt = 1; attempt <= tries; attempt += 1) {
        const system = editorPrompt(count);
        const { answer, stopped } = await askModel(run.context, { role: "editing", system, messages });
        stop = stopped;
        if (answer === undefined) break;
        const { made, next, problems } = await takeCandidates(run, state, answer.text);
        if (made.length > 0) return { value: made, state: next };
        const text = `No candidate applies.\n\n${problems.join("\n\n")}\n\nWrite all candidates again.`;
        messages.push(answer.message, { role: "user", text });
      }
      return { value: undefined, stopped: stop };
    },
  });
}

interface Taken {
  readonly made: readonly Candidate[];
  readonly next: TaskState;
  /** Messages about candidates that do not apply. */
  readonly problems: readonly string[];
}

async function takeCandidates({ context }: StagedRun, state: TaskState, text: string): Promise<Taken> {
  const made: Candidate[] = [];
  const problems: string[] = [];
  let next = state;
  for (const [index, part] of candidatesIn(text).entries()) {
    const written = await applyWrittenEdits(context, context.workspace.base, part);
    if (!written.ok) {
      problems.push(`Candidate ${index + 1}: ${written.message}`);
      continue;
    }
    const origin = `candidate ${index + 1} of the editor`;
    const kept = keepCandidate(context, next, { tree: written.value, kind: "code", origin });
    made.push(kept.candidate);
    next = kept.state;
  }
  return { made, next, problems };
}

/** Returns the parts below the headings, or the whole text if there are none. */
function candidatesIn(text: string): readonly string[] {
  const parts = text.split(/^[#* ]*candidate +\d+.*$/im);
  return parts.length === 1 ? parts : parts.slice(1);
}

async function voteByModel(run: StagedRun, groups: readonly VoteGroup[]): Promise<Candidate | undefined> {
  const { context } = run;
  const { trees, base } = context.workspace;
  const first = groups.map(({ candidates: [candidate] }) => candidate);
  const shown: string[] = [];
  for (const { candidates } of groups) {
    const [{ id, tree }] = candidates;
    const written = candidates.length === 1 ? "once" : `${candidates.length} times`;
    shown.push(`## ${id}, written ${written}\n\n${(await trees.diff(base, tree)).trimEnd()}`);
  }
  return performStage(run, {
    name: "vote",
    intent: `one of ${first.map(({ id }) => id).join(", ")}`,
    run: async () => {
      const text = `# Statement\n\n${context.task.statement}\n\n# Candidates\n\n${shown.join("\n\n")}`;
      const { answer, stopped } = await askModel(context, {
        role: "review",
        system: votePrompt,
        messages: [{ role: "user", text }],
        output: { name: "choice", schema: choiceSchema },
        final: true,
      });
      return { value: first.find(({ id }) => id === answer?.output?.candidate.trim()), stopped };
    },
  });
}
