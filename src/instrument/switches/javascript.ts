import { defineSwitch } from "../candidate-switch.ts";
import { javascriptSwitch } from "./javascript-spans.ts";

export default defineSwitch({ language: "javascript", ...javascriptSwitch });
