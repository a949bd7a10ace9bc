/** A model for tests. It takes its answers from a file, in order or by the request's content. */
import { z } from "zod";
import { describeReadError, MillwrightError } from "../../base/errors.ts";
import { readGivenFile } from "../../base/regular-file.ts";
import { fail, succeed } from "../../base/result.ts";
import { modelFailureKinds, modelRoles } from "../contract.ts";
import { estimateTokens, freeOfCharge } from "../price.ts";
import {
  defineModelProvider,
  type RawAnswer,
  type RawPart,
  type RawUsage,
  type TransportCall,
  type TransportResult,
  type WireRequest,
} from "../provider.ts";

const callSchema = z.strictObject({
  name: z.string(),
  /** The arguments; use `inputText` for invalid JSON. */
  input: z.record(z.string(), z.unknown()).optional(),
  inputText: z.string().optional(),
});

const answerSchema = z.strictObject({
  /** Selects requests of this role whose last message (or `system`) has all of these texts. */
  when: z
    .strictObject({
      role: z.enum(modelRoles).optional(),
      contains: z.union([z.string(), z.array(z.string())]).optional(),
      system: z.string().optional(),
      /** The number of the sample. It selects the answer, because simultaneous requests arrive in any order. */
      sample: z.int().optional(),
    })
    .optional(),
  /** Number of requests that the entry answers; default one. `"always"`: any number. */
  times: z.union([z.int().positive(), z.literal("always")]).default(1),
  text: z.string().default(""),
  reasoning: z.string().optional(),
  calls: z.array(callSchema).default([]),
  finish: z.enum(["stop", "calls", "length", "refused", "other"]).optional(),
  usage: z
    .strictObject({ input: z.int(), output: z.int(), cached: z.int().default(0), usd: z.number().optional() })
    .optional(),
  /** Fails with this failure instead of answering. */
  failure: z
    .strictObject({
      kind: z.enum(modelFailureKinds),
      message: z.string(),
      retryAfterMs: z.number().optional(),
    })
    .optional(),
});
const scriptSchema = z.strictObject({ answers: z.array(answerSchema) });
type ScriptedAnswer = z.infer<typeof answerSchema>;

export default defineModelProvider({
  name: "scripted",
  description: "answers from a file, for tests",
  form: "path",
  example: "scripted:answers.json",
  keys: [],
  needsKey: false,
  addresses: [],
  address: "",
  listed: () => freeOfCharge,
  async open({ id: file }) {
    const { answers } = await readScript(file);
    const left = answers.map(({ times }) => (times === "always" ? Number.POSITIVE_INFINITY : times));
    let count = 0;
    return {
      remote: false,
      async generate(call) {
        const at = answers.findIndex(
          (answer, index) => (left[index] ?? 0) > 0 && matches(answer, call.request),
        );
        const answer = answers[at];
        if (answer === undefined) return unanswered(file, call.request);
        left[at] = (left[at] ?? 0) - 1;
        count += 1;
        return answerOf(answer, call, count);
      },
    };
  },
});

async function readScript(file: string): Promise<z.infer<typeof scriptSchema>> {
  try {
    return scriptSchema.parse(JSON.parse(readGivenFile(file).toString("utf8")));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : describeReadError(error);
    throw new MillwrightError("usage", `${file} is not a script for a model: ${why}`, { cause: error });
  }
}

function matches({ when = {} }: ScriptedAnswer, request: WireRequest): boolean {
  const { role, contains = [], system = "", sample } = when;
  const last = JSON.stringify(lastTexts(request));
  return (
    (role === undefined || role === request.role) &&
    (sample === undefined || sample === request.settings.sample) &&
    request.system.includes(system) &&
    [contains].flat().every((text) => last.includes(JSON.stringify(text).slice(1, -1)))
  );
}

function lastTexts({ messages }: WireRequest): string[] {
  const last = messages.at(-1);
  if (last === undefined) return [];
  if (last.role === "user") return [last.text];
  return last.role === "tool" ? last.results.map(({ text }) => text) : [];
}

function unanswered(file: string, request: WireRequest) {
  const last = lastTexts(request).join("\n").slice(-200);
  return fail(
    "not-scripted",
    `${file} has no answer left for a request of the role ${request.role} that ends with: ${last}`,
  );
}

function answerOf(
  answer: ScriptedAnswer,
  { request, onProgress }: TransportCall,
  count: number,
): TransportResult<RawAnswer> {
  const { text, reasoning = "", calls, usage, failure } = answer;
  if (failure !== undefined) {
    const { kind, message, retryAfterMs } = failure;
    return { ...fail(kind, message), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  const said: RawPart[] = [
    { type: "reasoning", text: reasoning },
    { type: "text", text },
  ];
  const called = calls.map(
    ({ name, input = {}, inputText = JSON.stringify(input) }, index): RawPart => ({
      type: "call",
      id: `call_${count}_${index + 1}`,
      name,
      inputText,
    }),
  );
  const parts = [...said.filter((part) => part.type !== "call" && part.text !== ""), ...called];
  for (const part of parts) if (part.type !== "call") onProgress({ type: part.type, delta: part.text });
  return succeed({
    parts,
    finish: answer.finish ?? (calls.length > 0 ? "calls" : "stop"),
    usage: usage === undefined ? estimate(request, parts) : usageOf(usage),
    warnings: [],
  });
}

function usageOf({ usd, ...counted }: NonNullable<ScriptedAnswer["usage"]>): RawUsage {
  return { ...counted, written: 0, ...(usd === undefined ? {} : { usd }) };
}

function estimate(request: WireRequest, parts: readonly RawPart[]): RawUsage {
  const [input, output] = [request, parts].map((data) => estimateTokens(JSON.stringify(data)));
  return { input: input ?? 0, output: output ?? 0, cached: 0, written: 0, estimated: true };
}
