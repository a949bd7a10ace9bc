import { type Command, Option } from "commander";
import { modelSettingNames, type SettingName, settingsSchema } from "../session/settings.ts";
import { flagOf, variableOf } from "./load-settings.ts";

/** Settings with a boolean value. */
const switches = new Set(["network", "remember"]);

/** Settings of models, which commands without models omit. */
const ofModels: ReadonlySet<string> = new Set(modelSettingNames);

/** Settings of `solve` that have no effect in commands without candidates and models. */
export const solvingOnly = [
  "strategy",
  "model",
  "maxCost",
  "maxTokens",
  "maxSteps",
  "samples",
  "arms",
  "parallel",
] as const satisfies readonly SettingName[];

/**
 * Settings of runs, which belong to `solve`. Other commands accept but hide them, because a settings file may also
 * contain them.
 */
const ofRuns: readonly string[] = ["remember", "codeServers"] satisfies SettingName[];

/**
 * Adds a flag for each setting of the schema: `maxTime` becomes `--max-time <value>`, with the schema's description.
 * `without`: settings without a flag; `model` stands for all settings of models. `repeated`: settings whose flags may
 * be given several times.
 */
export function addSettingFlags(
  command: Command,
  without: readonly SettingName[] = [],
  repeated: readonly SettingName[] = [],
): void {
  for (const [name, schema] of Object.entries(settingsSchema.shape)) {
    if (without.some((each) => each === name || (each === "model" && ofModels.has(name)))) continue;
    const flag = flagOf(name);
    const help = `${beginInLower(schema.description ?? "")} [${describeDefault(name)}${variableOf(name)}]`;
    const option = new Option(switches.has(name) ? flag : `${flag} <value>`, help);
    if (repeated.some((each) => each === name)) option.argParser(collect);
    command.addOption(ofRuns.includes(name) && without.includes("strategy") ? option.hideHelp() : option);
  }
}

/** Begins a description like those of other flags: `The sandbox` becomes `the sandbox`, and `PROVIDER/ID` stays. */
function beginInLower(text: string): string {
  return text.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

const defaults: Readonly<Record<string, unknown>> = settingsSchema.parse({});

/** Renders a default as `default: 4g, `; empty without a default. */
function describeDefault(name: string): string {
  const value = defaults[name];
  if (value === undefined) return "";
  return `default: ${typeof value === "number" ? describeNumber(name, value) : String(value)}, `;
}

function describeNumber(name: string, value: number): string {
  if (name === "memory") return `${value / 1024 ** 3}g`;
  return name === "modelTimeout" ? `${value / 60_000}m` : String(value);
}
