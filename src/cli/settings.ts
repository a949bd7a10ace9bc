/** Settings: defaults < user's file < project's file < environment < flags. The one place that reads files and environment. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import { parseDuration, parseSize } from "../base/units.ts";
import { modelRoles } from "../llm/contract.ts";
import { modelPricesSetting, modelRolesSetting } from "../llm/model-settings.ts";
import { sandboxes } from "../sandbox/index.ts";

const duration = z
  .string()
  .transform(
    (text, context) =>
      parseDuration(text) || complain(context, `"${text}" is no duration such as 90s or 30m`),
  );
const size = z
  .string()
  .transform(
    (text, context) => parseSize(text) ?? complain(context, `"${text}" is no size such as 512m or 4g`),
  );
const count = z.coerce.number().int().positive();
const flag = z.union([
  z.boolean(),
  z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1"),
]);

function complain(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

/** One schema: types, JSON schema and documentation are derived from it. */
export const settingsSchema = z
  .object({
    sandbox: z
      .enum(["auto", ...sandboxes.map((sandbox) => sandbox.name)])
      .default("auto")
      .describe("Where commands of the repository run; auto takes the strongest that works."),
    image: z
      .string()
      .optional()
      .describe("docker: an image with the project's toolchain, instead of the host's own."),
    network: flag.default(false).describe("Let the sandbox reach the network."),
    strategy: z.string().optional().describe("What chooses the steps; without a model: search-repair."),
    model: z.string().default("none").describe("PROVIDER/ID of the model, or none."),
    modelRoles: modelRolesSetting
      .optional()
      .describe(
        `Models for single roles, as retrieval=PROVIDER/ID,…; the roles are ${modelRoles.join(", ")}.`,
      ),
    embeddingModel: z
      .string()
      .optional()
      .describe("PROVIDER/ID of a model for embeddings; without one, search works without."),
    modelUrl: z.string().optional().describe("openai-compatible: the address of the server, with its /v1."),
    modelPrices: modelPricesSetting
      .optional()
      .describe(
        "US dollars a million tokens of models that are not listed, as PROVIDER/ID=INPUT/CACHED/OUTPUT,…",
      ),
    modelTimeout: duration
      .default(300_000)
      .describe("How long a connection to a model may be silent, such as 5m."),
    modelParallel: count.max(64).default(8).describe("Calls of one provider at the same time, at most."),
    testCommand: z
      .string()
      .optional()
      .describe("The command that runs the tests, when it should not be searched for."),
    codeServers: z
      .enum(["auto", "off"])
      .default("auto")
      .describe(
        "Whether a run with a model asks the machine's language servers; auto: where one is installed.",
      ),
    maxCost: z.coerce.number().positive().optional().describe("US dollars that the run may spend on models."),
    maxTokens: count
      .optional()
      .describe("Tokens, input and output together, that the run may spend on models."),
    batchBudget: z
      .string()
      .transform((path) => resolve(path))
      .optional()
      .describe(
        'A file such as {"usd": 5, "tokens": 2000000, "calls": 400}: limits that all processes that name it share.',
      ),
    maxSteps: count.optional().describe("How many candidates or actions the run may try."),
    samples: count
      .max(100)
      .optional()
      .describe("How many samples a strategy that samples takes; each has a number of its own."),
    arms: z
      .string()
      .transform((text) => text.split(",").map((name) => name.trim()))
      .optional()
      .describe("best-of: the strategies that it runs, such as unified,react,unified."),
    maxTime: duration.optional().describe("Wall time of the run, such as 30m."),
    memory: size.default(4 * 1024 ** 3).describe("Memory of the sandbox, such as 4g."),
    cpus: z.coerce.number().positive().default(2).describe("Cores of each sandbox."),
    processes: count.default(512).describe("Processes in the sandbox at the same time."),
    parallel: count.max(16).default(2).describe("Candidates that are validated at the same time."),
    remember: flag
      .default(false)
      .describe(
        "Note at the end of a run how tests are run, what is flaky and where it was mended, and begin later runs on the repository with it.",
      ),
    runsDir: z
      .string()
      .optional()
      .describe("The folder of all runs; default: under the user's state directory."),
  })
  .strict();
export type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;

/** The settings that a client is made of. */
export const modelSettingNames = [
  "model",
  "modelRoles",
  "embeddingModel",
  "modelUrl",
  "modelPrices",
  "modelTimeout",
  "modelParallel",
  "batchBudget",
] as const satisfies readonly SettingName[];
export type ModelSettings = Pick<Settings, (typeof modelSettingNames)[number]>;

/** A repository may not weaken the protection against itself: its file cannot set these. */
const notForProjects: readonly SettingName[] = [
  "sandbox",
  "image",
  "network",
  "modelUrl",
  "modelPrices",
  "batchBudget",
  "runsDir",
  "remember",
  "memory",
  "cpus",
  "processes",
];

