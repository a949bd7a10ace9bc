/**
 * The only thinking loop (ReAct, Yao et al., ICLR 2023). A model answers with calls, Millwright runs them, and the
 * model gets their replies, until a reply or a limit ends the loop. Thinking actions, and strategies that choose among
 * actions, are this loop with different tools. A resumed run repeats the loop. Answers come from the recording of
 * calls, and expensive results from the run's own record.
 */

import type { z } from "zod";
import { countOf } from "../../base/count.ts";
import type {
  Answer,
  Condensed,
  Message,
  ModelClient,
  ModelRole,
  ModelSettings,
  ToolCall,
} from "../../llm/contract.ts";
import type { Limits } from "../record/limits.ts";
import { type Outputs, outputTool, shortenKept } from "../record/outputs.ts";
import type { Recorder } from "../record/recorder.ts";
import { inScope } from "../record/scope.ts";
import { condense, leftOut } from "./condense.ts";
import { watchProgress } from "./stuck.ts";

export interface ThinkContext {
  readonly models: ModelClient;
  readonly limits: Pick<Limits, "exhausted">;
  readonly signal: AbortSignal;
  /** Model settings of requests that give none. */
  readonly decoding: ModelSettings;
  /**
   * Stores replies that are too long to show, and records calls of tools. Without `outputs`, the loop only shortens
   * such replies.
   */
  readonly recorder?: Pick<Recorder, "outputs"> &
    Partial<Pick<Recorder, "append" | "events" | "calls" | "number">>;
  /** The value of `advise` for requests that give none; default: true. */
  readonly advise?: boolean;
}

/** A tool of the loop; `T` is the loop's result. */
export interface ThinkTool<T> {
  /** The tool's name, of letters, digits, `_` and `-`. */
  readonly name: string;
  /** The description for the model: the tool's effect, when to choose the tool, and when to choose another. */
  readonly description: string;
  readonly input: z.ZodObject;
  /**
   * Performs a call. `input` has passed the schema. Equal input and state give equal results. Throws only if the
   * infrastructure fails.
   */
  readonly run: (input: unknown) => Promise<ToolReply<T>>;
  /**
   * The loop calls this before each answer. Returns false if the tool has nothing to do now. The result should rarely
   * change, because providers cache an unchanged prefix.
   */
  readonly isOffered?: () => boolean;
  /** True if this tool shows shortened replies by their handles. The loop then adds no separate tool. */
  readonly showsOutputs?: boolean;
  /** The loop calls this after it shortened earlier replies. The tool may then show their content again. */
  readonly onForgotten?: () => void;
}

export interface ToolReply<T> {
  readonly text: string;
  readonly isError?: boolean;
  /** The result with which the loop ends. */
  readonly end?: T;
}

export interface ThinkRequest<T> {
  readonly role: ModelRole;
  readonly system: string;
  readonly opening: string;
  readonly tools: readonly ThinkTool<T>[];
  readonly maxSteps: number;
  readonly settings?: ModelSettings;
  /**
   * False in a strategy that follows a published one faithfully. Millwright then only observes the loop, without advice
   * or an early end.
   */
  readonly advise?: boolean;
  /**
   * The loop calls this before each answer. Returns the opening without parts that are no longer needed; undefined to
   * keep the opening. The result may change once, because providers cache an unchanged prefix.
   */
  readonly reopen?: () => string | undefined;
  /**
   * Returns the end that an answer without a call means; undefined to continue. `inARow`: number of such answers in a
   * row, from 1.
   */
  readonly takeWords?: (text: string, inARow: number) => T | undefined | Promise<T | undefined>;
  /** Returns the current knowledge, which replaces shortened replies. Only for a loop whose steps are whole actions. */
  readonly summary?: () => string;
  /**
   * The loop calls this after each answer, with the number of remaining steps. Returns the remaining limits, as text
   * for the end of the last reply.
   */
  readonly left?: (steps: number) => Promise<string>;
  /** The loop calls this if it is stuck. Returns a text that lets the loop continue; undefined ends it. */
  readonly rescue?: (sign: string) => string | undefined;
}

