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

test("tasks are not retired for what a store of environments lacks", async () => {
  const program = new Command().exitOverride().configureOutput({ writeErr() {} });
  (await commands["bench"]?.())?.(program);
  const words = ["bench", "mine", "recheck", ".", "--out", "mined", "--frozen", "--retire-unbuilt"];
  await expect(program.parseAsync(words, { from: "user" })).rejects.toThrow("cannot be used with");
});
