import type { Command } from "commander";
import { type SettingName, settingsSchema } from "./settings.ts";

/** Settings that are switches rather than values. */
const switches = new Set(["network"]);

/** One flag for each setting of the schema: `maxTime` becomes `--max-time <value>`, with the schema's description; `without` those. */
export function addSettingFlags(command: Command, without: readonly SettingName[] = []): void {
  for (const [name, schema] of Object.entries(settingsSchema.shape)) {
    if (without.some((each) => each === name)) continue;
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    command.option(switches.has(name) ? flag : `${flag} <value>`, schema.description ?? "");
  }
}
