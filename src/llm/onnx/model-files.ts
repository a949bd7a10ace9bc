/**
 * Reads the published files of an embedding model: an ONNX file, `tokenizer.json`, and settings for the maximum number
 * of tokens and the pooling. Many folders have only the first two.
 */
import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { MillwrightError } from "../../base/errors.ts";

/** Ways to pool the vectors of all tokens into one vector. */
export const poolings = ["mean", "cls", "max", "last"] as const;
export type Pooling = (typeof poolings)[number];

export interface ModelFiles {
  /** The path of the ONNX file. */
  readonly model: string;
  /** The contents of `tokenizer.json` and `tokenizer_config.json`. */
  readonly tokenizer: object;
  readonly tokenizerConfig: object;
  readonly pooling: Pooling;
  /** Maximum length of a text, including its special tokens. */
  readonly mostTokens: number;
}

/**
 * Upper limit of tokens, even for models that allow more. Few definitions are longer, and the cost of attention grows
 * quadratically.
 */
const mostTokens = 512;

const hint =
  "Give a folder with tokenizer.json and model.onnx (or onnx/model.onnx), such as a copy of a model's repository, or the ONNX file itself.";

/**
 * Reads the files of a model. `named`: a folder, or an ONNX file in it. Throws MillwrightError("usage") for missing or
 * unreadable files.
 */
export function readModelFiles(named: string): ModelFiles {
  const path = resolve(named.startsWith("~/") ? join(homedir(), named.slice(2)) : named);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw wrong(`There is no ${path}.`);
  if (!stat.isDirectory() && !path.endsWith(".onnx"))
    throw wrong(`${path} is neither a folder nor an ONNX file.`);
  const model = stat.isDirectory() ? findModel(path) : path;
  refusePointer(model);
  const folder = stat.isDirectory() ? path : folderOf(model);
  const tokenizerFile = findTokenizer(folder);
  const tokenizer = readJson(tokenizerFile, tokenizerSchema);
  const tokenizerConfig = readOptional(join(folder, "tokenizer_config.json"), tokenizerConfigSchema) ?? {};
  return {
    model,
    tokenizer,
    tokenizerConfig,
    pooling: poolingOf(folder),
    mostTokens: Math.min(mostTokens, statedTokens(folder, tokenizer, tokenizerConfig)),
  };
}

/**
 * Identifies a model by a hash of its tokenizer, settings and weights, so that its path does not matter. Reads the
 * whole model.
 */
export async function identityOf(files: ModelFiles): Promise<string> {
  const { model, tokenizer, tokenizerConfig, pooling, mostTokens } = files;
  const hash = createHash("sha256");
  hash.update(JSON.stringify([tokenizer, tokenizerConfig, pooling, mostTokens]));
  // Weights above two gigabytes are in a separate file next to the model.
  for (const path of [model, `${model}_data`].filter(existsSync))
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  return `onnx:${hash.digest("base64url").slice(0, 27)}`;
}

function wrong(message: string): MillwrightError {
  return new MillwrightError("usage", message, { hint });
}

/** Finds the ONNX file: one with a usual name, else the only file. */
function findModel(folder: string): string {
  const usual = ["onnx/model.onnx", "model.onnx"].map((name) => join(folder, name)).find(existsSync);
  if (usual !== undefined) return usual;
  const all = [folder, join(folder, "onnx")]
    .filter(existsSync)
    .flatMap((each) => readdirSync(each).map((name) => join(each, name)))
    .filter((path) => path.endsWith(".onnx"));
  const [only, ...others] = all;
  if (only === undefined) throw wrong(`There is no ONNX file in ${folder}.`);
  if (others.length > 0)
    throw wrong(
      `${folder} has several models: name one of them, ${all.map((path) => `onnx:${path}`).join(", ")}.`,
    );
  return only;
}

/** Returns the folder of a model's settings: the model's own folder, or the parent of `onnx/`. */
function folderOf(model: string): string {
  const own = dirname(model);
  return basename(own) === "onnx" && !existsSync(join(own, "tokenizer.json")) ? dirname(own) : own;
}

