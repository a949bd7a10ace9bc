/** Gathers the parts of an AI SDK stream into one answer. */
import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata, SharedV4Warning } from "@ai-sdk/provider";
import type { Opaque, ProgressEvent } from "../contract.ts";
import type { RawAnswer, RawPart } from "../provider.ts";

export interface GatheredStream {
  readonly parts: readonly RawPart[];
  readonly warnings: readonly string[];
  readonly finish: Extract<LanguageModelV4StreamPart, { type: "finish" }> | undefined;
  /** The error that the stream reported or that broke it. */
  readonly error: unknown;
}

/**
 * Gathers the parts of a stream. Never rejects: if the stream breaks, `error` holds the cause. Ends a stream with more
 * than `mostCharacters`.
 */
export async function gatherStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onProgress: (event: ProgressEvent) => void,
  mostCharacters: number,
): Promise<GatheredStream> {
  const blocks = new Map<string, number>();
  const parts: RawPart[] = [];
  const warnings: string[] = [];
  let finish: GatheredStream["finish"];
  let error: unknown;
  let left = mostCharacters;
  try {
    for await (const part of stream) {
      if ("delta" in part) left -= part.delta.length;
      if (left < 0) throw new Error("it is too long");
      if (part.type === "stream-start") warnings.push(...part.warnings.map(describeWarning));
      else if (part.type === "finish") finish = part;
      else if (part.type === "error") error ??= part.error;
      else gatherPart(part, parts, blocks, onProgress);
    }
  } catch (broken) {
    error ??= broken;
  }
  return { parts, warnings, finish, error };
}

/** Adds a part of the stream. `blocks`: the index in `parts` of each block of text or reasoning in progress. */
function gatherPart(
  part: LanguageModelV4StreamPart,
  parts: RawPart[],
  blocks: Map<string, number>,
  onProgress: (event: ProgressEvent) => void,
): void {
  switch (part.type) {
    case "text-start":
    case "reasoning-start": {
      const type = part.type === "text-start" ? "text" : "reasoning";
      blocks.set(`${type} ${part.id}`, parts.length);
      parts.push({ type, text: "", ...opaqueOf(part.providerMetadata) });
      return;
    }
    case "text-delta":
    case "text-end":
    case "reasoning-delta":
    case "reasoning-end": {
      const type = part.type.startsWith("text") ? "text" : "reasoning";
      const at = blocks.get(`${type} ${part.id}`);
      const open = at === undefined ? undefined : parts[at];
      if (at === undefined || open === undefined || open.type === "call") return;
      const delta = "delta" in part ? part.delta : "";
      parts[at] = { ...open, text: open.text + delta, ...opaqueOf(part.providerMetadata) };
      if (delta !== "") onProgress({ type, delta });
      return;
    }
    case "tool-call": {
      const { toolCallId: id, toolName: name, input: inputText } = part;
      parts.push({ type: "call", id, name, inputText, ...opaqueOf(part.providerMetadata) });
      return;
    }
    default:
      return;
  }
}

function opaqueOf(metadata: SharedV4ProviderMetadata | undefined): { opaque?: Opaque } {
  return metadata === undefined ? {} : { opaque: metadata };
}

export function describeWarning(warning: SharedV4Warning): string {
  if (warning.type === "other") return warning.message;
  if (warning.type === "deprecated") return `${warning.setting} is deprecated: ${warning.message}`;
  return `${warning.type}: ${warning.feature}${warning.details === undefined ? "" : ` (${warning.details})`}`;
}

const finishes: Readonly<Record<string, RawAnswer["finish"]>> = {
  stop: "stop",
  length: "length",
  "tool-calls": "calls",
  "content-filter": "refused",
};

export function finishOf({ finish, parts }: GatheredStream): RawAnswer["finish"] {
  const said = finishes[finish?.finishReason.unified ?? ""] ?? "other";
  // Some servers report "stop" although the model calls tools.
  return said !== "refused" && said !== "length" && parts.some((part) => part.type === "call")
    ? "calls"
    : said;
}