export type ThinkEnd<T> =
  | { readonly kind: "ended"; readonly value: T; readonly steps: number }
  | {
      readonly kind: "stopped";
      readonly because: StopReason;
      readonly message: string;
      readonly steps: number;
    };
export type StopReason = "steps" | "limit" | "model" | "stuck";

/** Maximum calls of one answer. Further calls do not run. */
const mostCalls = 12;
/** Maximum characters of a reply. */
const longestReply = 16_000;

export function think<T>(context: ThinkContext, asked: ThinkRequest<T>): Promise<ThinkEnd<T>> {
  const thread = context.recorder?.number?.("thread");
  return inScope(thread === undefined ? {} : { thread }, () => converse(context, asked));
}

async function converse<T>(context: ThinkContext, asked: ThinkRequest<T>): Promise<ThinkEnd<T>> {
  const { maxSteps, opening, advise = context.advise ?? true } = asked;
  const outputs = advise && maxSteps > fewSteps ? context.recorder?.outputs : undefined;
  const tools = withOutputs(asked.tools, outputs);
  const request = { ...asked, tools };
  let messages: Message[] = [{ role: "user", text: opening }];
  let condensed: Condensed | undefined;
  let progress = watchProgress();
  let unread = 0;
  let silent = 0;
  for (let step = 1; step <= maxSteps; step += 1) {
    const limit = context.limits.exhausted();
    if (limit !== undefined) return stopped("limit", limit, step);
    messages = reopened(messages, request.reopen?.());
    const shown = outputs === undefined ? messages : shortenHistory(context, request, messages, outputs);
    condensed = sumOf(condensed, leftOut(messages, shown));
    messages = shown;
    const answer = await ask(context, request, messages, condensed);
    if (!answer.ok) {
      unread = answer.kind === "bad-answer" ? unread + 1 : mostUnread;
      if (unread < mostUnread) messages.push({ role: "user", text: unreadable(answer.message) });
      else return stopped(answer.kind === "budget" ? "limit" : "model", answer.message, step);
      continue;
    }
    unread = 0;
    messages.push(answer.value.message);
    const replies = await runCalls(context, tools, answer.value, outputs);
    const ended = replies.find(({ end }) => end !== undefined);
    if (ended?.end !== undefined) return { kind: "ended", value: ended.end, steps: step };
    // A truncated answer may have been about to call.
    silent = replies.length === 0 && answer.value.finish !== "length" ? silent + 1 : 0;
    const meant = silent === 0 ? undefined : await request.takeWords?.(answer.value.text.trim(), silent);
    if (meant !== undefined) return { kind: "ended", value: meant, steps: step };
    const sign = progress.see(replies);
    const isHopeless = advise && sign?.hopeless === true;
    const wayOut = isHopeless ? request.rescue?.(sign.fact) : undefined;
    if (isHopeless && wayOut === undefined) return stopped("stuck", sign.fact, step);
    if (wayOut !== undefined) progress = watchProgress();
    const wasCut = answer.value.finish === "length" ? cutShort : undefined;
    const left = await request.left?.(maxSteps - step);
    messages.push(
      ...answerTo(withLeft(replies, left), wayOut ?? wasCut ?? (advise ? sign?.advice : undefined)),
    );
  }
  return stopped("steps", `the limit of ${countOf(maxSteps, "step")} was reached`, maxSteps);
}

function sumOf(one: Condensed | undefined, other: Condensed | undefined): Condensed | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { replies: one.replies + other.replies, characters: one.characters + other.characters };
}

/** Replaces the opening, which is the first message. */
function reopened(messages: Message[], text: string | undefined): Message[] {
  return text === undefined ? messages : [{ role: "user", text }, ...messages.slice(1)];
}

