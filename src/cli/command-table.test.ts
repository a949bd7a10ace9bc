import { Command } from "commander";
import { expect, test } from "vitest";
import { commands } from "./command-table.ts";

test("what stands under a name is the command of that name, and no other", async () => {
  for (const [name, load] of Object.entries(commands)) {
    const program = new Command();
    (await load())(program);
    expect(program.commands.map((command) => command.name())).toEqual([name]);
  }
});
