/**
 * The patch agent: a conversation in which the model writes patches until one can be applied. If the reviewer rejects
 * the patch, the model writes another one by the reviewer's advice.
 */
import type { ActionContext } from "../../agent/action.ts";
import { renderSpans } from "../../agent/code/place-text.ts";
import { applyWrittenEdits } from "../../agent/code/written-edits.ts";
import { performStage, type StagedRun } from "../../agent/control/stages.ts";
import { keepCandidate } from "../../agent/state/keep-candidate.ts";
import { askModel } from "../../agent/think/sampling.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Message, ModelSettings } from "../../llm/contract.ts";
import type { BugLocation } from "./locate.ts";
import { patchPrompt } from "./roles.prompt.ts";

/** Maximum answers for one patch. If Millwright cannot apply an answer, the model gets the reason. */
const tries = 3;
const mostLines = 1_000;
/** Lines shown before and after each location. */
const around = 10;

export interface PatchTalk {
  readonly messages: Message[];
  readonly settings: ModelSettings;
}

export async function openTalk(
  { view, workspace, task }: Pick<ActionContext, "view" | "task" | "workspace">,
  locations: readonly BugLocation[],
  settings: ModelSettings,
): Promise<PatchTalk> {
  await view.lay(workspace.base);
  const code = await renderSpans(view, locations, { around, numbered: false, mostLines });
  const intended = locations.map(
    ({ file, startLine, endLine, intended: what }) => `- ${file}:${startLine}-${endLine}: ${what}`,
  );
  const text = `# Statement\n\n${task.statement}\n\n# Intended behaviour by place\n\n${intended.join("\n")}\n\n# Code\n\n${code}`;
  return { messages: [{ role: "user", text }], settings };
}

/**
 * Writes a patch. Returns undefined if none of the model's patches applies, or if the model gives no answer. `advice`:
 * the review of the rejected patch.
 */
export async function writePatch(
  run: StagedRun,
  talk: PatchTalk,
  intent: string,
  advice?: string,
): Promise<Candidate | undefined> {
  const { context } = run;
  const { messages, settings } = talk;
  if (advice !== undefined) messages.push({ role: "user", text: `${advice}\n\nWrite a new patch.` });
  return performStage(run, {
    name: "write-patch",
    intent,
    run: async (state) => {
      for (let attempt = 1; attempt <= tries; attempt += 1) {
        const { answer, stopped } = await askModel(context, {
          role: "editing",
          system: patchPrompt,
          messages,
          settings,
        });
        if (answer === undefined) return { value: undefined, stopped };
        messages.push(answer.message);
        const made = await applyWrittenEdits(context, context.workspace.base, answer.text);
        if (made.ok) {
          const kept = keepCandidate(context, state, { tree: made.value, kind: "code", origin: intent });
          return { value: kept.candidate, state: kept.state };
        }
        const text = `The patch does not apply.\n\n${made.message}\n\nWrite the whole patch again.`;
        if (attempt < tries) messages.push({ role: "user", text });
      }
      return { value: undefined };
    },
  });
}
