import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { MillwrightError } from "../../base/errors.ts";
import { fail, succeed } from "../../base/result.ts";
import { freeOfCharge } from "../price.ts";
import { defineModelProvider, type RawVectors, type TransportResult } from "../provider.ts";

/** Optional, and half a gigabyte: loaded where the user has installed it beside this program. */
const library = "@huggingface/transformers";
const textsAtOnce = 16;

/** What we use of the library. */
const librarySchema = z.object({
  // The library's own object, for it is written to.
  env: z.custom<object>((value) => typeof value === "object" && value !== null),
  pipeline: z.custom<MakePipeline>((value) => typeof value === "function"),
});
type MakePipeline = (
  task: "feature-extraction",
  model: string,
  options: { readonly dtype: string; readonly local_files_only: boolean },
) => Promise<ReadVectors>;
type ReadVectors = (
  texts: readonly string[],
  options: { readonly pooling: "mean"; readonly normalize: boolean },
) => Promise<{ readonly data: Float32Array; readonly dims: readonly number[] }>;

const noText = fail("bad-request", "a model of embeddings answers no questions");

export default defineModelProvider({
  name: "onnx",
  description: "embeddings of a model in a folder of yours (tokenizer.json, config.json, onnx/model.onnx)",
  form: "path",
  example: "onnx:/models/all-MiniLM-L6-v2",
  keys: [],
  needsKey: false,
  addresses: [],
  address: "",
  listed: () => freeOfCharge,
  async open({ id }) {
    const folder = resolve(id);
    for (const name of ["tokenizer.json", "config.json", "onnx/model.onnx"])
      if (!existsSync(join(folder, name)))
        throw new MillwrightError("usage", `There is no ${name} in the folder of the model, ${folder}.`, {
          hint: "Name a folder with tokenizer.json, config.json and onnx/model.onnx, such as a copy of a repository of models.",
        });
    const pipeline = await loadPipeline(folder);
    return {
      remote: false,
      generate: async () => noText,
      embed: (texts) => embed(pipeline, texts),
      embedBatch: textsAtOnce,
    };
  },
});

async function loadPipeline(folder: string): Promise<ReadVectors> {
  const { env, pipeline } = await loadLibrary();
  Object.assign(env, { allowRemoteModels: false, localModelPath: dirname(folder) });
  try {
    return await pipeline("feature-extraction", basename(folder), { dtype: "fp32", local_files_only: true });
  } catch (error) {
    throw new MillwrightError("usage", `The model in ${folder} cannot be loaded: ${messageOf(error)}`, {
      hint: "It has to be a model of embeddings with tokenizer.json, config.json and onnx/model.onnx.",
      cause: error,
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function loadLibrary(): Promise<z.infer<typeof librarySchema>> {
  const name: string = library; // not to be resolved before it is asked for
  try {
    return librarySchema.parse(await import(name));
  } catch (error) {
    throw new MillwrightError(
      "usage",
      `Models in ONNX files need the package ${library}, which cannot be loaded.`,
      {
        hint: `Install it where millwright is installed: npm install ${library} (with -g for a global one; about 500 MB).`,
        cause: error,
      },
    );
  }
}

async function embed(read: ReadVectors, texts: readonly string[]): Promise<TransportResult<RawVectors>> {
  try {
    const { data, dims } = await read(texts, { pooling: "mean", normalize: true });
    const size = dims.at(-1) ?? 0;
    const vectors = texts.map((_, at) => {
      const vector = Float32Array.from(data.subarray(at * size, (at + 1) * size));
      return Buffer.from(vector.buffer).toString("hex");
    });
    return succeed({ vectors, usage: { input: 0, cached: 0, written: 0, output: 0 } });
  } catch (error) {
    return fail("bad-answer", `the model failed: ${messageOf(error)}`);
  }
}
