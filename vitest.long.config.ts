import { defineConfig } from "vitest/config";
import everyday, { longTests } from "./vitest.config.ts";

/** What the everyday tests leave out: one more language, strategy, dataset or document of what they show once. CI takes turns. */
export default defineConfig({
  test: { ...everyday.test, include: [longTests], exclude: ["node_modules/**"] },
});
