import { Command } from "commander";
import { expect, test } from "vitest";
import { addSwitchFlags, readSwitches, type SwitchFlags } from "./switch-flags.ts";

function read(...args: string[]) {
  const command = new Command("x").exitOverride();
  addSwitchFlags(command);
  return readSwitches(command.parse(args, { from: "user" }).opts<SwitchFlags>())[0];
}

test("what is turned off adds up, in one flag or in several", () => {
  const without = ["ask", "plan", "workspace"];
  expect(read("--without", "ask, plan", "--without", "workspace")).toMatchObject({ without });
  expect(read("--no-backtracking")).toMatchObject({ without: [], backtracking: false, heldBack: true });
  expect(read("--as-published")).toMatchObject({ asPublished: true });
  expect(read("--no-rules")).toMatchObject({ backtracking: true, rules: false });
  expect(read("--no-workspace", "--no-trace", "--without", "trace")).toMatchObject({
    without: ["trace", "workspace"],
  });
});
