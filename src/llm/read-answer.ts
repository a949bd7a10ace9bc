/** Checks an answer against the request: calls against their tools, output against its schema. */
import { z } from "zod";
import { readJson } from "../base/parse-json.ts";
import { fail } from "../base/result.ts";
import type {
  AssistantPart,
  ModelFailure,
  ModelRequest,
  OutputSpec,
  ToolCall,
  ToolSpec,
} from "./contract.ts";
import { parseModelJson } from "./parse-json.ts";
import type { RawAnswer, RawPart } from "./provider.ts";

export function textOf(parts: readonly (RawPart | AssistantPart)[], type: "text" | "reasoning"): string {
  return parts.flatMap((part) => (part.type === type ? part.text : [])).join("");
}

/** Converts an answer's parts to the form in which the next request repeats them. */
export function partsOf(answer: RawAnswer): AssistantPart[] {
  return answer.parts.map((part): AssistantPart => {
    if (part.type !== "call") return part;
    const { inputText, ...call } = part;
    return { ...call, input: parseInput(inputText)?.value ?? inputText };
  });
}

export function callsOf(answer: RawAnswer, tools: readonly ToolSpec[]): ToolCall[] {
  return answer.parts.flatMap((part) => (part.type === "call" ? checkCall(part, tools) : []));
}

function checkCall(
  { id, name, inputText }: Extract<RawPart, { type: "call" }>,
  tools: readonly ToolSpec[],
): ToolCall {
  const parsed = parseInput(inputText);
  const written = { id, name, input: parsed === undefined ? inputText : parsed.value };
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) {
    const names = tools.map((each) => each.name).join(", ") || "none";
    return { ...written, problem: `There is no tool "${name}". The tools are: ${names}.` };
  }
  if (parsed === undefined)
    return { ...written, problem: `The arguments of ${name} are not valid JSON: ${complaint(inputText)}` };
  const checked = tool.input.safeParse(parsed.value);
  if (checked.success) return { ...written, input: checked.data };
  return { ...written, problem: `The arguments of ${name} do not fit: ${issuesOf(checked.error)}` };
}

/** Parses a call's arguments. Missing arguments count as an empty object. */
function parseInput(text: string): { readonly value: unknown } | undefined {
  return text.trim() === "" ? { value: {} } : parseModelJson(text);
}

function complaint(text: string): string {
  try {
    readJson(text);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export type OutputReading<T> =
  | { readonly fits: true; readonly output: T }
  | { readonly fits: false; readonly why: string };

export function readOutput<T>(text: string, spec: OutputSpec<T>): OutputReading<T> {
  const parsed = parseModelJson(text);
  if (parsed === undefined)
    return { fits: false, why: text.trim() === "" ? "it is empty" : "it is not valid JSON" };
  const checked = spec.schema.safeParse(parsed.value);
  return checked.success
    ? { fits: true, output: checked.data }
    : { fits: false, why: issuesOf(checked.error) };
}

/** Returns the request with the unusable answer and the reason appended, so that the model answers again with JSON. */
export function askToRepair<T>(request: ModelRequest<T>, answer: RawAnswer, why: string): ModelRequest<T> {
  const said = textOf(answer.parts, "text");
  const text = `That answer cannot be used: ${why}. Answer again, only with JSON of the requested form.`;
  const repeated = said.trim() === "" ? [] : [{ role: "assistant" as const, parts: partsOf(answer) }];
  return { ...request, messages: [...request.messages, ...repeated, { role: "user", text }] };
}

/** Returns the failure for the caller, without the fields that only providers and retries use. */
export function toFailure({ kind, message, text }: ModelFailure): ModelFailure {
  return { ...fail(kind, message), ...(text === undefined ? {} : { text }) };
}

function issuesOf(error: z.ZodError): string {
  return z
    .prettifyError(error)
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("✖ ", "; ")
    .replace(/^; /, "");
}
