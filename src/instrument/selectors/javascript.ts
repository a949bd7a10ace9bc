import { defineSelector } from "../candidate-selector.ts";
import { javascriptSwitch } from "./javascript-spans.ts";

export default defineSelector({ language: "javascript", ...javascriptSwitch });
