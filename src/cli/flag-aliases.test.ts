import { Command, Option } from "commander";
import { expect, test } from "vitest";
import { commands } from "./command-table.ts";
import { acceptAliases } from "./flag-aliases.ts";

/** The flags that the command gets, by attribute name. */
async function parse(name: string, ...words: readonly string[]): Promise<Record<string, unknown>> {
  const program = new Command().exitOverride();
  const load = commands[name];
  if (load === undefined) throw new Error(`no command ${name}`);
  (await load())(program);
  const [command] = program.commands;
  if (command === undefined) throw new Error("no command");
  command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  acceptAliases(command);
  command.action(() => {});
  await program.parseAsync(["node", "millwright", name, ...words]);
  return command.opts();
}

test.for([
  ["show", ["last", "--patch"], { as: "patch" }],
  ["show", ["last", "--diff"], { as: "patch" }],
  ["show", ["last", "--events"], { as: "events" }],
  ["solve", ["it breaks", "--patch"], { output: "patch" }],
  ["solve", ["it breaks", "--json", "-q"], { output: "json", quiet: true }],
  [
    "solve",
    ["-r", "elsewhere", "--timeout", "5m", "-m", "openai/x"],
    { repo: "elsewhere", maxTime: "5m", model: "openai/x" },
  ],
  [
    "solve",
    ["--test", "a", "b", "--budget=2", "-f", "issue.md"],
    { failingTest: ["a", "b"], maxCost: "2", issue: "issue.md" },
  ],
  ["tests", ["--repository=elsewhere", "--json"], { repo: "elsewhere", json: true }],
] as const)("%s takes %j", async ([name, words, flags]) => {
  const found = await parse(name, ...words);
  expect(found).toMatchObject(flags);
  // No flag of the alias's own: a setting of that name does not exist.
  expect(Object.keys(found)).not.toEqual(expect.arrayContaining(["patch"]));
});

test("a flag that stays unknown is an error with the nearest one, --verbose one that says what to do", async () => {
  await expect(parse("solve", "--stratgy", "unified")).rejects.toThrow("Did you mean --strategy?");
  await expect(parse("show", "last", "--verbose")).rejects.toThrow("show has no option --verbose");
  await expect(parse("solve", "--apply", "--dry-run")).rejects.toThrow("cannot be used with");
});

test("an own flag is never replaced, and the help lists what is accepted", () => {
  const command = new Command("x").option("--json").addOption(new Option("--output <file>"));
  acceptAliases(command.option("--repo <dir>"));
  expect(command.options.filter(({ long }) => long === "--json")).toHaveLength(1);
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  expect(help).toContain("Also accepted: -r, --repository for --repo.");
});