function shortenHistory<T>(
  { models, recorder }: ThinkContext,
  { role, tools, summary }: ThinkRequest<T>,
  messages: Message[],
  outputs: Outputs,
): Message[] {
  const { contextTokens } = models.modelOf(role);
  const at = summary === undefined ? {} : { summary };
  const condensed = condense(messages, { contextTokens, outputs, ...at });
  if (condensed === undefined) return messages;
  for (const tool of tools) tool.onForgotten?.();
  const text = `Millwright condensed a conversation of the role ${role}, because the whole conversation could exceed the model's context window.`;
  const isNoted = recorder?.events?.some((event) => event.event === "remark-made" && event.text === text);
  if (summary === undefined && isNoted === false)
    recorder?.append?.({ event: "remark-made", level: "note", text });
  return condensed;
}

/** A loop with at most this many steps has no long conversation, so its outputs are not stored. */
const fewSteps = 3;

function withOutputs<T>(
  tools: readonly ThinkTool<T>[],
  outputs: Outputs | undefined,
): readonly ThinkTool<T>[] {
  if (outputs === undefined || tools.some(({ showsOutputs }) => showsOutputs === true)) return tools;
  return [...tools, outputTool(outputs)];
}

/** Number of consecutive unreadable answers that ends the loop. */
const mostUnread = 3;

function unreadable(why: string): string {
  return `Millwright could not read your last answer (${why}), and removed it. Answer briefly, with a call.`;
}

const cutShort =
  "Your answer exceeded its length limit, and was cut off. Write less, and make one call at a time.";

function stopped(because: StopReason, message: string, steps: number): ThinkEnd<never> {
  return { kind: "stopped", because, message, steps };
}

async function ask<T>(
  { models, signal, decoding }: ThinkContext,
  { role, system, tools, settings }: ThinkRequest<T>,
  messages: readonly Message[],
  condensed: Condensed | undefined,
) {
  const offered = tools.filter(({ isOffered }) => isOffered?.() !== false);
  const shortened = condensed === undefined ? {} : { condensed };
  const said = { role, system, tools: offered, signal, messages: [...messages], ...shortened };
  const answer = await models.generate({ ...said, settings: { ...decoding, ...settings } });
  signal.throwIfAborted();
  return answer;
}

interface Replied<T> extends ToolReply<T> {
  readonly call: ToolCall;
}

/** Runs the calls in order. Stops after a reply that ends the loop. */
async function runCalls<T>(
  { recorder }: ThinkContext,
  tools: readonly ThinkTool<T>[],
  { calls, handle }: Pick<Answer<unknown>, "calls" | "handle">,
  outputs: Outputs | undefined,
): Promise<readonly Replied<T>[]> {
  const replies: Replied<T>[] = [];
  for (const [index, call] of calls.entries()) {
    const tool = tools.find(({ name }) => name === call.name);
    const problem =
      index < mostCalls
        ? call.problem
        : "Not run: your answer contains too many calls. Repeat this call in your next answer.";
    const run = async (): Promise<ToolReply<T>> =>
      problem === undefined && tool !== undefined
        ? await tool.run(call.input)
        : { text: problem ?? `There is no tool ${call.name}.`, isError: true };
    const called = { handle, id: call.id, tool: call.name, input: call.input };
    const reply = recorder?.calls === undefined ? await run() : await recorder.calls.tool(called, run);
    replies.push({ ...reply, text: shortenKept(reply.text, longestReply, outputs), call });
    if (reply.end !== undefined) break;
  }
  return replies;
}

function withLeft<T>(replies: readonly Replied<T>[], left: string | undefined): readonly Replied<T>[] {
  const last = replies.at(-1);
  return last === undefined || left === undefined
    ? replies
    : [...replies.slice(0, -1), { ...last, text: `${last.text}\n\n${left}` }];
}

function answerTo<T>(replies: readonly Replied<T>[], advice: string | undefined): Message[] {
  if (replies.length === 0) return [{ role: "user", text: advice ?? "Continue: call one of the tools." }];
  const results = replies.map(({ call, text, isError = false }) => ({
    callId: call.id,
    tool: call.name,
    text,
    isError,
  }));
  return [
    { role: "tool", results },
    ...(advice === undefined ? [] : [{ role: "user" as const, text: advice }]),
  ];
}
