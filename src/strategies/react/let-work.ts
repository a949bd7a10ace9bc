/** The loop of a model with a shell and an editor, up to its `submit` or a limit. */
import type { ActionContext } from "../../agent/action.ts";
import { editorTools } from "../../agent/code/editor-tools.ts";
import type { ShellDesk } from "../../agent/code/shell-desk.ts";
import { shellTool } from "../../agent/code/shell-tools.ts";
import { type ThinkEnd, type ThinkTool, think } from "../../agent/think/think.ts";
import { withShortHistory } from "./history.ts";

const steps = 250;
const mostAsked = 3;

export interface Told {
  readonly system: string;
  readonly opening: string;
  readonly submit: ThinkTool<true>;
  /** Receives the model's last words, if it repeatedly answered without a tool call. Millwright counts this as a submission. */
  readonly onWords: (text: string) => void;
}

export function letWork(
  context: Pick<
    ActionContext,
    "models" | "advise" | "workspace" | "recorder" | "limits" | "decoding" | "signal"
  >,
  desk: ShellDesk,
  { system, opening, submit, onWords }: Told,
): Promise<ThinkEnd<true>> {
  return think<true>(
    { ...context, models: withShortHistory(context.models) },
    {
      role: "editing",
      system,
      opening,
      tools: toolsOf(context, desk, submit),
      maxSteps: steps,
      advise: false,
      takeWords(text, inARow) {
        if (inARow <= mostAsked) return undefined;
        onWords(text);
        return true;
      },
    },
  );
}

function toolsOf(
  { workspace, limits }: Pick<ActionContext, "workspace" | "limits">,
  desk: ShellDesk,
  submit: ThinkTool<true>,
): ThinkTool<true>[] {
  const tools = [shellTool(desk), ...editorTools(workspace.trees, desk), submit];
  return tools.map((tool) => ({
    ...tool,
    run(input) {
      limits.spendStep();
      return tool.run(input);
    },
  }));
}
