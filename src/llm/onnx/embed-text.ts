/** Embeds a text: splits it into tokens, runs the network, and pools the tokens' vectors into one. */
import type { OnnxLibraries, OnnxRuntime, OnnxSession, OnnxTensor, Tokenizer } from "./load-libraries.ts";
import type { ModelFiles, Pooling } from "./model-files.ts";

/** Embeds a text. Resolves to a vector of Euclidean length 1. Throws the runtime's errors. */
export type EmbedText = (text: string) => Promise<Float32Array>;

/** Opens a model. Throws the libraries' errors for a model or a tokenizer that they do not support. */
export async function openEmbedText(
  { runtime, Tokenizer }: OnnxLibraries,
  { model, tokenizer, tokenizerConfig, pooling, mostTokens }: ModelFiles,
): Promise<EmbedText> {
  const tokenize = createTokenize(new Tokenizer(tokenizer, tokenizerConfig), mostTokens);
  const session = await runtime.InferenceSession.create(model, sessionOptions);
  const inputs = inputsOf(session);
  return async (text) => {
    const ids = tokenize(text);
    const fed = inputs.map(({ name, type, fill }) => [name, tensorOf(runtime, type, ids.map(fill))]);
    return normalise(pool(await session.run(Object.fromEntries(fed)), pooling));
  };
}

/** Logs only errors. Waiting threads sleep instead of spinning, because others share the machine. */
const sessionOptions = {
  logSeverityLevel: 3,
  extra: { session: { intra_op: { allow_spinning: "0" } } },
};

/** Makes a tokenizer that truncates the text, but never the special tokens around it. */
function createTokenize(tokenizer: Tokenizer, mostTokens: number): (text: string) => number[] {
  const plainOf = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const [sample, marked] = [plainOf("a"), tokenizer.encode("a").ids];
  const begin = marked.findIndex((_, at) => sample.every((id, offset) => marked[at + offset] === id));
  if (begin < 0) return (text) => tokenizer.encode(text).ids.slice(0, mostTokens);
  const before = marked.slice(0, begin);
  const after = marked.slice(begin + sample.length);
  const room = Math.max(1, mostTokens - before.length - after.length);
  return (text) => [...before, ...plainOf(text).slice(0, room), ...after];
}

interface Input {
  readonly name: string;
  readonly type: string;
  readonly fill: (id: number, at: number) => number;
}

const fillings: Readonly<Record<string, Input["fill"]>> = {
  input_ids: (id) => id,
  attention_mask: () => 1,
  token_type_ids: () => 0,
  position_ids: (_, at) => at,
};

function inputsOf({ inputNames, inputMetadata }: OnnxSession): Input[] {
  return inputNames.map((name) => {
    const fill = fillings[name];
    const type = inputMetadata.find((each) => each.name === name)?.type ?? "int64";
    if (fill === undefined || !["int64", "int32"].includes(type))
      throw new Error(`the model needs an input that embedding models do not have: ${name} (${type})`);
    return { name, type, fill };
  });
}

function tensorOf({ Tensor }: OnnxRuntime, type: string, values: readonly number[]): object {
  const data = type === "int32" ? Int32Array.from(values) : BigInt64Array.from(values, BigInt);
  return new Tensor(type, data, [1, values.length]);
}

/** Returns the model's own sentence vector if it has one, else the pooled vectors of the tokens. */
function pool(outputs: Readonly<Record<string, OnnxTensor>>, pooling: Pooling): Float32Array {
  const own = outputs["sentence_embedding"];
  if (own !== undefined) return rowOf(own, 0, own.data.length);
  const tokens = outputs["last_hidden_state"] ?? Object.values(outputs).find(({ dims }) => dims.length === 3);
  const [, count = 0, size = 0] = tokens?.dims ?? [];
  if (tokens === undefined || count === 0 || tokens.type !== "float32")
    throw new Error("the model does not return token vectors of 32-bit numbers, as embedding models do");
  if (pooling === "cls") return rowOf(tokens, 0, size);
  if (pooling === "last") return rowOf(tokens, count - 1, size);
  const all = rowOf(tokens, 0, size);
  for (let at = size; at < count * size; at++) {
    const [column, value, known] = [at % size, tokens.data[at] ?? 0, all[at % size] ?? 0];
    all[column] = pooling === "max" ? Math.max(known, value) : known + value;
  }
  return all;
}

function rowOf({ data }: OnnxTensor, row: number, size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, at) => data[row * size + at] ?? 0);
}

function normalise(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
