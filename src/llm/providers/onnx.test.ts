import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MillwrightError } from "../../base/errors.ts";
import { openModels } from "../open-models.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onnx-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function failureOf(embeddingModel: string): Promise<MillwrightError> {
  const opened = openModels({ model: "none", embeddingModel, environment: {} });
  const error = await opened.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof MillwrightError)) throw new Error(`It did not fail as it should: ${String(error)}`);
  return error;
}

it("names the file that a folder lacks", async () => {
  const { message, hint } = await failureOf(`onnx:${join(folder, "missing")}`);
  expect(message).toContain("tokenizer.json");
  expect(hint).toContain("onnx/model.onnx");
});

it("says what to install, or that the file is no model where it is installed", async () => {
  const model = join(folder, "model");
  mkdirSync(join(model, "onnx"), { recursive: true });
  for (const name of ["tokenizer.json", "config.json", "onnx/model.onnx"])
    writeFileSync(join(model, name), "{}");
  const { code, message, hint } = await failureOf(`onnx:${model}`);
  expect(code).toBe("usage");
  expect(message).toMatch(/cannot be loaded/);
  expect(hint).toMatch(/npm install @huggingface\/transformers|a model of embeddings/);
});
