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

test.each([
  ["refresh", "--setup make", "--suite-limit 9m", "--linked-only", "--name a/b", "--seed 2"],
  ["recheck", "--test-command make", "--limit 3", "--most-files 3"],
  ["freeze", "--workers 3", "--test-timeout 9m", "--cutoff a=2024-01-01"],
  ["derive --dataset repotest", "--since 2024-01-01", "--workers 3"],
  ["mutants", "--since 2024-01-01", "--limit 3", "--most-files 3", "--suite-limit 9m"],
])("bench mine %s refuses flags without effect", async (command, ...flags) => {
  const load = commands["bench"];
  for (const flag of flags) {
    const program = new Command().exitOverride().configureOutput({ writeErr() {} });
    (await load?.())?.(program);
    const words = `bench mine ${command} . --out mined ${flag}`.split(" ");
    await expect(program.parseAsync(words, { from: "user" }), flag).rejects.toThrow("unknown option");
  }
});
