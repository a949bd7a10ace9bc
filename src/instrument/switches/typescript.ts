import { defineSwitch } from "../candidate-switch.ts";
import { javascriptSwitch } from "./javascript-spans.ts";

export default defineSwitch({
  language: "typescript",
  ...javascriptSwitch,
  isChosen: (id) => `(globalThis as any).__millwrightCandidate===${id}`,
});
