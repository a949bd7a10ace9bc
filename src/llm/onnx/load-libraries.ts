/**
 * Loads the libraries that compute embeddings. They are too large for dependencies: the user installs them in a
 * separate folder, or next to this program.
 */
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { isSystemError, MillwrightError } from "../../base/errors.ts";

/** The part of `onnxruntime-node` that we use. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(path: string, options: object): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: string, data: BigInt64Array | Int32Array, dims: readonly number[]) => object;
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly inputMetadata: readonly { readonly name: string; readonly type?: string }[];
  run(inputs: Readonly<Record<string, object>>): Promise<Readonly<Record<string, OnnxTensor>>>;
}

export interface OnnxTensor {
  readonly type: string;
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}

/** The part of `@huggingface/tokenizers` that we use. */
export interface Tokenizer {
  encode(
    text: string,
    options?: { readonly add_special_tokens?: boolean },
  ): { readonly ids: readonly number[] };
}
export type MakeTokenizer = new (tokenizer: object, config: object) => Tokenizer;

export interface OnnxLibraries {
  readonly runtime: OnnxRuntime;
  readonly Tokenizer: MakeTokenizer;
}

/** The default folder of the libraries, below the home folder. */
const librariesFolder = ".local/share/millwright/onnx";
const runtimeName = "onnxruntime-node";
const tokenizersName = "@huggingface/tokenizers";

export const librariesRemedy = `Run \`npm install --ignore-scripts --prefix ~/${librariesFolder} ${runtimeName} ${tokenizersName}\` (about 300 MB).`;

const isFunction = (value: unknown): boolean => typeof value === "function";
const runtimeSchema = z.object({
  InferenceSession: z.custom<OnnxRuntime["InferenceSession"]>(isFunction),
  Tensor: z.custom<OnnxRuntime["Tensor"]>(isFunction),
});
const tokenizersSchema = z.object({ Tokenizer: z.custom<MakeTokenizer>(isFunction) });

/**
 * Loads the libraries for ONNX models. If one is missing or broken, throws MillwrightError("usage") with instructions
 * to install it.
 */
export function loadLibraries(): OnnxLibraries {
  const runtime = load(runtimeName, runtimeSchema);
  const { Tokenizer } = load(tokenizersName, tokenizersSchema);
  return { runtime, Tokenizer };
}

function load<T>(name: string, schema: z.ZodType<T>): T {
  const places = [join(homedir(), librariesFolder, "package.json"), import.meta.url];
  for (const place of places) {
    try {
      return schema.parse(createRequire(place)(name));
    } catch (error) {
      if (!isSystemError(error, "MODULE_NOT_FOUND")) throw broken(name, error);
    }
  }
  throw new MillwrightError("usage", `Models in ONNX files need ${name}, which is not installed.`, {
    hint: librariesRemedy,
  });
}

function broken(name: string, error: unknown): MillwrightError {
  const reason = error instanceof Error ? error.message : String(error);
  return new MillwrightError("usage", `${name} is installed but cannot be loaded: ${reason}`, {
    hint: `Install it again. ${librariesRemedy}`,
    cause: error,
  });
}
