import { defineSelector } from "../candidate-selector.ts";
import { javascriptSelector } from "./javascript-spans.ts";

export default defineSelector({
  language: "typescript",
  ...javascriptSelector,
  isChosen: (id) => `(globalThis as any).__millwrightCandidate===${id}`,
});
