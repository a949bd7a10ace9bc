import { expect, test } from "vitest";
import { parseSettings } from "./settings.ts";

test.each<[object, string]>([
  [{ maxOutputTokens: "160" }, "it must be at least 512"],
  [{ maxOutputTokens: { all: 160 } }, "it must be at least 512"],
  [{ maxOutputTokens: "8000,editing=160" }, "editing: it must be at least 512"],
  [{ maxOutputTokens: "many" }, "it must be a number"],
  [{ testCommand: 5 }, "it must be a text"],
  [{ maxOutputTokens: "600.5" }, "it must be a whole number"],
  [{ temperature: "5" }, "it must be at most 2"],
  [{ temperature: "cooking=1" }, "cooking is unknown"],
  [{ reasoning: "huge" }, "it must be one of none, minimal, low, medium, high"],
  [{ maxSteps: "0" }, "it must be more than 0"],
  [{ sandbox: "vm" }, "it must be one of auto, docker, bubblewrap, local"],
  [{ maxTime: "soon" }, '"soon" is not a duration such as 90s or 30m'],
  [{ remember: "perhaps" }, "it must be one of 0, 1, true, false"],
  [{ modelPrices: "ollama/a=one/2" }, "ollama/a.input: it must be a number"],
  [{ sandboxes: "docker" }, "sandboxes is unknown"],
])("a wrong value is explained without words of a schema: %o", (values, why) => {
  const [name = ""] = Object.keys(values);
  expect(() => parseSettings(values, (own) => `--${own}`)).toThrow(`--${name} is wrong: ${why}`);
});
