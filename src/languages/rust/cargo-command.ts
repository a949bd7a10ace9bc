/** Splits commands that start `cargo test` into their parts. */
import { quoteWord } from "../../base/shell-word.ts";
import { assignedBy, parseShell } from "../javascript/javascript-shell.ts";

export interface CargoCommand {
  /** Variables that the command sets before the program. */
  readonly env: Readonly<Record<string, string>>;
  /** `cargo`, and `+toolchain` if the command names one. */
  readonly program: readonly string[];
  readonly runner: "test" | "nextest";
  /** The arguments after the verb: options of cargo, then `--` and options of the tests. */
  readonly args: readonly string[];
}

/** Reads one shell command as a call of `cargo test` or `cargo nextest run`. Undefined for another command. */
export function readCargoCommand(
  text: string,
  env: Readonly<Record<string, string>> = {},
): CargoCommand | undefined {
  const commands = parseShell(text);
  const [command] = commands ?? [];
  if (command === undefined || commands?.length !== 1) return undefined;
  const words = command.words.map((word) => word.text);
  if (!/(?:^|\/)cargo$/.test(words[0] ?? "")) return undefined;
  const verb = words.findIndex(
    (word, at) => at > 0 && !/^[+]|^-[qv]+$|^--(?:locked|offline|frozen)$/.test(word),
  );
  const program = words.slice(0, verb).filter((word, at) => at === 0 || word.startsWith("+"));
  const all = { ...env, ...assignedBy(command) };
  const rest = words.slice(verb + 1);
  if (words[verb] === "test" || words[verb] === "t") {
    return { env: all, program, runner: "test", args: rest };
  }
  const isNextest = words[verb] === "nextest" && (rest[0] === "run" || rest[0] === "r");
  return isNextest ? { env: all, program, runner: "nextest", args: rest.slice(1) } : undefined;
}

/** Returns the cargo command as a person would type it. */
export function formatCargoCommand({ env, program, runner, args }: CargoCommand): string {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${quoteWord(value)}`);
  const verb = runner === "test" ? ["test"] : ["nextest", "run"];
  return [...assignments, ...[...program, ...verb, ...args].map(quoteWord)].join(" ");
}

/** Cargo's options that take a value as the next word. */
export const valued: ReadonlySet<string> = new Set(
  `-p --package --exclude --bin --test --example --bench -j --jobs --profile -F --features --target --target-dir
  --manifest-path --message-format --color --config -Z -C --lockfile-path`.split(/\s+/),
);

/**
 * Splits the arguments into groups: an option with its value, or a single word. If the arguments contain `--`, the last
 * group is `--` with the words after it.
 */
export function groupArguments(args: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    const size = word === "--" ? args.length : valued.has(word) ? 2 : 1;
    groups.push(args.slice(at, at + size));
    at += size - 1;
  }
  return groups;
}