function findTokenizer(folder: string): string {
  const usual = join(folder, "tokenizer.json");
  if (existsSync(usual)) return usual;
  const others = readdirSync(folder).filter((name) => name.endsWith("tokenizer.json"));
  const [only] = others;
  if (only === undefined || others.length > 1) throw wrong(`There is no tokenizer.json in ${folder}.`);
  return join(folder, only);
}

/** Refuses a pointer in place of a model: a clone without git-lfs has pointers instead of large files. */
function refusePointer(model: string): void {
  const start = Buffer.alloc(24);
  const file = openSync(model, "r");
  const length = readSync(file, start);
  if (!start.subarray(0, length).toString().startsWith("version https://git-lfs")) return;
  throw new MillwrightError("usage", `${model} is a git-lfs pointer, not the model.`, {
    hint: "Run `git lfs pull` in the model's clone.",
  });
}

const tokenizerSchema = z.looseObject({
  model: z.looseObject({}),
  truncation: z.looseObject({ max_length: z.number() }).nullish(),
});
const tokenizerConfigSchema = z.looseObject({ model_max_length: z.number().optional() });
const configSchema = z.looseObject({ max_position_embeddings: z.number().optional() });
const sentencesSchema = z.looseObject({ max_seq_length: z.number().nullish() });
const poolingSchema = z.looseObject({
  pooling_mode: z.string().optional(),
  pooling_mode_cls_token: z.boolean().optional(),
  pooling_mode_mean_tokens: z.boolean().optional(),
  pooling_mode_max_tokens: z.boolean().optional(),
  pooling_mode_mean_sqrt_len_tokens: z.boolean().optional(),
  pooling_mode_weightedmean_tokens: z.boolean().optional(),
  pooling_mode_lasttoken: z.boolean().optional(),
});

/**
 * Returns the stated limit. The limit stated for the sentence model has priority over those of the tokenizer and the
 * network.
 */
function statedTokens(
  folder: string,
  { truncation }: z.infer<typeof tokenizerSchema>,
  { model_max_length }: z.infer<typeof tokenizerConfigSchema>,
): number {
  const sentences = readOptional(join(folder, "sentence_bert_config.json"), sentencesSchema);
  const config = readOptional(join(folder, "config.json"), configSchema);
  const said = sentences?.max_seq_length ?? truncation?.max_length;
  return said ?? Math.min(model_max_length ?? mostTokens, config?.max_position_embeddings ?? mostTokens);
}

/**
 * Poolings by name. Poolings whose vectors have the same direction are equal, because a vector's length does not affect
 * a cosine.
 */
const poolingNames: Readonly<Record<string, Pooling>> = {
  pooling_mode_mean_tokens: "mean",
  pooling_mode_mean_sqrt_len_tokens: "mean",
  pooling_mode_cls_token: "cls",
  pooling_mode_max_tokens: "max",
  pooling_mode_lasttoken: "last",
  mean: "mean",
  mean_sqrt_len_tokens: "mean",
  cls: "cls",
  max: "max",
  lasttoken: "last",
};

/** Returns the pooling in the settings of sentence-transformers; the mean if a folder has no such settings. */
function poolingOf(folder: string): Pooling {
  const path = join(folder, "1_Pooling", "config.json");
  const settings = readOptional(path, poolingSchema);
  if (settings === undefined) return "mean";
  const modes =
    settings.pooling_mode === undefined
      ? Object.keys(settings).filter((name) => name.startsWith("pooling_mode_") && settings[name] === true)
      : [settings.pooling_mode];
  const [mode = ""] = modes;
  const pooling = modes.length === 1 ? poolingNames[mode] : undefined;
  if (pooling !== undefined) return pooling;
  throw wrong(
    `${path} asks for a pooling that Millwright does not support: ${modes.join(" and ") || "none"}.`,
  );
}

function readOptional<T>(path: string, schema: z.ZodType<T>): T | undefined {
  return existsSync(path) ? readJson(path, schema) : undefined;
}

function readJson<T>(path: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    throw new MillwrightError("usage", `${path} does not have the expected form: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}
