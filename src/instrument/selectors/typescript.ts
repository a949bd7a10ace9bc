import { defineSelector } from "../candidate-selector.ts";
import { javascriptSwitch } from "./javascript-spans.ts";

export default defineSelector({
  language: "typescript",
  ...javascriptSwitch,
  isChosen: (id) => `(globalThis as any).__millwrightCandidate===${id}`,
});
