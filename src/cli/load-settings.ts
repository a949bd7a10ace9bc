/**
 * Reads settings, with later sources having priority: defaults, user's file, project's file, environment, flags. No
 * other module reads these sources, except that the library reads `languageServers` from both files.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import type { Environment } from "../llm/model-name.ts";
import { modelProviders } from "../llm/providers/index.generated.ts";
import {
  parseSettings,
  readJsonFile,
  type SettingName,
  type Settings,
  settingsSchema,
  userSettingsFile,
} from "../session/settings.ts";
import { hostOf } from "./host.ts";

/**
 * The settings that a repository's file may have. Only the user may set the others: they choose the sandbox and its
 * view, programs of the host, addresses, and places of files.
 */
const forProjects: ReadonlySet<string> = new Set<SettingName>([
  "strategy",
  "arms",
  "model",
  "modelRoles",
  "embeddingModel",
  "temperature",
  "reasoning",
  "maxOutputTokens",
  "modelTimeout",
  "modelParallel",
  "maxCost",
  "maxTokens",
  "maxSteps",
  "maxTime",
  "samples",
  "parallel",
  "codeServers",
  "testCommand",
  "testTimeout",
]);
/** Limits that a repository may lower below the values of the user's file, but not raise. */
const spending: ReadonlySet<string> = new Set<SettingName>(["maxCost", "maxTokens"]);

const fileModels = modelProviders.filter(({ form }) => form === "path").map(({ name }) => `${name}:`);

/**
 * True for a model that reads a file: the repository could write the answers itself, and approve its own patch. Native
 * code reads the file of a local model.
 */
function namesFileModel(value: unknown): boolean {
  const text = JSON.stringify(value) ?? "";
  return fileModels.some((name) => text.includes(name));
}

/** True for a setting that a repository must not set. */
function isRefused(name: string, value: unknown, user: Readonly<Record<string, unknown>>): boolean {
  if (!Object.hasOwn(settingsSchema.shape, name)) return false; // reported as unknown
  if (!forProjects.has(name)) return true;
  if (name === "strategy" || name === "arms") return /\bexternal\b/.test(String(value));
  if (/model/i.test(name) && namesFileModel(value)) return true;
  return spending.has(name) && Number(value) > Number(user[name] ?? Infinity);
}

export interface SettingsSources {
  readonly repository: string;
  readonly environment: Environment;
  /** The flags that the user gave, without defaults. */
  readonly flags: Readonly<Record<string, unknown>>;
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** The settings as given by files, variables and flags. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

/** Reads the settings of this process from all sources, with these flags. Warnings go to standard error. */
export function readSettings(repository: string, flags: Readonly<Record<string, unknown>>): Settings {
  return readSettingValues(repository, flags).settings;
}

/** Like `readSettings`, but also returns the values of the sources before defaults are added. */
export function readSettingValues(
  repository: string,
  flags: Readonly<Record<string, unknown>>,
): Pick<LoadedSettings, "settings" | "values"> {
  const { environment, onNotice } = hostOf();
  const { warnings, ...loaded } = loadSettings({ repository, environment, flags });
  for (const text of warnings) onNotice({ level: "warning", text });
  return loaded;
}

/**
 * Merges the settings of all sources and parses them. Throws MillwrightError("usage") for an unreadable file or a wrong
 * value; the message names the value's source.
 */
export function loadSettings(sources: SettingsSources): LoadedSettings {
  const { environment, flags, repository } = sources;
  const user = readSettingsFile(userSettingsFile(environment));
  const projectPath = join(repository, "millwright.config.json");
  const project = readSettingsFile(projectPath);
  const refused = Object.keys(project).filter((name) => isRefused(name, project[name], user));
  for (const name of refused) delete project[name];
  const merged = { ...user, ...project, ...readEnvironment(environment), ...flags };
  const settings = parseSettings(merged, (name) => sourceOf(name, sources));
  const warnings = refused.map(
    (name) =>
      `${projectPath}: Millwright ignores "${name}", because a repository may not set it; use a flag or an environment variable`,
  );
  return { settings, values: merged, warnings };
}

/** Returns the user's name for a setting: the flag, the variable, or the key of a settings file. */
function sourceOf(name: string, { flags, environment }: SettingsSources): string {
  if (flags[name] !== undefined) return flagOf(name);
  return environment[variableOf(name)]
    ? `The variable ${variableOf(name)}`
    : `The setting "${name}" of a file`;
}

/** Returns the flag of a setting: `maxTime` becomes `--max-time`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns the variable of a setting: `maxTime` becomes `MILLWRIGHT_MAX_TIME`. */
export function variableOf(name: string): string {
  return `MILLWRIGHT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Reads settings from variables: `MILLWRIGHT_MAX_TIME=30m` sets `maxTime`. */
function readEnvironment(environment: Environment): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of Object.keys(settingsSchema.shape)) {
    const value = environment[variableOf(name)];
    if (value !== undefined && value !== "") found[name] = value;
  }
  return found;
}

function readSettingsFile(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {};
  try {
    const { $schema: _, languageServers: _s, ...settings } = readJsonFile(path);
    return Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, scalarText(name, value)]),
    );
  } catch (error) {
    throw new MillwrightError("usage", `The settings file ${path} is invalid: ${String(error)}`, {
      cause: error,
    });
  }
}

const scalars = new Set(["maxTime", "memory", "modelTimeout", "testTimeout"]);

/** Converts a number to the text that a flag would have, as in `"memory": 1073741824`. */
function scalarText(name: string, value: unknown): unknown {
  return scalars.has(name) && typeof value === "number" ? String(value) : value;
}
