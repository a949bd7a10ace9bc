import { MillwrightError } from "../../base/errors.ts";
import { fail, succeed } from "../../base/result.ts";
import { type EmbedText, openEmbedText } from "../onnx/embed-text.ts";
import { loadLibraries } from "../onnx/load-libraries.ts";
import { identityOf, type ModelFiles, readModelFiles } from "../onnx/model-files.ts";
import { freeOfCharge } from "../price.ts";
import { defineModelProvider, type RawVectors, type TransportResult } from "../provider.ts";

/**
 * Maximum number of texts in one call. Each runs alone, because a batch would pad all texts to the longest. A quantised
 * model would then give different vectors.
 */
const textsAtOnce = 16;

const noText = fail("bad-request", "an embedding model cannot answer questions");

export default defineModelProvider({
  name: "onnx",
  description: "an embedding model in your folder (tokenizer.json and model.onnx)",
  form: "path",
  example: "onnx:/models/all-MiniLM-L6-v2",
  keys: [],
  needsKey: false,
  addresses: [],
  address: "",
  listed: () => freeOfCharge,
  async open({ id }) {
    const files = readModelFiles(id);
    const embedText = await openModel(files);
    return {
      remote: false,
      generate: async () => noText,
      embed: (texts, signal) => embed(embedText, texts, signal),
      embedBatch: textsAtOnce,
      identity: await identityOf(files),
    };
  },
});

async function openModel(files: ModelFiles): Promise<EmbedText> {
  const libraries = loadLibraries();
  try {
    const embedText = await openEmbedText(libraries, files);
    await embedText("a");
    return embedText;
  } catch (error) {
    throw new MillwrightError(
      "usage",
      `The model ${files.model} cannot be used: ${messageOf(error).trim()}`,
      {
        hint: "Give a complete embedding model, with its tokenizer.json.",
        cause: error,
      },
    );
  }
}

async function embed(
  embedText: EmbedText,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<TransportResult<RawVectors>> {
  const vectors: string[] = [];
  try {
    for (const text of texts) {
      if (signal.aborted) return fail("cancelled", "it was stopped");
      const vector = await embedText(text);
      vectors.push(Buffer.from(vector.buffer).toString("hex"));
    }
  } catch (error) {
    return fail("bad-answer", `the model failed: ${messageOf(error)}`);
  }
  return succeed({ vectors, usage: { input: 0, cached: 0, written: 0, output: 0 } });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
