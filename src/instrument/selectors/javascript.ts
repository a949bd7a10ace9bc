import { defineSelector } from "../candidate-selector.ts";
import { javascriptSelector } from "./javascript-spans.ts";

export default defineSelector({ language: "javascript", ...javascriptSelector });
