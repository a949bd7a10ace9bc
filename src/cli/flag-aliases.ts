/** Adds aliases for flags that people guess, such as `--timeout`. The command's help lists them. */
import { type Command, Option } from "commander";
import { MillwrightError } from "../base/errors.ts";

/**
 * An alias. `means`: flags, or flags with the values that the alias sets. The first flag that the command has counts.
 */
interface Alias {
  readonly flags: string;
  readonly means: readonly (readonly [flag: string, value?: string])[];
}

const patch = [
  ["--as", "patch"],
  ["--output", "patch"],
] as const;
const aliases: readonly Alias[] = [
  { flags: "--patch", means: patch },
  { flags: "--diff", means: patch },
  { flags: "--events", means: [["--as", "events"]] },
  { flags: "--calls", means: [["--as", "calls"]] },
  { flags: "--json", means: [["--output", "json"]] },
  { flags: "-r, --repository", means: [["--repo"]] },
  { flags: "-m", means: [["--model"]] },
  { flags: "-f, --file", means: [["--issue"]] },
  { flags: "--test", means: [["--failing-test"]] },
  { flags: "--timeout", means: [["--max-time"], ["--time-limit"]] },
  { flags: "--budget", means: [["--max-cost"]] },
];

/**
 * Adds aliases of existing flags to the command and its subcommands. Skips an alias if the command already has a flag
 * of that name. Also adds `--verbose`, only to refuse it.
 */
export function acceptAliases(command: Command): void {
  for (const each of command.commands) acceptAliases(each);
  if (command.options.length === 0) return;
  const accepted = aliases.flatMap((alias) => {
    const target = findTarget(command, alias);
    if (target === undefined || alias.flags.split(", ").some((flag) => hasFlag(command, flag))) return [];
    command.addOption(optionOf(alias.flags, target));
    const { option, value } = target;
    return [`${alias.flags} for ${option.long}${value === undefined ? "" : ` ${value}`}`];
  });
  if (!hasFlag(command, "--verbose")) command.addOption(verbose(command));
  if (accepted.length > 0) command.addHelpText("after", `\nAlso accepted: ${accepted.join("; ")}.`);
}

interface Target {
  readonly option: Option;
  readonly value: string | undefined;
}

/**
 * Finds the option that an alias sets. A value must be one of the option's choices: in some commands, `--output` names
 * a file.
 */
function findTarget(command: Command, { means }: Alias): Target | undefined {
  for (const [flag, value] of means) {
    const option = command.options.find(({ long }) => long === flag);
    if (option === undefined) continue;
    if (value === undefined || option.argChoices?.includes(value) === true) return { option, value };
  }
  return undefined;
}

function hasFlag(command: Command, flag: string): boolean {
  return command.options.some(({ long, short }) => long === flag || short === flag);
}

/**
 * Makes the alias's option, which sets the target's value: commander stores an option's value under its attribute name.
 */
function optionOf(flags: string, { option, value }: Target): Option {
  const argument = value === undefined ? (/[<[].*$/.exec(option.flags)?.[0] ?? "") : "";
  const alias = new Option(`${flags} ${argument}`.trim()).hideHelp();
  alias.attributeName = () => option.attributeName();
  if (option.parseArg !== undefined) alias.argParser(option.parseArg);
  return value === undefined ? alias : alias.preset(value);
}

/**
 * Makes the option `--verbose`, which Millwright refuses: there is no more to print, and the record of a run has
 * everything.
 */
function verbose(command: Command): Option {
  return new Option("--verbose")
    .hideHelp()
    .preset("")
    .argParser(() => {
      throw new MillwrightError("usage", `${command.name()} has no option --verbose`, {
        hint: "Standard error shows the progress; `millwright show last --as events` shows all events of the last run.",
      });
    });
}
