import { expect, test } from "vitest";
import { defaultSwitches } from "../agent/switches.ts";
import { checkSwitches, chooseStrategy, kindsFor, strategyNamed } from "./choose-strategy.ts";
import { settingsSchema } from "./settings.ts";

test("a task gets the strategy of the settings, else the one that a model, or none, can do", () => {
  const chosen = (settings: object) => chooseStrategy(settingsSchema.parse(settings), "repair").name;
  expect(chosen({})).toBe("search-repair");
  expect(chosen({ model: "ollama/x" })).toBe("unified");
  expect(chosen({ model: "ollama/x", strategy: "react" })).toBe("react");
  expect(() => chosen({ strategy: "react" })).toThrow("needs a model");
  expect(() => chosen({ strategy: "external" })).toThrow("needs an agent");
  expect(chosen({ agentCommand: "x" })).toBe("external");
  expect(() => chosen({ strategy: "guess" })).toThrow("There is no strategy guess");
  expect(() => chooseStrategy(settingsSchema.parse({}), "feature")).toThrow("cannot solve tasks of the kind");
});

test("a strategy that runs others does what all of them do", () => {
  const kinds = (settings: object) => kindsFor(settingsSchema.parse({ model: "ollama/x", ...settings }));
  expect(kinds({})).toContain("feature");
  expect(kinds({ strategy: "best-of", arms: "unified,agentless" })).toEqual(["repair", "partial-fix"]);
  expect(kindsFor(settingsSchema.parse({}))).toEqual(["repair"]);
});

test("actions, their parts and the strategy's own stages can be turned off, and nothing else", () => {
  const check = (without: string[], strategy = "unified") =>
    checkSwitches({ ...defaultSwitches, without }, strategyNamed(strategy));
  expect(() => check(["ask", "workspace"])).not.toThrow();
  expect(() => check(["paint"])).toThrow("There is no action or stage paint");
  expect(() => check(["vote"])).toThrow("There is no action or stage vote");
  const published = { ...defaultSwitches, asPublished: true };
  expect(() => checkSwitches(published, strategyNamed("unified"))).not.toThrow();
  expect(() => checkSwitches(published, strategyNamed("workflow"))).not.toThrow();
  expect(() => checkSwitches(published, strategyNamed("agentless"))).toThrow("has no published form");
});
