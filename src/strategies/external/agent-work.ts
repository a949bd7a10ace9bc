/**
 * Records an external agent's work as events of the run. These are model calls, the answers' tool calls, and requests
 * for commands and files.
 */
import { z } from "zod";
import { keyForArm } from "../../agent/control/arm.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import { hashData } from "../../base/hash.ts";
import type { Answer, AssistantMessage } from "../../llm/contract.ts";
import { type ChatRequest, type GivenAnswers, keyOfAnswer } from "./chat-request.ts";

/** A command that the agent ran, or a file that it read. */
export const environmentUseSchema = z.object({
  what: z.enum(["run", "read"]),
  about: z.string().max(100_000),
  failed: z.boolean(),
  ms: z.int().nonnegative(),
  output: z.string().max(200_000),
});
export type EnvironmentUse = z.infer<typeof environmentUseSchema>;

export interface AgentWork extends GivenAnswers {
  /**
   * Counts this request, and returns the number of equal requests before it. This number is the `sample` of the
   * request's key, so that equal requests get separate answers.
   */
  countSample(request: unknown): number;
  /** Records that the answer's tool calls have started. They end with the request that contains their results. */
  answered(answer: Answer): void;
  asked(chat: ChatRequest): void;
  used(use: EnvironmentUse): Promise<void>;
  /** Records that the agent has ended: open calls get no result. */
  ended(): Promise<void>;
}

interface OpenTool {
  readonly done: Promise<unknown>;
  end(text: string, isError: boolean): void;
}

/** Limits of one attempt for records about its environment: events, and characters of their outputs. */
const mostUses = 20_000;
const mostOutput = 200_000_000;

/** Records the work of an external agent. `attempt`: how often this run has started the agent. */
export function recordAgentWork(recorder: StrategyContext["recorder"], attempt: number): AgentWork {
  const samples = new Map<string, number>();
  const messages = new Map<string, AssistantMessage>();
  const open = new Map<string, OpenTool>();
  const ends: Promise<unknown>[] = [];
  let uses = 0;
  let outputLeft = mostOutput;

  function endTool(id: string, text: string, isError: boolean): void {
    open.get(id)?.end(text, isError);
    open.delete(id);
  }

  return {
    find: (key) => messages.get(key),
    countSample(request) {
      const key = hashData(request);
      const sample = samples.get(key) ?? 0;
      samples.set(key, sample + 1);
      return sample;
    },
    answered(answer) {
      messages.set(keyOfAnswer(answer.text, answer.calls), answer.message);
      for (const { id, name, input } of answer.calls) {
        endTool(id, "", true);
        const result = Promise.withResolvers<{ text: string; isError: boolean }>();
        const done = recorder.calls.tool(
          { handle: answer.handle, id, tool: name, input },
          () => result.promise,
        );
        open.set(id, { done, end: (text, isError) => result.resolve({ text, isError }) });
        ends.push(done);
      }
    },
    asked({ messages: all }) {
      for (const { role, tool_call_id: id = "", content } of all) {
        if (role !== "tool" || !open.has(id)) continue;
        const text =
          typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
        endTool(id, text, false);
      }
    },
    async used(use) {
      uses += 1;
      if (uses > mostUses) return;
      const { what, about } = use;
      outputLeft -= use.output.length;
      const kept = outputLeft < 0 ? { ...use, output: "" } : use;
      await recorder.step(
        {
          key: keyForArm(recorder, `external:${attempt}:${uses}`),
          title: `${what === "run" ? "$" : "read"} ${shortly(about)}`,
          schema: environmentUseSchema,
          large: true,
        },
        async () => kept,
      );
    },
    async ended() {
      for (const id of [...open.keys()]) endTool(id, "(the agent ended)", false);
      await Promise.all(ends);
    },
  };
}

const longestTitle = 60;

function shortly(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > longestTitle ? `${line.slice(0, longestTitle)}…` : line;
}