/** A local model's file is read by native code. */
function isRefused(name: string, value: unknown): boolean {
  return (
    notForProjects.some((each) => each === name) ||
    (name === "embeddingModel" && String(value).startsWith("onnx:"))
  );
}

export interface SettingsSources {
  readonly repository: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Only those that were given. */
  readonly flags: Readonly<Record<string, unknown>>;
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

/** Throws MillwrightError("usage") that names the source and the value. */
export function loadSettings(sources: SettingsSources): LoadedSettings {
  const { environment, flags, repository } = sources;
  const user = readSettingsFile(userSettingsFile(environment));
  const projectPath = join(repository, "millwright.config.json");
  const project = readSettingsFile(projectPath);
  const refused = Object.keys(project).filter((name) => isRefused(name, project[name]));
  for (const name of refused) delete project[name];
  const merged = { ...user, ...project, ...readEnvironment(environment), ...flags };
  const parsed = settingsSchema.safeParse(merged);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = issue?.path.join(".") || (issue?.code === "unrecognized_keys" ? issue.keys.join(", ") : "");
    throw new MillwrightError(
      "usage",
      `${sourceOf(name, sources)} is wrong: ${issue?.message ?? "invalid"}`,
      {
        hint: "`millwright solve --help` lists the settings and their form.",
      },
    );
  }
  const warnings = refused.map(
    (name) =>
      `${projectPath}: "${name}" is ignored, a repository may not set it; use a flag or the environment`,
  );
  return { settings: parsed.data, warnings };
}

/** What the user wrote: the flag, the variable, or the key of a settings file. */
function sourceOf(name: string, { flags, environment }: SettingsSources): string {
  if (flags[name] !== undefined) return flagOf(name);
  return environment[variableOf(name)]
    ? `The variable ${variableOf(name)}`
    : `The setting "${name}" of a file`;
}

/** `maxTime` is `--max-time`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `maxTime` is `MILLWRIGHT_MAX_TIME`. */
export function variableOf(name: string): string {
  return `MILLWRIGHT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** `MILLWRIGHT_MAX_TIME=30m` sets `maxTime`. */
function readEnvironment(environment: SettingsSources["environment"]): Record<string, string> {
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
    throw new MillwrightError("usage", `${path} cannot be read as settings: ${String(error)}`, {
      cause: error,
    });
  }
}

function readJsonFile(path: string): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, "utf8")));
}

/**
 * `languageServers` of the project's file and then of the user's, each with the file that has it: servers run in the sandbox, as
 * the project's own test command does. `loadSettings` has said before what is wrong with a file as a whole.
 */
export function configuredServersOf({
  environment,
  repository,
}: Pick<SettingsSources, "environment" | "repository">): {
  readonly source: string;
  readonly value: unknown;
}[] {
  return [join(repository, "millwright.config.json"), userSettingsFile(environment)].flatMap((source) => {
    if (!existsSync(source)) return [];
    const { languageServers: value } = readJsonFile(source);
    return value === undefined ? [] : [{ source, value }];
  });
}

/** Where the user's own `config.json` and `.env` are. */
export function userFolder(environment: SettingsSources["environment"]): string {
  const configHome = environment.XDG_CONFIG_HOME || join(environment.HOME ?? homedir(), ".config");
  return join(configHome, "millwright");
}

function userSettingsFile(environment: SettingsSources["environment"]): string {
  return join(userFolder(environment), "config.json");
}

const scalars = new Set(["maxTime", "memory", "modelTimeout"]);

/** Numbers are allowed where a flag's text is read: `"memory": 1073741824`. */
function scalarText(name: string, value: unknown): unknown {
  return scalars.has(name) && typeof value === "number" ? String(value) : value;
}

/** Where runs on a repository leave notes for later ones: `millwright/notes` under the XDG state directory, a file for each. */
export function notesFileOf(repository: string, environment: SettingsSources["environment"]): string {
  return join(stateFolder(environment), "notes", `${hashText(repository).slice(0, 16)}.json`);
}

function stateFolder(environment: SettingsSources["environment"]): string {
  const stateHome = environment.XDG_STATE_HOME || join(environment.HOME ?? homedir(), ".local", "state");
  return join(stateHome, "millwright");
}

/** The folder of all runs: `--runs-dir`, else `millwright/runs` under the XDG state directory. */
export function runsDirectoryOf(
  settings: Pick<Settings, "runsDir">,
  environment: SettingsSources["environment"],
): string {
  if (settings.runsDir !== undefined) return resolve(settings.runsDir);
  return join(stateFolder(environment), "runs");
}
