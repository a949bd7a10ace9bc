import { Command } from "commander";
import { expect, test } from "vitest";
import { addSettingFlags, solvingOnly } from "./setting-flags.ts";

const command = (without: readonly (typeof solvingOnly)[number][]) => {
  const made = new Command("x").exitOverride();
  addSettingFlags(made, without);
  return made;
};

test("settings of runs are shown where there are runs, and taken elsewhere too", () => {
  expect(command([]).helpInformation()).toMatch(/--code-servers <value>[\s\S]*--remember/);
  const other = command(solvingOnly);
  expect(other.helpInformation()).not.toMatch(/--code-servers|--remember/);
  const given = ["--remember", "--code-servers", "off"];
  expect(other.parse(given, { from: "user" }).opts()).toEqual({ remember: true, codeServers: "off" });
});
