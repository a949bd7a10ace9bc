import { existsSync } from "node:fs";
import { MillwrightError } from "../../base/errors.ts";
import { createRedactor } from "../../base/redact.ts";
import { fail, succeed } from "../../base/result.ts";
import {
  defineModelProvider,
  type OpenOptions,
  type RawAnswer,
  type RawVectors,
  type Transport,
  type TransportResult,
} from "../provider.ts";
import { explainMiss } from "../recording/nearest.ts";
import { openRecording, type Recording } from "../recording/store.ts";

export default defineModelProvider({
  name: "replay",
  description: "the answers of a recorded run: the same request gets the same answer, at no cost",
  form: "path",
  isRecording: true,
  example: "replay:RUN/calls",
  keys: [],
  needsKey: false,
  addresses: [],
  address: "",
  listed: () => undefined,
  open: (options) => openReplay(options),
});

/**
 * Opens a recording as a model. A recorded request that differs only in changing parts, such as times, counts as equal.
 * `similar`: if no recorded request is equal, answers from a similar one, with a warning. Throws
 * MillwrightError("usage") if the folder does not exist.
 */
export async function openReplay(
  { id: folder, redactor = createRedactor() }: OpenOptions,
  { similar = false } = {},
): Promise<Transport> {
  if (!existsSync(folder))
    throw new MillwrightError("usage", `There is no recording ${folder}.`, {
      hint: "Give the folder with the files *.request.json and *.answer.json.",
    });
  const recording = openRecording(folder, redactor);
  return {
    remote: false,
    repeats: true,
    async generate({ request, onProgress }) {
      const same = (await recording.find(request)) ?? (await recording.findAlike(request));
      const found = same ?? (similar ? await recording.findSimilar(request) : undefined);
      if (found === undefined) return missed(explainMiss(request, await recording.requests()));
      const result = found.result as TransportResult<RawAnswer>;
      if (!result.ok) return result;
      for (const part of result.value.parts)
        if (part.type !== "call" && part.text !== "") onProgress({ type: part.type, delta: part.text });
      const warnings =
        same === undefined
          ? [...result.value.warnings, "this answer was recorded for a similar request"]
          : result.value.warnings;
      return succeed({ ...result.value, warnings, model: found.model });
    },
    embed: (texts) => replayVectors(recording, texts),
  };
}

async function replayVectors(
  recording: Recording,
  texts: readonly string[],
): Promise<TransportResult<RawVectors>> {
  const found = await recording.find({ embed: texts });
  return found === undefined
    ? missed("these texts were not embedded")
    : (found.result as TransportResult<RawVectors>);
}

function missed(why: string) {
  return fail("not-recorded", `no recording of this request: ${why}`);
}
