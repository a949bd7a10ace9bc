import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { failureOf as failed, unwrap } from "../../../tests/model-fixture.ts";
import { MillwrightError } from "../../base/errors.ts";
import type { Embedder } from "../contract.ts";
import { openModels } from "../open-models.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "onnx-"));
  vi.stubEnv("HOME", home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

function lay(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
}

async function open(folder: string): Promise<Embedder> {
  const { embedder } = await openModels({ model: "none", embeddingModel: `onnx:${folder}`, environment: {} });
  if (embedder === undefined) throw new Error("It has no embeddings.");
  return embedder;
}

async function refusalOf(folder: string): Promise<MillwrightError> {
  const error = await open(folder).catch((reason: unknown) => reason);
  if (!(error instanceof MillwrightError)) throw new Error(`It did not fail as it should: ${String(error)}`);
  expect(error.code).toBe("usage");
  return error;
}

const tokenizer = JSON.stringify({ model: {} });

describe("a model that cannot be used", () => {
  it.each([
    ["is not there", {}, /There is no .*model/],
    ["has no network", { "model/tokenizer.json": tokenizer }, /no ONNX file/],
    ["has no tokenizer", { "model/onnx/model.onnx": "x" }, /no tokenizer\.json/],
    ["has several networks", { "model/a.onnx": "x", "model/b.onnx": "x" }, /onnx:.*a\.onnx.*onnx:.*b\.onnx/],
    ["has a pointer in the place of a file", { "model/model.onnx": "version https://git-lfs.x" }, /git-lfs/],
    [
      "has a tokenizer that is no JSON",
      { "model/model.onnx": "x", "model/tokenizer.json": "<" },
      /does not have the expected form/,
    ],
  ])("%s", async (_, files, message) => {
    lay(files);
    expect((await refusalOf("~/model")).message).toMatch(message);
  });

  it("because the libraries are missing, or cannot read it", async () => {
    lay({ "model/model.onnx": "{}", "model/tokenizer.json": tokenizer });
    const { message, hint } = await refusalOf("~/model");
    expect(message).toMatch(/is not installed|cannot be used/);
    expect(hint).toMatch(/npm install .*onnxruntime-node|whole/);
  });
});

/**
 * They stand where a user installs the real ones; a word's number is its length, and its vector that number and its
 * place.
 */
const libraries = ".local/share/millwright/onnx/node_modules";
const standIns = {
  [`${libraries}/onnxruntime-node/index.js`]: `
    exports.Tensor = class { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } };
    exports.InferenceSession = class {
      static async create(path) {
        const { inputs, own } = JSON.parse(require("node:fs").readFileSync(path, "utf8"));
        const inputMetadata = inputs.map((name) => ({ name, type: "int64" }));
        const run = async (given) => {
          const names = Object.keys(given).sort().join();
          if (names !== inputs.slice().sort().join()) throw new Error("it is given " + names);
          const ids = Array.from(given.input_ids.data, Number);
          const data = Float32Array.from(ids.flatMap((id, at) => [id, at]));
          const tokens = { type: "float32", data, dims: [1, ids.length, 2] };
          const pooled = { type: "float32", data: Float32Array.of(1, 1), dims: [1, 2] };
          return own ? { sentence_embedding: pooled, tokens } : { pooled, tokens };
        };
        return { inputNames: inputs, inputMetadata, run };
      }
    };`,
  [`${libraries}/@huggingface/tokenizers/index.js`]: `
    exports.Tokenizer = class {
      encode(text, { add_special_tokens = true } = {}) {
        const ids = text.split(" ").filter(Boolean).map(({ length }) => length);
        return { ids: add_special_tokens ? [100, ...ids, 200] : ids };
      }
    };`,
};
const bert = JSON.stringify({ inputs: ["input_ids", "attention_mask", "token_type_ids"] });

function directionOf(...vector: readonly number[]): number[] {
  return [...Float32Array.from(vector, (value) => value / Math.hypot(...vector))];
}

async function vectorOf(text: string, files: Readonly<Record<string, string>>): Promise<number[]> {
  lay({ ...standIns, "model/onnx/model.onnx": bert, "model/tokenizer.json": tokenizer, ...files });
  const [vector = []] = unwrap(await (await open("~/model")).embed([text]));
  return [...vector].map((value) => Math.fround(value));
}

describe("a text's vector", () => {
  it("is the mean of its tokens', of length 1", async () => {
    expect(await vectorOf("a bcd", {})).toEqual(directionOf(100 + 1 + 3 + 200, 0 + 1 + 2 + 3));
  });

  it.each([
    ["cls", directionOf(100, 0)],
    ["lasttoken", directionOf(200, 3)],
    ["max_tokens", directionOf(200, 3)],
  ])("is pooled as the model's makers say: %s", async (mode, expected) => {
    const pooling = JSON.stringify({ [`pooling_mode_${mode === "cls" ? "cls_token" : mode}`]: true });
    expect(await vectorOf("a bcd", { "model/1_Pooling/config.json": pooling })).toEqual(expected);
  });

  it("is the model's own where it has one", async () => {
    const own = JSON.stringify({ inputs: ["input_ids", "attention_mask"], own: true });
    expect(await vectorOf("a bcd", { "model/onnx/model.onnx": own })).toEqual(directionOf(1, 1));
  });

  it("is of as many tokens as the model reads, its marks among them", async () => {
    const sentences = JSON.stringify({ max_seq_length: 4 });
    const vector = await vectorOf("a bc def ghij", { "model/sentence_bert_config.json": sentences });
    expect(vector).toEqual(directionOf(100 + 1 + 2 + 200, 0 + 1 + 2 + 3));
  });

  it("is refused from a network that wants what no text gives, and for a pooling that is unknown", async () => {
    const odd = JSON.stringify({ inputs: ["input_ids", "pixel_values"] });
    lay({ ...standIns, "model/model.onnx": odd, "model/tokenizer.json": tokenizer });
    expect((await refusalOf("~/model")).message).toMatch(/pixel_values/);
    lay({ "model/1_Pooling/config.json": JSON.stringify({ pooling_mode_weightedmean_tokens: true }) });
    expect((await refusalOf("~/model")).message).toMatch(/pooling_mode_weightedmean_tokens/);
  });
});

it("has the same identity wherever it lies, and another when the model or its settings are another", async () => {
  const files = { "onnx/model.onnx": bert, "tokenizer.json": tokenizer };
  const at = (folder: string) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
  lay({ ...standIns, ...at("one"), ...at("two"), ...at("three"), ...at("four") });
  lay({ "three/1_Pooling/config.json": JSON.stringify({ pooling_mode_cls_token: true }) });
  lay({ "four/tokenizer_config.json": JSON.stringify({ do_lower_case: true }) });
  const [one, two, three] = [await open("~/one"), await open("~/two/onnx/model.onnx"), await open("~/three")];
  expect(two.identity).toBe(one.identity);
  expect(three.identity).not.toBe(one.identity);
  expect((await open("~/four")).identity).not.toBe(one.identity);
});

it("stops between two texts, and keeps the batches that are done", async () => {
  lay({ ...standIns, "model/model.onnx": bert, "model/tokenizer.json": tokenizer });
  const embedder = await open("~/model");
  const stop = new AbortController();
  let kept = 0;
  const answer = await embedder.embed(Array<string>(100).fill("a b"), {
    signal: stop.signal,
    onVectors(vectors, start) {
      kept = start + vectors.length;
      stop.abort();
    },
  });
  expect(failed(answer).kind).toBe("cancelled");
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(100);
});
