/** Runs the agent's actions for MCP clients, one at a time, on one private copy of the repository. */
import { z } from "zod";
import { actions } from "../actions/index.generated.ts";
import { type Action, describeAction } from "../agent/action.ts";
import { renderState } from "../agent/state/render-state.ts";
import { taskKindSchema } from "../domain/task.ts";
import { type ActionDesk, type ActionDeskOptions, withActionDesk } from "../session/action-desk.ts";
import type { ServerAction } from "./create-server.ts";

/** The task's data for an action, in addition to its own input. */
const taskInput = z.object({
  statement: z
    .string()
    .describe("the task: an issue or a specification; actions with the same statement share their findings"),
  kind: taskKindSchema.default("repair"),
  target: z.string().optional().describe("FILE:SYMBOL that the task is about"),
  patches: z.array(z.string()).default([]).describe("your own candidates, as unified diffs"),
});

export interface ServedActions {
  readonly actions: readonly ServerAction[];
  close(): Promise<void>;
}

/** Makes actions available to MCP clients. Opens the repository only when a client requests the first action. */
export function serveActions(options: ActionDeskOptions): ServedActions {
  const desk = openLater(options);
  const serve = (action: Action): ServerAction => ({
    name: action.name,
    // Each call names its task, because a server keeps no state between calls.
    description: describeAction({
      ...action,
      ...(action.example && { example: { statement: "total() ignores the discount", ...action.example } }),
    }),
    effect: action.effect,
    input: taskInput.extend(action.input.shape),
    async run(asked, ask) {
      const { statement, kind, target, patches } = taskInput.parse(asked);
      const task = { kind, statement, ...(target === undefined ? {} : { target }) };
      const { text, isError, state, candidates, usage } = await desk.act({
        action,
        input: asked,
        task,
        patches,
        ask,
      });
      const told = `${text}\n\n# The state now\n\n${renderState(state) || "Nothing is known yet."}`;
      return { text: told, isError, data: { state, candidates, usage } };
    },
  });
  return {
    actions: actions.map(serve),
    close: desk.close,
  };
}

function openLater(options: ActionDeskOptions): ActionDesk & { close(): Promise<void> } {
  let opened: Promise<ActionDesk> | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let last: Promise<unknown> = Promise.resolve();
  let release = (): void => {};
  const open = (): Promise<ActionDesk> =>
    new Promise((resolve, reject) => {
      const held = new Promise<void>((give) => {
        release = give;
      });
      ended = withActionDesk(options, (desk) => {
        resolve(desk);
        return held;
      }).catch((error: unknown) => {
        opened = undefined;
        reject(error);
      });
    });
  return {
    act(request) {
      const next = last.then(async () => {
        opened ??= open();
        return (await opened).act(request);
      });
      last = next.catch(() => undefined);
      return next;
    },
    async close() {
      await last;
      release();
      await ended;
    },
  };
}
